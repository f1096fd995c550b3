import OpenStreetMap

/// Makes a road graph from OpenStreetMap objects: first all relations, then the tagged nodes, then the ways.
public struct RoadGraphBuilder {
    public struct Options: Sendable {
        public init() {}
    }

    public init(options: Options = Options()) {}

    /// What was left out, counted by reason.
    public internal(set) var skipped: [String: Int] = [:]

    public mutating func add(_ relation: OSMRelation) {}
    public mutating func add(_ node: OSMNode) {}
    public mutating func add(_ way: OSMWay, rules: CountryRules) {}

    /// - Parameter atlasID: 16 bytes that all files of an atlas share.
    public consuming func finish(atlasID: [UInt8]) throws(RoutingError) -> RoadGraph { RoadGraph() }
}
