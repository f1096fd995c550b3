import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct MapMeaningTests {
    private func kinds(_ tags: Tags, _ form: MapMeaning.Form) -> [MapKind] {
        MapMeaning.all(of: tags, form: form).map(\.kind)
    }

    private static let ways: [(Tags, [MapKind])] = [
        (["highway": "motorway"], [MapKind.motorway]),
        (["highway": "motorway_link"], [.motorway]), (["highway": "residential"], [.street]),
        (["highway": "living_street"], [.livingStreet]), (["highway": "pedestrian"], [.pedestrian]),
        (["highway": "steps"], [.steps]), (["highway": "track"], [.track]), (["highway": "cycleway"], [.cycleway]),
        (["highway": "construction"], [.construction]), (["highway": "proposed"], []),
        (["highway": "corridor", "indoor": "yes"], []), (["railway": "rail"], [.rail]), (["railway": "tram"], [.tram]),
        (["railway": "subway"], [.subway]), (["railway": "abandoned"], []), (["route": "ferry"], [.ferry]),
        (["aerialway": "gondola"], [.aerialway]), (["aeroway": "runway"], [.runway]),
        (["waterway": "river"], [.river]), (["waterway": "ditch"], [.stream]), (["natural": "coastline"], [.coastline]),
        (["natural": "cliff"], [.cliff]), (["man_made": "pier"], [.pier]), (["barrier": "hedge"], [.hedge]),
        (["power": "line"], [.powerLine]), (["barrier": "gate"], []), (["note": "nothing"], []),
        // A road on a dam or on an embankment is both.
        (["highway": "track", "waterway": "dam"], [.track, .wall]),
    ]

    @Test(arguments: ways)
    func waysHaveTheirKind(_ tags: Tags, _ expected: [MapKind]) {
        #expect(kinds(tags, .line) == expected)
    }

    private static let areas: [(Tags, [MapKind])] = [
        (["landuse": "forest"], [MapKind.wood]), (["natural": "wood"], [.wood]),
        (["natural": "water"], [.water]), (["landuse": "reservoir"], [.water]), (["natural": "glacier"], [.glacier]),
        (["landuse": "residential"], [.residential]), (["leisure": "pitch"], [.pitch]),
        (["leisure": "swimming_pool"], [.swimmingPool]), (["building": "yes"], [.building]), (["building": "no"], []),
        (["highway": "pedestrian", "area": "yes"], [.pedestrianArea]), (["highway": "residential"], []),
        (["man_made": "pier"], [.pier]), (["aeroway": "apron"], [.taxiway]), (["boundary": "administrative"], []),
        (
            ["building": "hotel", "tourism": "hotel", "name": "Adler", "addr:housenumber": "4"],
            [.building, .pointOfInterest, .houseNumber]
        ),
        (["place": "island", "name": "Kari"], [.island]), (["place": "island"], []),
        (["amenity": "parking"], [.parking, .pointOfInterest]),
    ]

    @Test(arguments: areas)
    func areasHaveTheirKinds(_ tags: Tags, _ expected: [MapKind]) {
        #expect(kinds(tags, .area) == expected)
    }

    private static let nodes: [(Tags, [MapKind])] = [
        (["place": "city", "name": "Vaduz"], [MapKind.city]),
        (["place": "neighbourhood", "name": "A"], [.quarter]),
        (["place": "village"], []), (["natural": "peak", "ele": "2599.4 m"], [.peak]),
        (["railway": "station", "name": "A"], [.station]), (["railway": "tram_stop"], [.stop]),
        (["highway": "bus_stop", "name": "A"], [.stop]), (["amenity": "cafe"], [.pointOfInterest]),
        (["addr:housenumber": "7;9"], [.houseNumber]), (["highway": "crossing"], []),
    ]

    @Test(arguments: nodes)
    func nodesHaveTheirKinds(_ tags: Tags, _ expected: [MapKind]) {
        #expect(kinds(tags, .node) == expected)
    }

    @Test func flagsLayersNumbersAndHeightsAreRead() throws {
        let ramp = try #require(
            MapMeaning.all(
                of: [
                    "highway": "trunk_link", "bridge": "yes", "layer": "2", "oneway": "-1", "toll": "yes",
                    "ref": "A 13",
                ], form: .line
            ).first)
        #expect(ramp.flags == [.link, .bridge, .onewayReversed, .toll])
        #expect(ramp.layer == 2)
        #expect(ramp.ref == "A 13")
        let tunnel = try #require(
            MapMeaning.all(of: ["highway": "track", "tunnel": "yes", "layer": "-1", "surface": "gravel"], form: .line)
                .first)
        #expect(tunnel.flags == [.tunnel, .unpaved])
        #expect(tunnel.layer == -1)
        let circle = try #require(
            MapMeaning.all(of: ["highway": "tertiary", "junction": "roundabout"], form: .line).first)
        #expect(circle.flags == .oneway)
        let peak = try #require(MapMeaning.all(of: ["natural": "peak", "ele": "2599.4 m"], form: .node).first)
        #expect(peak.ref == "2599")
        let number = try #require(MapMeaning.all(of: ["addr:housenumber": "7;9"], form: .node).first)
        #expect(number.ref == "7, 9")
    }

    @Test func heightsBeyondReasonAreNotTold() {
        for height in ["12345678901234567890", "-1e300", "nan", "1e9"] {
            let tags: Tags = ["natural": "peak", "name": "High", "ele": height]
            let found = MapMeaning.all(of: tags, form: .node)
            #expect(found.contains { $0.kind == .peak })
            #expect(found.allSatisfy { ($0.ref ?? "").count < 7 })
        }
    }

    @Test func largerPlacesShowEarlierAndRankHigher() throws {
        let large = try #require(MapMeaning(place: "city", population: 2_000_000, isCapital: false))
        let small = try #require(MapMeaning(place: "city", population: 150_000, isCapital: false))
        let capital = try #require(MapMeaning(place: "town", population: 5_000, isCapital: true))
        let town = try #require(MapMeaning(place: "town", population: 5_000, isCapital: false))
        #expect(large.zoom < small.zoom && large.rank > small.rank)
        #expect(capital.zoom < town.zoom && capital.flags == .capital)
    }
}
