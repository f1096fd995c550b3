import COsmium
import Geometry
import OpenStreetMap

/// Where OpenStreetMap data comes from.
public enum OSMInput: Sendable {
    /// A file whose name tells its format: `.osm.pbf`, `.osm`, `.osm.gz`, `.osm.bz2`, `.opl`, `.o5m`.
    case file(String)
    /// Bytes in one of libosmium's formats: "osm" for XML, "pbf", "opl".
    case memory([UInt8], format: String)
}

/// What keeps OpenStreetMap data from being read.
public enum OSMFileError: Error, Equatable, CustomStringConvertible {
    case noSuchFile(String)
    /// The bytes are not what the format asks for; the message names the file and, where known, the line or block.
    case unreadable(String)
    case outOfMemory
    /// The progress callback asked to stop.
    case stopped

    public var description: String {
        switch self {
        case .noSuchFile(let message): message
        case .unreadable(let message): message
        case .outOfMemory: "not enough memory for the places of the nodes"
        case .stopped: "stopped"
        }
    }
}

/// What was met while reading.
public struct OSMStreamReport: Sendable, Equatable {
    public var nodes = 0
    public var ways = 0
    public var relations = 0
    public var areas = 0
    /// Objects that stood in several inputs; the newest version was taken.
    public var duplicates = 0
    public var waysWithoutNode = 0
    public var missingNodes = 0
    /// Areas whose rings do not close or cross each other.
    public var brokenAreas = 0
    /// Multipolygons and boundaries with members that the input lacks.
    public var incompleteRelations = 0
    /// Inputs that had to be sorted in memory.
    public var sortedInMemory = 0
    /// Seconds since 1970 of the newest object; nil where the input has no times.
    public var newestTimestamp: Int64?

    public init() {}
}

/// Several OpenStreetMap files read as one stream of objects, each object once (its newest version), in the order nodes,
/// ways, relations.
///
/// Reading costs memory for the places of all nodes (8 to 16 bytes each) and for the ways of the areas being assembled,
/// but nothing for tags. The callbacks run on the caller's thread; an error thrown inside one ends the reading and comes
/// out of the call.
public struct OSMStream: Sendable {
    public var inputs: [OSMInput]

    public init(_ inputs: [OSMInput]) { self.inputs = inputs }

    /// Reads the relations alone.
    @discardableResult
    public func relations(
        progress: ((_ done: UInt64, _ total: UInt64) throws -> Void)? = nil, _ each: (OSMRelation) throws -> Void
    ) throws -> OSMStreamReport {
        try withoutActuallyEscaping(each) { each in
            try read(Sink(relation: each, progress: progress)) { inputs, count, sink, report in
                sx_osm_read_relations(inputs, count, sink, report)
            }
        }
    }

    /// Reads the nodes that have tags, the ways with the places of their nodes, and the areas of closed ways and of
    /// multipolygon and boundary relations that have one of the keys in `areaKeys`.
    ///
    /// A closed way comes as a way first and, where it has such a key and is not `area=no`, as an area later.
    @discardableResult
    public func objects(
        areaKeys: [String], node: ((OSMNode) throws -> Void)? = nil, way: ((OSMWay) throws -> Void)? = nil,
        area: ((OSMArea) throws -> Void)? = nil, progress: ((_ done: UInt64, _ total: UInt64) throws -> Void)? = nil
    ) throws -> OSMStreamReport {
        try read(Sink(node: node, way: way, area: area, progress: progress)) { inputs, count, sink, report in
            let keys = areaKeys.map { Array($0.utf8CString) }
            return withPointers(to: keys) { pointers in
                sx_osm_read_objects(inputs, count, pointers, keys.count, sink, report)
            }
        }
    }

