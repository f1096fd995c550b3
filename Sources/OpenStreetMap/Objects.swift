import Geometry

/// The three kinds of objects in OpenStreetMap.
public enum OSMType: UInt8, Sendable, Hashable, Codable {
    case node = 1
    case way = 2
    case relation = 3

    /// `N`, `W` or `R`.
    public var letter: String {
        switch self {
        case .node: "N"
        case .way: "W"
        case .relation: "R"
        }
    }
}

/// An object's name in OpenStreetMap: its type and number, printed as `N1`, `W1` or `R1`.
public struct OSMID: Sendable, Hashable, Codable, CustomStringConvertible {
    public var type: OSMType
    public var number: Int64

    public init(_ type: OSMType, _ number: Int64) {
        self.type = type
        self.number = number
    }

    /// Reads `N1` or `node/1`, `W1` or `way/1`, `R1` or `relation/1`; nil for anything else.
    public init?(_ text: String) {
        let forms: [(String, OSMType)] = [
            ("node/", .node), ("way/", .way), ("relation/", .relation), ("N", .node), ("W", .way), ("R", .relation),
        ]
        for (start, type) in forms where text.hasPrefix(start) {
            guard let number = Int64(text.dropFirst(start.count)) else { return nil }
            self.init(type, number)
            return
        }
        return nil
    }

    public var description: String { type.letter + String(number) }
}

/// The tags of an object: a short list of keys and values in the order of the file.
///
/// Lookups walk the list, since objects rarely have more than a dozen tags.
public struct Tags: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    public struct Pair: Sendable, Equatable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public var pairs: [Pair]

    public init(_ pairs: [Pair] = []) { self.pairs = pairs }

    public init(dictionaryLiteral elements: (String, String)...) {
        pairs = elements.map { Pair(key: $0.0, value: $0.1) }
    }

    /// The value of `key`; nil where the object does not have it. Setting nil removes it.
    public subscript(key: String) -> String? {
        get {
            // Most keys differ in length, which costs less to see than that their letters do.
            let count = key.utf8.count
            for index in pairs.indices where pairs[index].key.utf8.count == count && pairs[index].key == key {
                return pairs[index].value
            }
            return nil
        }
        set {
            if let index = pairs.firstIndex(where: { $0.key == key }) {
                if let newValue { pairs[index].value = newValue } else { pairs.remove(at: index) }
            } else if let newValue {
                pairs.append(Pair(key: key, value: newValue))
            }
        }
    }

    public var isEmpty: Bool { pairs.isEmpty }

    /// Whether `key` is there with exactly this value.
    public func has(_ key: String, _ value: String) -> Bool { self[key] == value }
}

/// A node with its place.
public struct OSMNode: Sendable {
    public var id: Int64
    public var location: Coordinate
    public var tags: Tags

    public init(id: Int64, location: Coordinate, tags: Tags) {
        self.id = id
        self.location = location
        self.tags = tags
    }
}

/// A way with its nodes. `locations[i]` is the place of `nodes[i]`, nil where the file lacks that node.
public struct OSMWay: Sendable {
    public var id: Int64
    public var nodes: [Int64]
    public var locations: [Coordinate?]
    public var tags: Tags

    public init(id: Int64, nodes: [Int64], locations: [Coordinate?], tags: Tags) {
        self.id = id
        self.nodes = nodes
        self.locations = locations
        self.tags = tags
    }

    /// Whether the first node is the last as well.
    public var isClosed: Bool { nodes.count > 2 && nodes.first == nodes.last }
}

/// A relation with its members.
public struct OSMRelation: Sendable {
    public struct Member: Sendable {
        public var id: OSMID
        public var role: String

        public init(id: OSMID, role: String) {
            self.id = id
            self.role = role
        }
    }

    public var id: Int64
    public var members: [Member]
    public var tags: Tags

    public init(id: Int64, members: [Member], tags: Tags) {
        self.id = id
        self.members = members
        self.tags = tags
    }
}

/// An area assembled from a closed way or from the ways of a multipolygon or boundary relation.
public struct OSMArea: Sendable {
    /// An outer ring with the inner rings inside it; each ring is closed (first point repeated at the end).
    public struct Polygon: Sendable, Equatable {
        public var outer: [Coordinate]
        public var inner: [[Coordinate]]

        public init(outer: [Coordinate], inner: [[Coordinate]]) {
            self.outer = outer
            self.inner = inner
        }
    }

    /// The way or relation that the area was made from.
    public var id: OSMID
    public var polygons: [Polygon]
    public var tags: Tags

    public init(id: OSMID, polygons: [Polygon], tags: Tags) {
        self.id = id
        self.polygons = polygons
        self.tags = tags
    }
}
