import AtlasFiles
import Foundation
import Gazetteer
import Geometry
import Importing
import OpenStreetMap
import OpenStreetMapFiles
import Routing
import Sextant
import Testing

/// A folder of its own for one test, removed at the end.
final class Room: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/sextant-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A small town in Liechtenstein: two streets that cross, houses, a restaurant, an outline.
let village = """
    <osm version="0.6">
    <node id="1" lat="47.1400" lon="9.5200"/><node id="2" lat="47.1400" lon="9.5220"/><node id="3" lat="47.1400" lon="9.5240"/>
    <node id="4" lat="47.1420" lon="9.5220"/><node id="5" lat="47.1380" lon="9.5220"/>
    <node id="11" lat="47.1401" lon="9.5204"><tag k="addr:housenumber" v="2"/><tag k="addr:street" v="Hauptstrasse"/></node>
    <node id="12" lat="47.1401" lon="9.5208"><tag k="addr:housenumber" v="8"/><tag k="addr:street" v="Hauptstrasse"/></node>
    <node id="13" lat="47.1402" lon="9.5230"><tag k="amenity" v="restaurant"/><tag k="name" v="Adler"/>
      <tag k="phone" v="+423 123"/><tag k="cuisine" v="pizza"/></node>
    <node id="14" lat="47.1405" lon="9.5225"><tag k="place" v="village"/><tag k="name" v="Oberdorf"/></node>
    <node id="21" lat="47.1300" lon="9.5100"/><node id="22" lat="47.1300" lon="9.5340"/><node id="23" lat="47.1500" lon="9.5340"/>
    <node id="24" lat="47.1500" lon="9.5100"/>
    <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/><tag k="name" v="Hauptstrasse"/></way>
    <way id="2"><nd ref="4"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="residential"/><tag k="name" v="Landweg"/></way>
    <way id="3"><nd ref="11"/><nd ref="12"/><tag k="addr:interpolation" v="even"/></way>
    <way id="4"><nd ref="21"/><nd ref="22"/><nd ref="23"/><nd ref="24"/><nd ref="21"/></way>
    <relation id="1"><member type="way" ref="4" role="outer"/><tag k="type" v="boundary"/><tag k="boundary" v="administrative"/>
      <tag k="admin_level" v="8"/><tag k="name" v="Oberdorf"/></relation>
    </osm>
    """

func importVillage(into room: Room, named name: String = "Village.atlas") throws -> String {
    let path = room.path + "/" + name
    _ = try AtlasImporter().run([.memory(Array(village.utf8), format: "osm")], to: path)
    return path
}

@Test func oneAtlasFindsSearchesReversesAndRoutes() throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)], verifying: true)

    let house = try #require(try atlas.geocode(GeocodeQuery("Hauptstr. 2, Oberdorf")).places.first)
    #expect(house.feature.osm == OSMID(.node, 11))
    #expect(house.address.houseNumber == "2")

    let between = try #require(try atlas.geocode(GeocodeQuery("Hauptstrasse 4 Oberdorf")).places.first)
    #expect(between.quality?.precision == .interpolated)
    #expect(between.coordinate.distance(to: Coordinate(latitude: 47.1401, longitude: 9.52053)) < 3)

    let here = try #require(try atlas.reverse(Coordinate(latitude: 47.14012, longitude: 9.52081)))
    #expect(here.address.street == "Hauptstrasse")
    #expect(here.address.houseNumber == "8")
    #expect(here.address.city == "Oberdorf")

    let middle = Coordinate(latitude: 47.14, longitude: 9.522)
    let food = try atlas.search(SearchQuery("restaurants", in: .circle(center: middle, metres: 200)))
    #expect(food.map(\.name) == ["Adler"])
    #expect(food.first?.phone == "+423 123")
    #expect(try atlas.search(SearchQuery("restaurants", in: .circle(center: middle, metres: 20))).isEmpty)

    let route = try atlas.route(
        RouteRequest(stops: [
            Stop(Coordinate(latitude: 47.14, longitude: 9.5203)), Stop(Coordinate(latitude: 47.1415, longitude: 9.522)),
        ]))
    #expect(route.legs.first?.steps.map(\.name).first == "Hauptstrasse")
    #expect(abs(route.distance - route.legs.flatMap(\.steps).reduce(0) { $0 + $1.distance }) < 0.01)
}