    /// The box that the head of each input tells, which is where the data was cut; nil where it tells none.
    public func boxes() -> [BoundingBox?] {
        inputs.map { input in
            var box: [Int32] = [0, 0, 0, 0]
            let isTold: Bool
            switch input {
            case .file(let path):
                isTold = path.withCString { path in
                    var face = sx_osm_input(path: path, bytes: nil, size: 0, format: nil)
                    return sx_osm_box(&face, &box) != 0
                }
            case .memory(let bytes, let format):
                isTold = bytes.withUnsafeBytes { raw in
                    format.withCString { format in
                        var face = sx_osm_input(
                            path: nil, bytes: raw.assumingMemoryBound(to: CChar.self).baseAddress, size: raw.count,
                            format: format)
                        return sx_osm_box(&face, &box) != 0
                    }
                }
            }
            guard isTold, box[0] <= box[2], box[1] <= box[3] else { return nil }
            let degrees = box.map { Double($0) / 1e7 }
            return BoundingBox(west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3])
        }
    }

    private func read(
        _ sink: Sink,
        _ call: (
            UnsafePointer<sx_osm_input>, Int, UnsafePointer<sx_osm_sink>, UnsafeMutablePointer<sx_osm_report>
        ) -> Int32
    ) throws -> OSMStreamReport {
        var report = sx_osm_report()
        let texts = inputs.map { input -> [CChar] in
            switch input {
            case .file(let path): Array(path.utf8CString)
            case .memory(_, let format): Array(format.utf8CString)
            }
        }
        let code = withPointers(to: texts) { pointers -> Int32 in
            withBytes(of: inputs[...], []) { memory -> Int32 in
                let list = inputs.indices.map { index -> sx_osm_input in
                    switch inputs[index] {
                    case .file: sx_osm_input(path: pointers[index], bytes: nil, size: 0, format: nil)
                    case .memory:
                        sx_osm_input(
                            path: nil, bytes: memory[index].baseAddress, size: memory[index].count,
                            format: pointers[index])
                    }
                }
                return withExtendedLifetime(sink) {
                    var face = sink.face
                    return list.withUnsafeBufferPointer { list in
                        guard let base = list.baseAddress else { return Int32(SX_OSM_OK) }
                        return call(base, list.count, &face, &report)
                    }
                }
            }
        }
        if let failure = sink.failure { throw failure }
        let message = withUnsafeBytes(of: report.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        switch Int(code) {
        case SX_OSM_OK: break
        case SX_OSM_STOPPED: throw OSMFileError.stopped
        case SX_OSM_NO_SUCH_FILE: throw OSMFileError.noSuchFile(message)
        case SX_OSM_NO_MEMORY: throw OSMFileError.outOfMemory
        default: throw OSMFileError.unreadable(message)
        }
        var result = OSMStreamReport()
        result.nodes = Int(report.nodes)
        result.ways = Int(report.ways)
        result.relations = Int(report.relations)
        result.areas = Int(report.areas)
        result.duplicates = Int(report.duplicates)
        result.waysWithoutNode = Int(report.ways_without_node)
        result.missingNodes = Int(report.missing_nodes)
        result.brokenAreas = Int(report.broken_areas)
        result.incompleteRelations = Int(report.incomplete_relations)
        result.sortedInMemory = Int(report.sorted_in_memory)
        result.newestTimestamp = report.newest_timestamp > 0 ? report.newest_timestamp : nil
        return result
    }
}

/// Runs `body` with C strings that live as long as the call.
private func withPointers<R>(to texts: [[CChar]], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    func next(_ rest: ArraySlice<[CChar]>, _ pointers: [UnsafePointer<CChar>?]) -> R {
        guard let first = rest.first else { return body(pointers) }
        return first.withUnsafeBufferPointer { next(rest.dropFirst(), pointers + [$0.baseAddress]) }
    }
    return next(texts[...], [])
}

/// Runs `body` with the bytes of the inputs in memory; files get an empty buffer.
private func withBytes<R>(
    of inputs: ArraySlice<OSMInput>, _ buffers: [UnsafeBufferPointer<CChar>],
    _ body: ([UnsafeBufferPointer<CChar>]) -> R
) -> R {
    guard let first = inputs.first else { return body(buffers) }
    switch first {
    case .file:
        return withBytes(of: inputs.dropFirst(), buffers + [UnsafeBufferPointer(start: nil, count: 0)], body)
    case .memory(let bytes, _):
        return bytes.withUnsafeBytes { raw in
            withBytes(of: inputs.dropFirst(), buffers + [raw.assumingMemoryBound(to: CChar.self)], body)
        }
    }
}

/// The Swift end of libosmium's callbacks: turns C arrays into values and keeps the first error.
private final class Sink {
    typealias Progress = (UInt64, UInt64) throws -> Void

