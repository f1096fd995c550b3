import Foundation
import Geometry
import HTTPServer
import OpenStreetMap
import Routing
import Sextant
import Testing

/// Two streets that cross, on a grid of a thousandth of a degree:
///
///         4
///         |  Cross Street
///     1 - 2 - 3  Main Street (B 1)
private struct CrossTown {
    let router: Router

    init() throws {
        var builder = RoadGraphBuilder()
        let places: [Int64: Coordinate] = [
            1: Coordinate(latitude: 47.1, longitude: 9.5), 2: Coordinate(latitude: 47.1, longitude: 9.501),
            3: Coordinate(latitude: 47.1, longitude: 9.502), 4: Coordinate(latitude: 47.101, longitude: 9.501),
        ]
        func add(_ id: Int64, _ nodes: [Int64], _ tags: Tags) {
            builder.add(
                OSMWay(id: id, nodes: nodes, locations: nodes.map { places[$0] }, tags: tags), rules: .unknown)
        }
        add(10, [1, 2, 3], ["highway": "primary", "name": "Main Street", "ref": "B 1"])
        add(11, [2, 4], ["highway": "residential", "name": "Cross \"Street\"", "oneway": "yes"])
        router = Router(graph: try builder.finish(atlasID: [UInt8](repeating: 1, count: 16)))
    }

    func ask(_ path: String, _ query: [(name: String, value: String)] = []) -> HTTPResponse {
        OSRMDialect(router: router).respond(to: HTTPRequest(path: path, query: query))
    }

    func json(_ path: String, _ query: [(name: String, value: String)] = []) throws -> [String: Any] {
        let response = ask(path, query)
        return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }
}

private let turn = "/route/v1/driving/9.5,47.1;9.501,47.101"

