import Foundation

/// A small world that is written down place by place and read as OpenStreetMap data.
public struct DrawnWorld {
    private var nodes = ""
    private var ways = ""
    private var relations = ""
    private var last = 0

    public init() {}

    public typealias Spot = (latitude: Double, longitude: Double)

    /// Adds a node; returns its number.
    @discardableResult
    public mutating func node(_ spot: Spot, _ tags: KeyValuePairs<String, String> = [:]) -> Int {
        last += 1
        nodes += "<node id=\"\(last)\" lat=\"\(spot.latitude)\" lon=\"\(spot.longitude)\">\(Self.text(tags))</node>\n"
        return last
    }

    @discardableResult
    public mutating func way(_ nodes: [Int], _ tags: KeyValuePairs<String, String>) -> Int {
        last += 1
        ways += "<way id=\"\(last)\">" + nodes.map { "<nd ref=\"\($0)\"/>" }.joined() + "\(Self.text(tags))</way>\n"
        return last
    }

    /// A street through spots, in both directions.
    @discardableResult
    public mutating func street(_ name: String, _ spots: [Spot], _ kind: String = "residential") -> [Int] {
        let line = spots.map { node($0) }
        way(line, ["highway": kind, "name": name])
        return line
    }

    public mutating func house(_ number: String, _ street: String, _ spot: Spot, postcode: String? = nil) {
        var text = Self.text(["addr:housenumber": number, "addr:street": street])
        if let postcode { text += Self.text(["addr:postcode": postcode]) }
        last += 1
        nodes += "<node id=\"\(last)\" lat=\"\(spot.latitude)\" lon=\"\(spot.longitude)\">\(text)</node>\n"
    }

    /// An administrative boundary or another area around a box.
    public mutating func area(
        south: Double, west: Double, north: Double, east: Double, _ tags: KeyValuePairs<String, String>
    ) {
        let ring = [(south, west), (south, east), (north, east), (north, west)].map { node($0) }
        let outer = way(ring + [ring[0]], [:])
        last += 1
        relations +=
            "<relation id=\"\(last)\"><member type=\"way\" ref=\"\(outer)\" role=\"outer\"/>\(Self.text(tags))</relation>\n"
    }

    /// The whole as OSM XML, nodes first.
    public var xml: String { "<osm version=\"0.6\">\n" + nodes + ways + relations + "</osm>\n" }

    private static func text(_ tags: KeyValuePairs<String, String>) -> String {
        tags.map { "<tag k=\"\(escaped($0.key))\" v=\"\(escaped($0.value))\"/>" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
            .replacingOccurrences(of: "<", with: "&lt;")
    }
}
