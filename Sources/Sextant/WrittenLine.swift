import Foundation
import Geometry

/// Reads the line of a way from a file: GeoJSON, GPX, or an encoded polyline.
///
///     let line = try WrittenLine.read(Data(contentsOf: url))
public enum WrittenLine {
    /// More points than this are refused.
    public static let mostPoints = 2_000_000

    /// The points of all lines in the file, one after another: of `LineString` and `MultiLineString` in GeoJSON, of tracks,
    /// else of routes, in GPX. Throws `WrittenLineError` for a file with less than two points.
    public static func read(_ data: Data) throws -> [Coordinate] {
        guard let text = String(data: data, encoding: .utf8)?.trimmingCharacters(in: .whitespacesAndNewlines),
            let first = text.first
        else { throw WrittenLineError("it is empty, or no text in UTF-8") }
        let line: [Coordinate]
        switch first {
        case "{": line = try geoJSON(data)
        case "<": line = try gpx(text)
        default:
            guard let decoded = Polyline.decode(text) else {
                throw WrittenLineError("it is neither GeoJSON nor GPX nor an encoded polyline")
            }
            line = decoded
        }
        guard line.count > 1 else { throw WrittenLineError("it holds no line of two points") }
        guard line.count <= mostPoints else { throw WrittenLineError("it holds more than \(mostPoints) points") }
        if let wrong = line.first(where: { !$0.isValid }) {
            throw WrittenLineError("\(wrong) lies off the globe")
        }
        return line
    }

    private static func geoJSON(_ data: Data) throws -> [Coordinate] {
        let object: Any
        do {
            object = try JSONSerialization.jsonObject(with: data)
        } catch {
            throw WrittenLineError("it is no JSON")
        }
        var line: [Coordinate] = []
        func points(_ list: Any?) {
            for place in list as? [[Any]] ?? [] {
                guard place.count > 1, let x = (place[0] as? NSNumber)?.doubleValue,
                    let y = (place[1] as? NSNumber)?.doubleValue
                else { continue }
                line.append(Coordinate(latitude: y, longitude: x))
            }
        }
        func take(_ object: Any?, _ depth: Int) {
            guard depth < 8, let object = object as? [String: Any] else { return }
            switch object["type"] as? String {
            case "FeatureCollection": for feature in object["features"] as? [Any] ?? [] { take(feature, depth + 1) }
            case "Feature": take(object["geometry"], depth + 1)
            case "GeometryCollection": for part in object["geometries"] as? [Any] ?? [] { take(part, depth + 1) }
            case "LineString": points(object["coordinates"])
            case "MultiLineString": for part in object["coordinates"] as? [Any] ?? [] { points(part) }
            default: break
            }
        }
        take(object, 0)
        return line
    }

    private static func gpx(_ text: String) throws -> [Coordinate] {
        let bytes = Array(text.utf8)
        guard String(decoding: bytes.suffix(1024), as: UTF8.self).contains("</gpx>") else {
            throw WrittenLineError("it is no whole GPX: its end, </gpx>, is missing")
        }
        var track: [Coordinate] = []
        var route: [Coordinate] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            let isTrack = rest.starts(with: "trkpt".utf8)
            guard isTrack || rest.starts(with: "rtept".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                continue
            }
            let attributes = Substring(decoding: rest[..<end], as: UTF8.self)
            if let latitude = number("lat", attributes), let longitude = number("lon", attributes) {
                let point = Coordinate(latitude: latitude, longitude: longitude)
                if isTrack { track.append(point) } else { route.append(point) }
            }
            rest = rest[end...]
        }
        return track.isEmpty ? route : track
    }

    private static func number(_ name: String, _ attributes: Substring) -> Double? {
        guard let start = attributes.range(of: name + "=") else { return nil }
        let value = attributes[start.upperBound...]
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return Double(value.dropFirst().prefix { $0 != quote })
    }
}

/// Why a file has no line that can be read.
public struct WrittenLineError: Error, Equatable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
