import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Routing
import Sextant

/// The way that `--along` names: places with ";" between, or a file with a line.
struct AlongWay {
    var line: [Coordinate]
    /// Seconds from the start to the end; nil for a line that says nothing of time.
    private var cumulative: [(metres: Double, seconds: Double)] = []

    /// Nil where a place is not found or no way leads there; that is told.
    init?(_ text: String, _ arguments: Arguments, _ atlas: Atlas, _ console: Console) throws {
        let names = text.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty }
        guard names.count > 1 else {
            guard FileManager.default.fileExists(atPath: text) else {
                throw UsageError(
                    "--along wants \"FROM;TO\" or a file with a line (GeoJSON, GPX, encoded polyline); "
                        + "there is no file \"\(text)\"")
            }
            guard let data = FileManager.default.contents(atPath: text) else {
                throw UsageError("--along: cannot read \"\(text)\"")
            }
            do { line = try WrittenLine.read(data) } catch { throw UsageError("--along: \(text): \(error)") }
            return
        }
        guard names.count <= 100 else { throw UsageError("a way has 100 places at most") }
        let profile = try RouteCommand.profile(arguments)
        var stops: [RouteCommand.NamedStop] = []
        for name in names {
            if let point = try Arguments.coordinate(name) {
                stops.append(.init(coordinate: point, name: coordinateText(point)))
            } else if let stop = try RouteCommand.find(name, near: stops.last?.coordinate, atlas, arguments.languages) {
                stops.append(stop)
            } else {
                console.complain("nothing found for \"\(name)\"")
                return nil
            }
        }
        let route: Route
        do {
            route = try atlas.route(RouteRequest(stops: stops.map { Stop($0.coordinate) }, profile: profile))
        } catch let error as RoutingError {
            guard let reason = RouteCommand.explained(error, stops, profile) else { throw error }
            console.complain(reason)
            return nil
        } catch let error as SextantError {
            console.complain(RouteCommand.explained(error, stops))
            return nil
        }
        line = route.geometry
        var metres = 0.0
        var seconds = 0.0
        cumulative = [(0, 0)]
        for step in route.legs.flatMap(\.steps) {
            metres += step.distance
            seconds += step.duration
            cumulative.append((metres, seconds))
        }
    }

    /// Seconds until one comes to a spot so many metres along the line.
    func seconds(of corridor: Corridor) -> (@Sendable (Double) -> Double)? {
        let cumulative = cumulative
        guard let last = cumulative.last, last.metres > 0, corridor.length > 0 else { return nil }
        // The line's own length differs a little from the sum of the roads'.
        let scale = last.metres / corridor.length
        return { along in
            let metres = along * scale
            guard let index = cumulative.firstIndex(where: { $0.metres >= metres }), index > 0 else {
                return metres <= 0 ? 0 : last.seconds
            }
            let (a, b) = (cumulative[index - 1], cumulative[index])
            let t = b.metres > a.metres ? (metres - a.metres) / (b.metres - a.metres) : 1
            return a.seconds + t * (b.seconds - a.seconds)
        }
    }
}

/// The moment that `--at` names: now, a time on the clock of the place, or one with its distance from UTC.
struct SearchTime {
    private var local: OpeningHours.Moment?
    private var fixed: Date?

    /// Throws `UsageError` for a text that is no time.
    init(_ text: String?, option: String = "--at") throws {
        guard let text, text != "now" else { return }
        let wrong = UsageError(
            "\(option) wants a time like 2026-12-01T10:00 on the clock of the place, not \"\(text)\"")
        if text.hasSuffix("Z") || text.dropFirst(11).contains(where: { $0 == "+" || $0 == "-" }) {
            let formatter = ISO8601DateFormatter()
            let parts = text.split(separator: "T")
            // Seconds may be left out.
            let clock = parts.count == 2 ? parts[1].prefix { $0.isNumber || $0 == ":" } : ""
            let full = clock.utf8.count == 5 ? text.replacingOccurrences(of: "T\(clock)", with: "T\(clock):00") : text
            guard let date = formatter.date(from: full) else { throw wrong }
            fixed = date
            return
        }
        guard text.first?.isNumber == true else { throw wrong }
        let numbers = text.split(whereSeparator: { "-T: ".contains($0) }).map { Int($0) }
        guard numbers.count >= 5, numbers.count <= 6, !numbers.contains(nil) else { throw wrong }
        let values = numbers.compactMap { $0 }
        guard (1...9999).contains(values[0]), (1...12).contains(values[1]), (1...31).contains(values[2]),
            (0...23).contains(values[3]), (0...59).contains(values[4])
        else { throw wrong }
        let moment = OpeningHours.Moment(
            year: values[0], month: values[1], day: values[2], hour: values[3], minute: values[4])
        // The 30th of February would be another day.
        guard moment.day.date == (values[0], values[1], values[2]) else { throw wrong }
        local = moment
    }

    /// The moment on the clock of a time zone.
    func date(in zone: TimeZone) -> Date { fixed ?? local?.date(in: zone) ?? Date() }

    /// The moment, in the time zone of what is searched.
    func date(in atlas: Atlas, _ query: SearchQuery) throws -> Date {
        if let fixed { return fixed }
        guard let local else { return Date() }
        let center = atlas.center(of: query)
        let zone = try center.flatMap { try atlas.timeZone(at: $0) }
        return local.date(in: zone ?? .gmt)
    }
}