struct OSRMRouteTests {
    @Test func aRouteHasTheShapeOfOSRMsAnswers() throws {
        let body = try CrossTown().json(turn, [("steps", "true"), ("generate_hints", "false")])
        #expect(Set(body.keys) == ["code", "routes", "waypoints"])
        #expect(body["code"] as? String == "Ok")
        let routes = try #require(body["routes"] as? [[String: Any]])
        #expect(routes.count == 1)
        #expect(Set(routes[0].keys) == ["geometry", "legs", "weight_name", "weight", "duration", "distance"])
        let leg = try #require((routes[0]["legs"] as? [[String: Any]])?.first)
        #expect(Set(leg.keys) == ["steps", "weight", "duration", "distance", "summary"])
        #expect(leg["summary"] as? String == "Main Street, Cross \"Street\"")
        let steps = try #require(leg["steps"] as? [[String: Any]])
        #expect(steps.map { $0["name"] as? String } == ["Main Street", "Cross \"Street\"", "Cross \"Street\""])
        #expect(steps.map { $0["ref"] as? String } == ["B 1", nil, nil])
        for step in steps {
            #expect(
                Set(step.keys).subtracting(["ref"]) == [
                    "intersections", "driving_side", "geometry", "maneuver", "name", "mode", "weight", "duration",
                    "distance",
                ])
        }
        let manoeuvre = try #require(steps[1]["maneuver"] as? [String: Any])
        #expect(manoeuvre["type"] as? String == "turn" && manoeuvre["modifier"] as? String == "left")
        #expect(manoeuvre["bearing_before"] as? Int == 90 && manoeuvre["bearing_after"] as? Int == 0)
        #expect(manoeuvre["location"] as? [Double] == [9.501, 47.1])
        let crossing = try #require((steps[1]["intersections"] as? [[String: Any]])?.first)
        #expect(crossing["bearings"] as? [Int] == [0, 90, 270])
        #expect(crossing["entry"] as? [Bool] == [true, true, false])
        #expect(crossing["in"] as? Int == 2 && crossing["out"] as? Int == 0)
        let waypoints = try #require(body["waypoints"] as? [[String: Any]])
        #expect(waypoints.count == 2 && Set(waypoints[0].keys) == ["distance", "name", "location"])
    }

    @Test func withoutStepsThereIsNoSummary() throws {
        let body = try CrossTown().json(turn, [("overview", "false")])
        let route = try #require((body["routes"] as? [[String: Any]])?.first)
        #expect(route["geometry"] == nil)
        let leg = try #require((route["legs"] as? [[String: Any]])?.first)
        #expect((leg["steps"] as? [Any])?.isEmpty == true && leg["summary"] as? String == "")
    }

    @Test func theThreeGeometriesAreOneLine() throws {
        let town = try CrossTown()
        func geometry(_ kind: String) throws -> Any? {
            let body = try town.json(turn, [("overview", "full"), ("geometries", kind)])
            return (body["routes"] as? [[String: Any]])?.first?["geometry"]
        }
        let line = [[9.5, 47.1], [9.501, 47.1], [9.501, 47.101]]
        #expect((try geometry("geojson") as? [String: Any])?["coordinates"] as? [[Double]] == line)
        let five = Polyline.decode(try #require(try geometry("polyline") as? String))
        let six = Polyline.decode(try #require(try geometry("polyline6") as? String), precision: .six)
        #expect(five?.map { [$0.longitude, $0.latitude] } == line)
        #expect(six?.map { [$0.longitude, $0.latitude] } == line)
    }

    @Test func alternativesComeAfterTheBestRoute() throws {
        // Two ways of about the same length from node 1 to node 4.
        var builder = RoadGraphBuilder()
        let places: [Int64: Coordinate] = [
            1: Coordinate(latitude: 47.1, longitude: 9.5), 2: Coordinate(latitude: 47.101, longitude: 9.51),
            3: Coordinate(latitude: 47.0985, longitude: 9.51), 4: Coordinate(latitude: 47.1, longitude: 9.52),
        ]
        for (id, nodes) in [(10, [1, 2, 4]), (11, [1, 3, 4])] as [(Int64, [Int64])] {
            let tags: Tags = ["highway": "primary", "name": id == 10 ? "North" : "South"]
            builder.add(OSMWay(id: id, nodes: nodes, locations: nodes.map { places[$0] }, tags: tags), rules: .unknown)
        }
        let dialect = OSRMDialect(router: Router(graph: try builder.finish(atlasID: [UInt8](repeating: 2, count: 16))))
        func summaries(_ value: String?) throws -> [String] {
            let query = [(name: "steps", value: "true")] + (value.map { [("alternatives", $0)] } ?? [])
            let path = "/route/v1/car/9.5,47.1;9.52,47.1"
            let response = dialect.respond(to: HTTPRequest(path: path, query: query))
            let body = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
            #expect((body?["waypoints"] as? [Any])?.count == 2)
            let routes = body?["routes"] as? [[String: Any]] ?? []
            return routes.compactMap { ($0["legs"] as? [[String: Any]])?.first?["summary"] as? String }
        }
        for value in ["true", "1", "3"] { #expect(try summaries(value) == ["North", "South"], "\(value)") }
        for value in ["false", "0", nil] { #expect(try summaries(value) == ["North"]) }
    }

    @Test func polylinesAreOSRMsToTheByte() throws {
        // OSRM rounds to millionths first: 47.1000045 becomes 47.100005 and then 47.10001; so does 9.5000046.
        var builder = RoadGraphBuilder()
        let line = [
            Coordinate(latitude: 47.1000046, longitude: 9.5), Coordinate(latitude: 47.1, longitude: 9.5010046),
            Coordinate(latitude: -0.0000046, longitude: 9.5020054),
        ]
        builder.add(
            OSMWay(id: 1, nodes: [1, 2, 3], locations: line, tags: ["highway": "primary"]), rules: .unknown)
        let dialect = OSRMDialect(router: Router(graph: try builder.finish(atlasID: [UInt8](repeating: 3, count: 16))))
        func geometry(_ kind: String) throws -> String? {
            let path = "/route/v1/car/9.5,47.1000046;9.5020054,-0.0000046"
            let query = [("geometries", kind), ("overview", "full")]
            let body = try JSONSerialization.jsonObject(
                with: Data(dialect.respond(to: HTTPRequest(path: path, query: query)).body))
            return ((body as? [String: Any])?["routes"] as? [[String: Any]])?.first?["geometry"] as? String
        }
        func slowly(_ steps: [(Int, Int)]) -> String {
            var text = ""
            var last = (0, 0)
            for step in steps {
                for difference in [step.0 - last.0, step.1 - last.1] {
                    var bits = String(difference < 0 ? -2 * difference - 1 : 2 * difference, radix: 2)
                    while bits.count % 5 != 0 { bits = "0" + bits }
                    while !bits.isEmpty {
                        let group = Int(bits.suffix(5), radix: 2) ?? 0
                        bits.removeLast(5)
                        text.unicodeScalars.append(Unicode.Scalar(UInt8(group + (bits.isEmpty ? 0 : 32) + 63)))
                    }
                }
                last = step
            }
            return text
        }
        #expect(
            try geometry("polyline6")
                == slowly([(47_100_005, 9_500_000), (47_100_000, 9_501_005), (-5, 9_502_005)]))
        #expect(try geometry("polyline") == slowly([(4_710_001, 950_000), (4_710_000, 950_101), (-1, 950_201)]))
    }

    @Test func eachProfileNamesItsWeight() throws {
        let town = try CrossTown()
        for (profile, name) in [("car", "routability"), ("bike", "cyclability"), ("foot", "duration")] {
            let body = try town.json("/route/v1/\(profile)/9.5,47.1;9.501,47.101")
            #expect((body["routes"] as? [[String: Any]])?.first?["weight_name"] as? String == name)
        }
    }

    @Test func annotationsComeForEachPieceOfTheWay() throws {
        let town = try CrossTown()
        let all = try town.json(turn, [("annotations", "true")])
        let legs = (all["routes"] as? [[String: Any]])?.first?["legs"] as? [[String: Any]]
        let annotation = try #require(legs?.first?["annotation"] as? [String: Any])
        #expect(annotation["nodes"] as? [Int] == [1, 2, 4])
        for name in ["distance", "duration", "weight", "speed", "datasources"] {
            #expect((annotation[name] as? [Double])?.count == 2, "\(name)")
        }
        let some = try town.json(turn, [("annotations", "nodes,speed")])
        let few = ((some["routes"] as? [[String: Any]])?.first?["legs"] as? [[String: Any]])?.first?["annotation"]
        #expect(Set((few as? [String: Any] ?? [:]).keys) == ["nodes", "speed"])
    }

    @Test func coordinatesMayBeAPolylineAndTheFormatMayBeNamed() throws {
        let town = try CrossTown()
        let line = [Coordinate(latitude: 47.1, longitude: 9.5), Coordinate(latitude: 47.101, longitude: 9.501)]
        let plain = town.ask(turn).body
        #expect(town.ask(turn + ".json").body == plain)
        #expect(town.ask("/route/v1/car/polyline(\(Polyline.encode(line)))").body == plain)
        #expect(town.ask("/route/v1/car/polyline6(\(Polyline.encode(line, precision: .six)))").body == plain)
    }

    @Test func coordinatesThatAreNoWaypointsDoNotEndALeg() throws {
        let town = try CrossTown()
        let path = "/route/v1/car/9.5,47.1;9.5005,47.1;9.501,47.101"
        let both = try town.json(path, [("steps", "true")])
        let one = try town.json(path, [("steps", "true"), ("waypoints", "0;2")])
        func legs(_ body: [String: Any]) -> [[String: Any]] {
            (body["routes"] as? [[String: Any]])?.first?["legs"] as? [[String: Any]] ?? []
        }
        #expect(legs(both).count == 2 && legs(one).count == 1)
        #expect((one["waypoints"] as? [Any])?.count == 2)
        let steps = try #require(legs(one).first?["steps"] as? [[String: Any]])
        #expect(steps.map { ($0["maneuver"] as? [String: Any])?["type"] as? String } == ["depart", "turn", "arrive"])
        let skipped = try town.json(path, [("skip_waypoints", "true")])
        #expect(skipped["waypoints"] == nil)
    }

    /// A ferry, a motorway and a street, side by side, the street farthest from the point.
    @Test func nearestHeedsWhatIsExcludedAndWhereOneMayBegin() throws {
        var builder = RoadGraphBuilder()
        for (id, latitude, tags) in [
            (1, 47.1001, ["route": "ferry"]), (2, 47.1002, ["highway": "motorway", "oneway": "no"]),
            (3, 47.1003, ["highway": "residential"]),
        ] as [(Int64, Double, Tags)] {
            builder.add(
                OSMWay(
                    id: id, nodes: [10 * id, 10 * id + 1],
                    locations: [
                        Coordinate(latitude: latitude, longitude: 9.5), Coordinate(latitude: latitude, longitude: 9.51),
                    ], tags: tags), rules: .unknown)
        }
        let dialect = OSRMDialect(router: Router(graph: try builder.finish(atlasID: [UInt8](repeating: 4, count: 16))))
        func first(_ query: [(name: String, value: String)]) throws -> [Int]? {
            let response = dialect.respond(to: HTTPRequest(path: "/nearest/v1/car/9.505,47.1", query: query))
            let body = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
            return ((body?["waypoints"] as? [[String: Any]])?.first?["nodes"] as? [Int])?.sorted()
        }
        #expect(try first([]) == [20, 21])
        #expect(try first([("exclude", "motorway")]) == [30, 31])
        #expect(try first([("snapping", "any")]) == [10, 11])
        #expect(try first([("snapping", "any"), ("exclude", "ferry,motorway")]) == [30, 31])
        #expect(try first([("generate_hints", "false"), ("approaches", "curb"), ("bearings", "90,10")]) == [20, 21])
        #expect(try first([("bearings", "0,10")]) == nil)
    }

    /// Cross Street is one-way northwards: nobody gets from its end to Main Street.
    @Test func whereThereIsNoRouteAFieldOfOurOwnTellsWhy() throws {
        let body = try CrossTown().json("/route/v1/car/9.501,47.101;9.5,47.1")
        #expect(body["code"] as? String == "NoRoute" && body["message"] as? String == "Impossible route between points")
        let obstacle = try #require(body["obstacle"] as? [String: Any])
        let hindrance = try #require((obstacle["hindrances"] as? [[String: Any]])?.first)
        #expect(hindrance["kind"] as? String == "oneway" && hindrance["osm"] as? String == "W11")
        #expect(hindrance["allow"] as? String == "drive against the one-way street (way 11)")
        #expect(obstacle["reachable"] as? [Double] == [9.501, 47.101])
        #expect((obstacle["distanceLeft"] as? Double).map { (130...140).contains($0) } == true)
    }

    @Test func nearestGivesTheRoadOfAPlace() throws {
        let body = try CrossTown().json("/nearest/v1/car/9.5004,47.1001", [("number", "1")])
        let place = try #require((body["waypoints"] as? [[String: Any]])?.first)
        #expect(place["name"] as? String == "Main Street")
        #expect(place["location"] as? [Double] == [9.5004, 47.1])
        #expect(Set(place["nodes"] as? [Int] ?? []) == [1, 2])
        let two = try CrossTown().json("/nearest/v1/car/9.5004,47.1001", [("number", "5")])
        #expect((two["waypoints"] as? [Any])?.count ?? 0 >= 2)
    }
}

struct OSRMErrorTests {
    @Test(
        arguments: [
            ("/route/v1/car", [], "InvalidUrl"),
            ("/route/v1/car/9.5,47.1;x,1", [], "InvalidUrl"),
            ("/route/v1/car/9.5,47.1;inf,1", [], "InvalidUrl"),
            ("/route/v1/rocket/9.5,47.1;9.501,47.1", [], "InvalidUrl"),
            ("/route/v2/car/9.5,47.1;9.501,47.1", [], "InvalidVersion"),
            ("/fly/v1/car/9.5,47.1;9.501,47.1", [], "InvalidService"),
            ("/route/v1/car/9.5,97.1;9.501,47.1", [], "InvalidValue"),
            ("/route/v1/car/9.5,47.1", [], "InvalidOptions"),
            (turn, [("overview", "big")], "InvalidQuery"),
            (turn, [("colour", "red")], "InvalidQuery"),
            (turn, [("steps", "yes")], "InvalidQuery"),
            (turn, [("bearings", "90,10")], "InvalidOptions"),
            (turn, [("bearings", "400,10;")], "InvalidOptions"),
            (turn, [("radiuses", "1;2;3")], "InvalidOptions"),
            (turn, [("radiuses", "-1;")], "InvalidQuery"),
            (turn, [("approaches", "curb;sky")], "InvalidQuery"),
            (turn, [("waypoints", "0;0")], "InvalidValue"),
            (turn, [("waypoints", "0;2")], "InvalidOptions"),
            (turn, [("waypoints", "0;-1")], "InvalidQuery"),
            (turn, [("waypoints", "1;0")], "InvalidValue"),
            (turn, [("hints", "a;b;c")], "InvalidOptions"),
            (turn, [("hints", "a;b")], "Ok"),
            (turn, [("hints", ";")], "Ok"),
            (turn, [("format", "json")], "Ok"),
            (turn, [("format", "flatbuffers")], "NotImplemented"),
            (turn + ".flatbuffers", [], "NotImplemented"),
            (turn + ".xml", [], "InvalidUrl"),
            ("/table/v1/car/9.5,47.1;9.501,47.1", [], "NotImplemented"),
            ("/match/v1/car/9.5,47.1;9.501,47.1", [], "NotImplemented"),
            ("/trip/v1/car/9.5,47.1;9.501,47.1", [], "NotImplemented"),
            (turn, [("alternatives", "2")], "Ok"),
            (turn, [("alternatives", "4")], "TooBig"),
            (turn, [("alternatives", "99999999999999999999999999")], "TooBig"),
            (turn, [("alternatives", "-1")], "InvalidQuery"),
            (turn, [("alternatives", "maybe")], "InvalidQuery"),
            (turn, [("annotations", "nodes,colour")], "InvalidQuery"),
            (turn, [("geometries", "wkt")], "InvalidQuery"),
            (turn, [("continue_straight", "default")], "Ok"),
            (turn, [("continue_straight", "perhaps")], "InvalidQuery"),
            (turn, [("snapping", "far")], "InvalidQuery"),
            (turn, [("generate_hints", "1")], "InvalidQuery"),
            (turn, [("skip_waypoints", "")], "InvalidQuery"),
            (turn, [("bearings", "90;90")], "InvalidQuery"),
            (turn, [("bearings", "nan,10;")], "InvalidQuery"),
            (turn, [("bearings", "90,181;")], "InvalidOptions"),
            (turn, [("bearings", "90,10;")], "Ok"),
            (turn, [("radiuses", "nan;1")], "InvalidQuery"),
            (turn, [("radiuses", "1e999;1")], "InvalidQuery"),
            (turn, [("radiuses", "unlimited;")], "Ok"),
            (turn, [("approaches", "curb;unrestricted")], "Ok"),
            (turn, [("approaches", "curb")], "InvalidOptions"),
            ("/nearest/v1/car/9.5,47.1;9.501,47.1", [], "InvalidOptions"),
            ("/nearest/v1/car/9.5,47.1", [("number", "0")], "InvalidOptions"),
            ("/nearest/v1/car/9.5,47.1", [("number", "101")], "TooBig"),
            ("/nearest/v1/car/9.5,47.1", [("number", "99999999999999999999")], "TooBig"),
            ("/nearest/v1/car/9.5,47.1", [("number", "-1")], "InvalidQuery"),
            ("/nearest/v1/car/9.5,47.1", [("number", "2.5")], "InvalidQuery"),
            ("/nearest/v1/car/9.5,47.2", [("radiuses", "10")], "NoSegment"),
            ("/route/v1/car/1e400,47.1;9.501,47.1", [], "InvalidValue"),
            ("/route/v1/car/9.5,47.1;" + String(repeating: "9", count: 5000) + ",47", [], "InvalidUrl"),
            ("/route/v1/car/181,47.1;9.501,47.1", [], "InvalidValue"),
            ("/route/v1/car/;;;", [], "InvalidUrl"),
            ("/route/v1/car/9.5,47.1,3;9.501,47.1", [], "InvalidUrl"),
            ("/route/v1/car/polyline(", [], "InvalidUrl"),
            ("/route/v1/car/polyline(~~~~~~~~~~~~~~)", [], "InvalidUrl"),
            ("/route/v1//9.5,47.1;9.501,47.1", [], "InvalidUrl"),
            (turn, [("exclude", "cobbles")], "InvalidValue"),
            (turn, [("radiuses", "0;1")], "Ok"),
            ("/route/v1/car/9.51,47.11;9.501,47.101", [("radiuses", "10;10")], "NoSegment"),
            ("/route/v1/car/9.501,47.101;9.5,47.1", [], "NoRoute"),
        ] as [(String, [(name: String, value: String)], String)])
    func whatCannotBeAnsweredHasOSRMsCode(path: String, query: [(name: String, value: String)], code: String) throws {
        let town = try CrossTown()
        let response = town.ask(path, query)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
        #expect(body["code"] as? String == code, "\(path) \(query)")
        #expect(response.status == (code == "Ok" ? 200 : 400))
        #expect((body["message"] as? String)?.isEmpty == (code == "Ok" ? nil : false))
    }

    @Test func anErrorsBodyIsACodeAndAMessage() throws {
        let town = try CrossTown()
        func text(_ path: String, _ query: [(name: String, value: String)] = []) -> String {
            String(decoding: town.ask(path, query).body, as: UTF8.self)
        }
        #expect(text("/fly/v1/car/9.5,47.1;9.6,47") == #"{"code":"InvalidService","message":"Service fly not found!"}"#)
        #expect(
            text("/route/v1/car/9.501,47.101;9.5,47.1")
                .hasPrefix(#"{"code":"NoRoute","message":"Impossible route between points","obstacle":{"reason":""#))
        #expect(
            text("/route/v1/car/9.51,47.11;9.501,47.101", [("radiuses", "10;10")])
                == #"{"code":"NoSegment","message":"Could not find a matching segment for coordinate 0","#
                + #""obstacle":{"reason":"no road within 10 m of stop 1 at 47.11,9.51"}}"#)
        #expect(
            text("/route/v1/car/9.5,97.1;9.501,47.1")
                == #"{"code":"InvalidValue","message":"Invalid coordinate value."}"#)
        #expect(
            text(turn, [("alternatives", "9")])
                == #"{"code":"TooBig","message":"Requested number of alternatives is higher than current maximum (3)"}"#
        )
    }

    @Test func theDialectKnowsItsPaths() {
        for path in ["/route/v1/x", "/nearest/", "/table/v1", "/match/x", "/trip/x", "/tile/x"] {
            #expect(OSRMDialect.serves(path: path), "\(path)")
        }
        for path in ["/", "", "/route", "/routes/v1", "route/v1", "/search", "/reverse/x", "//route/v1"] {
            #expect(!OSRMDialect.serves(path: path), "\(path)")
        }
    }

    @Test func escapedTargetsAreReadLikePlainOnes() throws {
        let town = try CrossTown()
        let plain = town.ask(turn, [("bearings", "90,10;")]).body
        let target = "/route/v1/driving/9.5%2C47.1%3B9.501%2c47.101?bearings=90%2C10%3B"
        let read = try RequestTarget.read(target).get()
        #expect(town.ask(read.path, read.query).body == plain)
        for broken in ["/route/v1/car/9.5,47.1%", "/route/v1/car/%zz", "/route/v1/car/%E2%28%A1;1,1", "/route/%2F%2F"] {
            let read = try RequestTarget.read(broken).get()
            #expect(town.ask(read.path, read.query).status == 400, "\(broken)")
        }
    }

    @Test func tooManyCoordinatesAreRefused() throws {
        let path = "/route/v1/car/" + [String](repeating: "9.5,47.1", count: 501).joined(separator: ";")
        #expect(try CrossTown().json(path)["code"] as? String == "TooBig")
    }

    @Test func hostileRequestsGetAnAnswer() throws {
        let town = try CrossTown()
        var state: UInt64 = 20_26
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "/", "route", "nearest", "v1", "car", "9.5", ",", ";", "47.1", ".json", "polyline(", "polyline6(", ")", "é",
            "\0", "1e308", "-", "~~~~~~~", "_p~iF", "\"", "9999999999999999999999", "true", "0;1", "90,10", "nan",
        ]
        let names = [
            "steps", "overview", "geometries", "annotations", "bearings", "radiuses", "approaches", "waypoints",
            "number", "exclude", "hints", "continue_straight", "alternatives", "snapping",
        ]
        for _ in 0..<3000 {
            let path = "/" + (0..<next(12)).map { _ in pieces[next(pieces.count)] }.joined()
            let usesTurn = next(2) == 0
            let query = (0..<next(4)).map { _ in
                (name: names[next(names.count)], value: (0..<next(4)).map { _ in pieces[next(pieces.count)] }.joined())
            }
            let response = town.ask(usesTurn ? turn : path, query)
            #expect([200, 400].contains(response.status))
            #expect((try? JSONSerialization.jsonObject(with: Data(response.body))) != nil, "\(path) \(query)")
        }
    }
}

struct JSONWriterTests {
    @Test func commasAndEscapesAreRight() {
        var json = JSONWriter()
        json.object {
            $0.member("text", "a\"b\\c\n\u{1}é")
            $0.key("list")
            $0.array {
                $0.integer(1)
                $0.bool(true)
                $0.null()
                $0.object { _ in }
                $0.array { _ in }
            }
            $0.member("nothing", nil as String?)
        }
        #expect(json.text == #"{"text":"a\"b\\c\n\u0001é","list":[1,true,null,{},[]],"nothing":null}"#)
    }

    @Test func numbersAreRoundedWithoutTrailingZeros() {
        var json = JSONWriter()
        json.array {
            $0.number(7.419080, decimals: 6)
            $0.number(-0.00001, decimals: 4)
            $0.number(12.35, decimals: 0)
            $0.number(-12.25, decimals: 1)
            $0.number(100)
            $0.number(.nan)
            $0.number(.infinity, decimals: 2)
            $0.number(1e300, decimals: 2)
        }
        #expect(json.text == "[7.41908,0,12,-12.3,100,null,null,1e+300]")
    }

    @Test func roundedNumbersReadBackAsTheyWere() throws {
        var state: UInt64 = 7
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = (Double(Int64(bitPattern: state) >> 20) / 1e6)
            var json = JSONWriter()
            json.number(value, decimals: 6)
            #expect(abs(try #require(Double(json.text)) - value) <= 0.5000001e-6)
        }
    }
}
