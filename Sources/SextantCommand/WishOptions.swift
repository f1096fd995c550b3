import Geometry
import Importing
import Routing
import Sextant

/// Reads the options that say what is wished of all roads, and which roads are closed.
enum WishOptions {
    /// Reads what is wished.
    static func wishes(_ arguments: Arguments) throws -> RoadWishes {
        var wishes = RoadWishes()
        wishes.excluded = try kinds("--exclude", arguments)
        wishes.avoided = try kinds("--avoid", arguments)
        wishes.vehicle.height = try size("--height", arguments)
        wishes.vehicle.width = try size("--width", arguments)
        wishes.vehicle.length = try size("--length", arguments)
        wishes.vehicle.weight = try size("--weight", arguments)
        wishes.vehicle.axleLoad = try size("--axle-load", arguments)
        if let path = arguments["--speeds"] {
            do {
                wishes.speeds = try SegmentSpeeds(contentsOf: path)
            } catch RoutingError.fileError(_, let reason) {
                throw TableError(file: path, reason: reason)
            } catch RoutingError.invalidRequest(let reason) {
                throw TableError(file: path, reason: reason)
            }
        }
        return wishes
    }

    private static func kinds(_ name: String, _ arguments: Arguments) throws -> RoadKinds {
        guard let text = arguments[name] else { return [] }
        guard let kinds = RoadKinds(text), !kinds.isEmpty else {
            let known = RoadKinds.names.map(\.name).joined(separator: ", ")
            throw UsageError("\(name) wants some of \(known) with commas between, not \"\(text)\"")
        }
        return kinds
    }

    private static func size(_ name: String, _ arguments: Arguments) throws -> Double? {
        guard let text = arguments[name] else { return nil }
        guard let value = Double(text), value > 0, value < 1000 else {
            throw UsageError("\(name) wants a number above 0 and below 1000, not \"\(text)\"")
        }
        return value
    }

    /// Reads what is closed.
    static func closures(_ arguments: Arguments) throws -> [RoadClosure] {
        try arguments.all("--close").map { text in
            let parts = text.split(separator: ",").map(\.trimmed)
            if parts.count == 1, let way = Int64(parts[0]) { return .way(way) }
            if parts.count == 2, let from = Int64(parts[0]), let to = Int64(parts[1]) {
                return .segment(from: from, to: to)
            }
            if parts.count == 4, let box = Arguments.numbers(text), box[1] <= box[3] {
                return .box(BoundingBox(west: box[0], south: box[1], east: box[2], north: box[3]))
            }
            throw UsageError("--close wants a way, two nodes A,B or a box W,S,E,N, not \"\(text)\"")
        }
    }
}
