import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct AddressPartsTests {
    /// The parts that neighbours share are kept: whoever asks gets what is put together anew, whichever languages were asked
    /// before.
    @Test func addressesAreTheSameWhetherTheirPlacesWereAskedBeforeOrNot() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0, tags: ["name:fr": "Champ-Haut", "postal_code": "4711"])
        world.town("Unterfeld", 20, 0)
        world.node(4, 4, ["place": "suburb", "name": "Altstadt", "name:fr": "Vieille Ville"])
        world.node(8, 8, ["place": "hamlet", "name": "Weiler"])
        world.node(8.5, 8.5, ["place": "hamlet", "name": "Hof"])
        world.street("Hauptstraße", (1, 1), (9, 1), tags: ["postal_code": "4712"])
        world.street("Bergweg", (21, 1), (29, 1))
        for x in 1...8 {
            _ = world.house("\(x)", "Hauptstraße", Double(x), 1.2)
            _ = world.house("\(x)", "Bergweg", Double(x) + 20, 1.2, tags: ["addr:postcode": "99\(x)"])
        }
        world.node(8.2, 8.2, ["addr:place": "Weiler", "addr:housenumber": "3"])
        world.node(3, 3, ["amenity": "cafe", "name": "Mozart", "addr:city": "Anderswo"])
        world.node(3, 4, ["amenity": "bench"])
        let gazetteer = try world.open(country: "de")
        var count = 0
        for languages in [[], ["fr"], [], ["fr", "de"]] {
            for id in 1...100 as ClosedRange<Int64> {
                guard let feature = try gazetteer.feature(id: id) else { continue }
                let places = try feature.context.map { try gazetteer.places(ofContext: $0) } ?? []
                let anew = try gazetteer.address(of: feature, languages: languages, houseNumber: nil, places: places)
                #expect(try gazetteer.address(of: feature, languages: languages) == anew, "\(feature)")
                count += 1
            }
        }
        #expect(count > 80)
    }
}