    private let node: ((OSMNode) throws -> Void)?
    private let way: ((OSMWay) throws -> Void)?
    private let relation: ((OSMRelation) throws -> Void)?
    private let area: ((OSMArea) throws -> Void)?
    private let progress: Progress?
    var failure: (any Error)?

    // The closures do not outlive the call: the sink is made and dropped inside it.
    init(
        node: ((OSMNode) throws -> Void)? = nil, way: ((OSMWay) throws -> Void)? = nil,
        relation: ((OSMRelation) throws -> Void)? = nil, area: ((OSMArea) throws -> Void)? = nil, progress: Progress?
    ) {
        self.node = node
        self.way = way
        self.relation = relation
        self.area = area
        self.progress = progress
    }

    var face: sx_osm_sink {
        var face = sx_osm_sink()
        face.context = Unmanaged.passUnretained(self).toOpaque()
        if node != nil {
            face.node = { context, id, location, tags, count in
                Sink.from(context).guarded { sink in
                    guard let place = Coordinate(location) else { return }
                    try sink.node?(OSMNode(id: id, location: place, tags: Tags(tags, count)))
                }
            }
        }
        if way != nil {
            face.way = { context, id, nodes, locations, count, tags, tagCount in
                Sink.from(context).guarded { sink in
                    try sink.way?(
                        OSMWay(
                            id: id, nodes: Array(UnsafeBufferPointer(start: nodes, count: count)),
                            locations: UnsafeBufferPointer(start: locations, count: count).map { Coordinate($0) },
                            tags: Tags(tags, tagCount)))
                }
            }
        }
        if relation != nil {
            face.relation = { context, id, members, count, tags, tagCount in
                Sink.from(context).guarded { sink in
                    let list = UnsafeBufferPointer(start: members, count: count).compactMap { member in
                        OSMType(rawValue: member.type).map {
                            OSMRelation.Member(id: OSMID($0, member.id), role: String(cString: member.role))
                        }
                    }
                    try sink.relation?(OSMRelation(id: id, members: list, tags: Tags(tags, tagCount)))
                }
            }
        }
        if area != nil {
            face.area = { context, id, fromWay, points, sizes, areOuter, ringCount, tags, tagCount in
                Sink.from(context).guarded { sink in
                    guard let points, let sizes, let areOuter else { return }
                    var polygons: [OSMArea.Polygon] = []
                    var start = 0
                    for ring in 0..<ringCount {
                        let end = start + Int(sizes[ring])
                        let places = (start..<end).compactMap { Coordinate(points[$0]) }
                        start = end
                        if areOuter[ring] != 0 {
                            polygons.append(OSMArea.Polygon(outer: places, inner: []))
                        } else if !polygons.isEmpty {
                            polygons[polygons.count - 1].inner.append(places)
                        }
                    }
                    try sink.area?(
                        OSMArea(
                            id: OSMID(fromWay != 0 ? .way : .relation, id), polygons: polygons,
                            tags: Tags(tags, tagCount)))
                }
            }
        }
        if progress != nil {
            face.progress = { context, done, total in
                Sink.from(context).guarded { sink in try sink.progress?(done, total) }
            }
        }
        return face
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Sink? {
        context.map { Unmanaged<Sink>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func run(_ body: (Sink) throws -> Void) -> Int32 {
        do {
            try body(self)
            return 0
        } catch {
            failure = error
            return 1
        }
    }
}

extension Optional where Wrapped == Sink {
    /// Runs the body and tells libosmium whether to go on (0) or to stop (1).
    fileprivate func guarded(_ body: (Sink) throws -> Void) -> Int32 {
        self?.run(body) ?? 1
    }
}

extension Coordinate {
    fileprivate init?(_ location: sx_osm_location) {
        guard location.x != Int32.max else { return nil }
        self.init(latitude: Double(location.y) / 1e7, longitude: Double(location.x) / 1e7)
    }
}

extension Tags {
    fileprivate init(_ tags: UnsafePointer<sx_osm_tag>?, _ count: Int) {
        self.init(
            UnsafeBufferPointer(start: tags, count: count).map {
                Pair(key: String(cString: $0.key), value: String(cString: $0.value))
            })
    }
}
