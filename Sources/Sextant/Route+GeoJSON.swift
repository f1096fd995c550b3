import Geometry
import Guidance

extension Route {
    /// What must stand wherever the route is shown: roads come from OpenStreetMap alone.
    public static let attribution = "© OpenStreetMap contributors (ODbL 1.0)"

    /// The route as a GeoJSON feature collection (RFC 7946): the whole way as a line, and a point for each manoeuvre.
    /// - Parameter alternatives: other ways, whose features follow with their number from 1 on as `alternative`.
    public func geoJSON(alternatives: [Route] = []) -> String {
        var json = JSONWriter(reservingCapacity: 4096)
        json.object {
            $0.member("type", "FeatureCollection")
            $0.member("attribution", Self.attribution)
            $0.key("features")
            $0.array { features in
                for (number, route) in ([self] + alternatives).enumerated() {
                    route.writeLine(number, to: &features)
                    for (i, leg) in route.legs.enumerated() {
                        for step in leg.steps { Self.write(step, leg: i, number, to: &features) }
                    }
                }
            }
        }
        return json.text
    }

    private func writeLine(_ number: Int, to json: inout JSONWriter) {
        json.object {
            $0.member("type", "Feature")
            $0.key("properties")
            $0.object {
                if number > 0 { $0.member("alternative", number) }
                $0.member("distance", distance, decimals: 1)
                $0.member("duration", duration, decimals: 1)
                $0.member("summary", legs.map(\.summary).filter { !$0.isEmpty }.joined(separator: "; "))
                $0.key("notices")
                $0.array { for notice in notices { $0.string(notice.sentence) } }
                $0.key("distancesFromRoad")
                $0.array { for stop in waypoints { $0.number(stop.distance, decimals: 1) } }
            }
            $0.key("geometry")
            $0.object {
                $0.member("type", "LineString")
                $0.key("coordinates")
                $0.positions(geometry)
            }
        }
    }

    private static func write(_ step: GuidanceStep, leg: Int, _ number: Int, to json: inout JSONWriter) {
        json.object {
            $0.member("type", "Feature")
            $0.key("properties")
            $0.object {
                if number > 0 { $0.member("alternative", number) }
                $0.member("leg", leg)
                $0.member("type", step.manoeuvre.type.rawValue)
                if let modifier = step.manoeuvre.modifier { $0.member("modifier", modifier.rawValue) }
                if let exit = step.manoeuvre.exit { $0.member("exit", exit) }
                $0.member("instruction", step.sentence)
                $0.member("name", step.name)
                if !step.ref.isEmpty { $0.member("ref", step.ref) }
                $0.member("distance", step.distance, decimals: 1)
                $0.member("duration", step.duration, decimals: 1)
            }
            $0.key("geometry")
            $0.object {
                $0.member("type", "Point")
                $0.key("coordinates")
                $0.position(step.manoeuvre.location)
            }
        }
    }
}

extension JSONWriter {
    /// A GeoJSON position: longitude and latitude, seven decimals.
    public mutating func position(_ point: Coordinate, decimals: Int = 7) {
        beginArray()
        number(point.longitude, decimals: decimals)
        number(point.latitude, decimals: decimals)
        endArray()
    }

    /// An array of positions.
    public mutating func positions(_ line: some Sequence<Coordinate>, decimals: Int = 7) {
        beginArray()
        for point in line { position(point, decimals: decimals) }
        endArray()
    }
}
