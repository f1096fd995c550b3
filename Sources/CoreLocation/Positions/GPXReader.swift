import Foundation
internal import FoundationXML

/// Reads the positions of a GPX file (1.0 and 1.1): tracks, else routes, else way points.
final class GPXReader: NSObject, XMLParserDelegate {
    /// - Throws: `CLError.locationUnknown` with the file and the reason.
    static func fixes(path: String) throws -> [PlayedFix] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
            throw CLPositionSource.failure("\(path) cannot be read: \(error.localizedDescription)")
        }
        return try fixes(data, name: path)
    }

    static func fixes(_ data: Data, name: String) throws -> [PlayedFix] {
        let reader = GPXReader()
        // A parser that is given the whole file at once refuses what lies beyond 10 MB; a stream it reads in pieces.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // Of a stream that ends too early only the error tells.
        guard parser.parse(), parser.parserError == nil else {
            throw CLPositionSource.failure("\(name) is no GPX file: damaged in line \(parser.lineNumber)")
        }
        let kinds = [reader.tracks, reader.routes, reader.points]
        guard let found = kinds.first(where: { !$0.isEmpty }) else {
            throw CLPositionSource.failure("\(name) holds no positions")
        }
        return timed(found)
    }

    private struct Point {
        var fix: PlayedFix
        var hasTime = false
    }

    private var tracks: [Point] = []
    private var routes: [Point] = []
    private var points: [Point] = []
    private var point: Point?
    private var text = ""

    /// Points without a time come a second after the one before.
    private static func timed(_ points: [Point]) -> [PlayedFix] {
        var result: [PlayedFix] = []
        for point in points {
            var fix = point.fix
            if !point.hasTime { fix.time = (result.last?.time ?? 0) + (result.isEmpty ? 0 : 1) }
            result.append(fix)
        }
        return result
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        guard ["trkpt", "rtept", "wpt"].contains(element) else { return }
        point = nil
        guard let latitude = attributes["lat"].flatMap(Double.init),
            let longitude = attributes["lon"].flatMap(Double.init)
        else { return }
        let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        if CLLocationCoordinate2DIsValid(coordinate) { point = Point(fix: PlayedFix(coordinate, time: 0)) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        // Only numbers and times matter; a description may be as long as it likes.
        if text.utf8.count < 100 { text += string }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let number = Double(value).flatMap { $0.isFinite ? $0 : nil }
        switch element.split(separator: ":").last {
        case "ele": point?.fix.altitude = number
        case "speed": point?.fix.speed = number?.asSpeed
        case "course": point?.fix.course = number?.asCourse
        // A receiver's dilution of precision, times the usual error of its ranges.
        case "hdop":
            if let metres = number.flatMap({ ($0 * 5).asAccuracy }), point?.fix.horizontalAccuracy == nil {
                point?.fix.horizontalAccuracy = metres
            }
        case "vdop": point?.fix.verticalAccuracy = number.flatMap { ($0 * 5).asAccuracy }
        case "accuracy": if let metres = number?.asAccuracy { point?.fix.horizontalAccuracy = metres }
        case "time":
            guard let time = Self.seconds(value) else { break }
            point?.fix.time = time
            point?.hasTime = true
        case "trkpt": add(to: &tracks)
        case "rtept": add(to: &routes)
        case "wpt": add(to: &points)
        default: break
        }
        text = ""
    }

    private func add(to list: inout [Point]) {
        if let point { list.append(point) }
        point = nil
    }

    private static func seconds(_ text: String) -> Double? {
        let plain = Date.ISO8601FormatStyle()
        let fine = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = (try? plain.parse(text)) ?? (try? fine.parse(text)) ?? (try? plain.parse(text + "Z"))
        return date?.timeIntervalSinceReferenceDate
    }
}
