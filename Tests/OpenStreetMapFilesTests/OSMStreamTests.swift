import Geometry
import OpenStreetMap
import OpenStreetMapFiles
import Testing

private func xml(_ body: String) -> OSMInput {
    .memory(Array("<?xml version='1.0'?><osm version='0.6'>\(body)</osm>".utf8), format: "osm")
}

private let square = """
    <node id="1" lat="0" lon="0"/><node id="2" lat="0" lon="1"/><node id="3" lat="1" lon="1"/>
    <node id="4" lat="1" lon="0"><tag k="name" v="corner"/></node>
    <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way>
    <way id="2"><nd ref="3"/><nd ref="4"/><nd ref="1"/><tag k="highway" v="service"/></way>
    <relation id="1"><member type="way" ref="1" role="outer"/><member type="way" ref="2" role="outer"/>
    <tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
    """

private struct Heard {
    var nodes: [OSMNode] = []
    var ways: [OSMWay] = []
    var areas: [OSMArea] = []
}

private func hear(_ inputs: OSMInput..., areaKeys: [String] = ["natural", "building"]) throws -> (
    Heard, OSMStreamReport
) {
    var heard = Heard()
    let report = try OSMStream(inputs).objects(
        areaKeys: areaKeys, node: { heard.nodes.append($0) }, way: { heard.ways.append($0) },
        area: { heard.areas.append($0) })
    return (heard, report)
}

@Test func onlyTaggedNodesComeAndWaysBringTheirPlaces() throws {
    let (heard, report) = try hear(xml(square))
    #expect(heard.nodes.map(\.id) == [4])
    #expect(heard.ways.map(\.id) == [1, 2])
    #expect(
        heard.ways[1].locations == [
            Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 1, longitude: 0),
            Coordinate(latitude: 0, longitude: 0),
        ])
    #expect(report.nodes == 4)
    #expect(report.ways == 2)
}

@Test func aMultipolygonIsAssembledFromItsWays() throws {
    let (heard, _) = try hear(xml(square))
    #expect(heard.areas.count == 1)
    #expect(heard.areas.first?.id == OSMID(.relation, 1))
    #expect(heard.areas.first?.polygons.first?.outer.count == 5)
}

@Test func aRingThatDoesNotCloseIsCountedAndLeftOut() throws {
    let open = square.replacing("<nd ref=\"4\"/><nd ref=\"1\"/>", with: "<nd ref=\"4\"/>")
    let (heard, report) = try hear(xml(open))
    #expect(heard.areas.isEmpty)
    #expect(report.brokenAreas == 1)
}

@Test func aMissingNodeLeavesAGapInTheWay() throws {
    let (heard, report) = try hear(xml("<node id='1' lat='0' lon='0'/><way id='1'><nd ref='1'/><nd ref='9'/></way>"))
    #expect(heard.ways[0].locations == [Coordinate(latitude: 0, longitude: 0), nil])
    #expect(report.waysWithoutNode == 1)
    #expect(report.missingNodes == 1)
}

@Test func anObjectInTwoFilesComesOnceInItsNewestVersion() throws {
    let old = xml("<node id='1' version='1' lat='0' lon='0'><tag k='name' v='old'/></node>")
    let new = xml(
        "<node id='1' version='2' lat='0' lon='0'><tag k='name' v='new'/></node><node id='2' version='1' lat='1' lon='1'/>"
    )
    for inputs in [[old, new], [new, old]] {
        var names: [String?] = []
        let report = try OSMStream(inputs).objects(areaKeys: [], node: { names.append($0.tags["name"]) })
        #expect(names == ["new"])
        #expect(report.duplicates == 1)
    }
}

@Test func aFileInDisorderIsSortedFirst() throws {
    let (heard, report) = try hear(
        xml(
            """
            <way id="7"><nd ref="2"/><nd ref="1"/><tag k="highway" v="path"/></way>
            <node id="2" lat="0" lon="1"/><node id="1" lat="0" lon="0"/>
            """))
    #expect(report.sortedInMemory == 1)
    #expect(heard.ways.first?.locations.compactMap { $0 }.count == 2)
}

@Test func negativeNumbersOfUnsavedObjectsAreFine() throws {
    let (heard, _) = try hear(
        xml(
            "<node id='-1' lat='0' lon='0'/><node id='-2' lat='0' lon='1'/><way id='-1'><nd ref='-1'/><nd ref='-2'/></way>"
        ))
    #expect(heard.ways.first?.locations.compactMap { $0 }.count == 2)
}

@Test func hostileBytesGiveAnErrorThatNamesTheInput() {
    for bytes in ["", "<osm", "<osm version='0.6'><node id='x'/></osm>", "\u{0}\u{0}\u{0}\u{7f}"] {
        #expect(throws: OSMFileError.self) {
            try OSMStream([.memory(Array(bytes.utf8), format: "osm")]).objects(areaKeys: [])
        }
    }
    let random = (0..<500).map { _ in UInt8.random(in: 0...255) }
    #expect(throws: OSMFileError.self) { try OSMStream([.memory(random, format: "pbf")]).objects(areaKeys: []) }
}

@Test func aFileThatIsNotThereIsNamed() {
    do {
        try OSMStream([.file("/nowhere/at/all.osm.pbf")]).relations { _ in }
        Issue.record("reading nothing must fail")
    } catch let error as OSMFileError {
        guard case .noSuchFile(let message) = error else {
            Issue.record("wrong error: \(error)")
            return
        }
        #expect(message.contains("/nowhere/at/all.osm.pbf"))
    } catch {
        Issue.record("wrong error: \(error)")
    }
}

@Test func anErrorThrownInsideACallbackEndsTheReadingAndComesOut() {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
        try OSMStream([xml(square)]).objects(areaKeys: [], way: { _ in throw Enough() })
    }
}