@Test func anAtlasMadeReadyAnswersAsBefore() throws {
    let room = try Room()
    let path = try importVillage(into: room)
    let cold = try Atlas.open([path]), warm = try Atlas.open([path])
    try warm.warmUp()
    for text in ["Hauptstr. 2, Oberdorf", "Hauptstrase 8", "Nirgendsweg 999, Oberdorf"] {
        let answers = try [cold, warm].map { try $0.geocode(GeocodeQuery(text)).places.map(\.title) }
        #expect(answers[0] == answers[1], "\(text)")
    }
}

@Test func aWrittenPositionIsLookedUpInReverse() throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)])
    let here = Coordinate(latitude: 47.14012, longitude: 9.52081)
    let code = OpenLocationCode(here, length: 11).description
    for text in [
        "47.14012, 9.52081", "47°08'24.4\"N 9°31'14.9\"E", "geo:47.14012,9.52081", code, code.lowercased(),
        "\(code.dropFirst(4)) Oberdorf", "\(code.dropFirst(4)), Oberdorf",
    ] {
        let place = try #require(try atlas.geocode(GeocodeQuery(text)).places.first, "\(text)")
        #expect(place.address.houseNumber == "8", "\(text)")
        #expect(place.quality?.precision == .house)
    }
    var near = GeocodeQuery(String(code.dropFirst(4)))
    #expect(try atlas.geocode(near).places.isEmpty)
    near.near = Coordinate(latitude: 47.2, longitude: 9.6)
    #expect(try atlas.geocode(near).places.first?.address.houseNumber == "8")
    #expect(try atlas.geocode(GeocodeQuery("147.14012, 9.52081")).places.isEmpty)
}

@Test func anUnknownStreetIsNamedAndItsTownIsOnlyANearMiss() throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)])
    let answer = try atlas.geocode(GeocodeQuery("Nirgendsweg 999, Oberdorf"))
    #expect(answer.places.isEmpty)
    #expect(answer.unmatchedToken?.lowercased().hasPrefix("nirgends") == true)
}

@Test func aTypingErrorIsPutRightAndExplained() throws {
    let room = try Room()
    let paths = [
        try importVillage(into: room), try importVillage(into: room, named: "Other.atlas"),
    ]
    let atlas = try Atlas.open(paths)
    var query = GeocodeQuery("Haputstrasse 2, Oberdrof")
    query.explains = true
    let answer = try atlas.geocode(query)
    let house = try #require(answer.places.first)
    #expect(house.feature.osm == OSMID(.node, 11))
    #expect(house.quality?.corrections.map(\.read) == ["Hauptstrasse", "Oberdorf"])
    #expect(answer.explanations.map(\.atlas) == atlas.parts.map(\.name))
    #expect(answer.explanations.first?.explanation.candidates.first?.name == "Hauptstrasse 2")
    // Both were asked as it is written; only the first had to put words right.
    #expect(answer.explanations.map { $0.explanation.effort.nodes > 0 } == [true, false])
}

@Test func anEndOutsideTheAtlasIsNamed() throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)])
    let inside = Stop(Coordinate(latitude: 47.14, longitude: 9.522))
    let far = Coordinate(latitude: 60.17, longitude: 24.94)
    #expect(throws: SextantError.outsideCoverage(stop: 1, of: 2, far)) {
        try atlas.route(RouteRequest(stops: [inside, Stop(far)]))
    }
    #expect(throws: SextantError.outsideCoverage(stop: 0, of: 2, far)) {
        try atlas.route(RouteRequest(stops: [Stop(far), inside]))
    }
}

