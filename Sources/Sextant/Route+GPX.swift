import Geometry
import Guidance

extension Route {
    /// The route as GPX 1.1: the manoeuvres as a route (`rte`), every point of the way as a track (`trk`), a segment
    /// for each leg.
    /// - Parameter alternatives: other ways, each a route and a track of its own behind this one.
    public func gpx(name: String = "Route", alternatives: [Route] = []) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Sextant" xmlns="http://www.topografix.com/GPX/1/1">
              <metadata>
                <copyright author="OpenStreetMap contributors">
                  <license>https://opendatacommons.org/licenses/odbl/1-0/</license>
                </copyright>
              </metadata>

            """
        var ways = [(route: self, name: name)]
        for (number, route) in alternatives.enumerated() { ways.append((route, "\(name) (alternative \(number + 1))")) }
        // All routes come before all tracks.
        for way in ways { way.route.writeRoute(way.name, to: &text) }
        for way in ways { way.route.writeTrack(way.name, to: &text) }
        return text + "</gpx>\n"
    }

    private func writeRoute(_ name: String, to text: inout String) {
        text += "  <rte>\n    <name>\(Self.escaped(name))</name>\n"
        for step in legs.flatMap(\.steps) {
            text += "    <rtept \(Self.attributes(step.manoeuvre.location))>"
            text += "<name>\(Self.escaped(step.name))</name><desc>\(Self.escaped(step.sentence))</desc>"
            text += "<type>\(Self.escaped(step.manoeuvre.type.rawValue))</type></rtept>\n"
        }
        text += "  </rte>\n"
    }

    private func writeTrack(_ name: String, to text: inout String) {
        text += "  <trk>\n    <name>\(Self.escaped(name))</name>\n"
        for leg in legs {
            text += "    <trkseg>\n"
            for point in leg.shape { text += "      <trkpt \(Self.attributes(point))/>\n" }
            text += "    </trkseg>\n"
        }
        text += "  </trk>\n"
    }

    private static func attributes(_ point: Coordinate) -> String {
        "lat=\"\(decimal(point.latitude))\" lon=\"\(decimal(point.longitude))\""
    }

    /// Seven decimals, never in exponent form.
    private static func decimal(_ value: Double) -> String {
        var json = JSONWriter(reservingCapacity: 16)
        json.number(value, decimals: 7)
        return json.text
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\t", "\n", "\r": out += " "
            // XML 1.0 has no other control characters.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