@Test func filesOfTwoAtlasesMixedAreRefused() throws {
    let room = try Room()
    let first = try importVillage(into: room)
    let second = try importVillage(into: room, named: "Other.atlas")
    for file in ["gazetteer.sqlite", "roads.graph", "metrics/bicycle.metric"] {
        let mixed = room.path + "/Mixed-\(file.replacingOccurrences(of: "/", with: "-")).atlas"
        try FileManager.default.copyItem(atPath: first, toPath: mixed)
        try FileManager.default.removeItem(atPath: mixed + "/" + file)
        try FileManager.default.copyItem(atPath: second + "/" + file, toPath: mixed + "/" + file)
        #expect(throws: AtlasError.self) { try Atlas.open([mixed], verifying: true) }
        #expect(throws: AtlasError.self, "\(file) of another atlas") { try Atlas.open([mixed]) }
    }
}

@Test func manyTasksAskOneAtlasAtOnce() async throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)])
    try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<64 {
            group.addTask {
                switch index % 3 {
                case 0: return try atlas.geocode(GeocodeQuery("Hauptstrasse 2")).places.count
                case 1: return try atlas.reverse(Coordinate(latitude: 47.14, longitude: 9.521)) == nil ? 0 : 1
                default:
                    return try atlas.route(
                        RouteRequest(stops: [
                            Stop(Coordinate(latitude: 47.14, longitude: 9.5203)),
                            Stop(Coordinate(latitude: 47.1415, longitude: 9.522)),
                        ])
                    ).legs.count
                }
            }
        }
        for try await count in group { #expect(count == 1) }
    }
}

/// `SEXTANT_FLIPS` sets how many bytes are flipped; the acceptance flips 10,000.
@Test(.timeLimit(.minutes(30)))
func anyFlippedByteIsFoundAndNoneCrashesOrHangs() throws {
    let flips = ProcessInfo.processInfo.environment["SEXTANT_FLIPS"].flatMap { Int($0) } ?? 300
    let room = try Room()
    let path = try importVillage(into: room)
    let files = try AtlasFolder(path: path).manifest.files.keys.sorted() + [Manifest.fileName]
    #expect(files.contains("metrics/foot.metric"))
    for file in files {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + "/" + file)
    }
    let seed = UInt64.random(in: 1...UInt64(UInt32.max))
    print("flipped bytes: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var undetected: [String] = []
    for _ in 0..<flips {
        let file = path + "/" + files[Int.random(in: files.indices, using: &random)]
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        let size = try handle.seekToEnd()
        let offset = UInt64.random(in: 0..<size, using: &random)
        try handle.seek(toOffset: offset)
        let byte = try #require(try handle.read(upToCount: 1)?.first)
        let flipped = byte ^ (1 << UInt8.random(in: 0...7, using: &random))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data([flipped]))
        ask(path)
        if (try? AtlasFolder(path: path).verify()) != nil { undetected.append("\(file) \(offset)") }
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data([byte]))
        try handle.close()
    }
    #expect(undetected.isEmpty)
    try AtlasFolder(path: path).verify()
}

/// Asks everything of a possibly damaged atlas; errors are fine, crashes are not.
private func ask(_ path: String) {
    guard let atlas = try? Atlas.open([path]) else { return }
    _ = try? atlas.geocode(GeocodeQuery("Hauptstrasse 4, Oberdorf"))
    _ = try? atlas.geocode(GeocodeQuery("Landweg & Hauptstrasse"))
    _ = try? atlas.reverse(Coordinate(latitude: 47.14012, longitude: 9.52081))
    _ = try? atlas.search(
        SearchQuery("restaurants", in: .circle(center: Coordinate(latitude: 47.14, longitude: 9.522), metres: 500)))
    for profile in Profile.allCases {
        _ = try? atlas.route(
            RouteRequest(
                stops: [
                    Stop(Coordinate(latitude: 47.14, longitude: 9.5203)),
                    Stop(Coordinate(latitude: 47.1415, longitude: 9.522)),
                ], profile: profile))
    }
}

@Test func anAreaIsTakenByItsOwnNameAndNotForAWordInALongerOne() throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)])
    let area = try #require(try atlas.area(named: "oberdorf"))
    #expect(area.feature.osm == OSMID(.relation, 1))
    #expect(try atlas.search("restaurants", within: area).map(\.name) == ["Adler"])
    #expect(try atlas.area(named: "Adler") == nil)
}
