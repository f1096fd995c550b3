import OpenStreetMap
import Testing

@Suite struct FeatureTests {
    private func main(_ tags: Tags, _ shape: FeatureShape = .node) -> String? {
        FeatureTags(tags, shape: shape).map { $0.key + "=" + $0.value }
    }

    @Test func theMostTellingTagIsTheMainOne() {
        #expect(main(["building": "yes", "amenity": "cafe"]) == "amenity=cafe")
        #expect(main(["natural": "no", "shop": "shoes"]) == "shop=shoes")
        #expect(main(["addr:housenumber": "5"]) == "place=house")
        #expect(main(["addr:housenumber": "5", "building": "yes"]) == "building=yes")
        #expect(main(["shop": "bakery;cafe"]) == "shop=bakery")
        #expect(main(["building": "dormitory", "highway": "access_ramp", "name": "X"], .area) == "building=dormitory")
    }

    @Test func whatNobodySearchesIsLeftOut() {
        #expect(main(["building": "yes"]) == nil)
        #expect(main(["landuse": "meadow"]) == nil)
        #expect(main(["highway": "crossing", "name": "X"]) == nil)
        #expect(main(["bridge": "yes"]) == nil)
        #expect(main(["boundary": "administrative", "name": "X", "admin_level": "2"], .line) == nil)
        #expect(main(["highway": "footway"], .line) == nil)
        #expect(main(["highway": "footway", "footway": "sidewalk", "name": "X"], .line) == nil)
    }

    @Test func aNamedObjectOfAnyKindIsKept() {
        #expect(main(["name": "Dam Works", "power": "plant", "operator": "X"], .area) == "power=plant")
        #expect(main(["name": "X", "ele": "420", "website": "x.example", "power": "no"]) == nil)
        #expect(main(["name": "X", "second_hand": "yes", "disused": "shop"]) == nil)
        #expect(main(["name": "X", "power": "line"], .line) == nil)
        #expect(main(["power": "plant"], .area) == nil)
    }

    @Test func boardsForTravellersAreKeptAndMarksOnTreesAreNot() {
        #expect(main(["tourism": "information"]) == "tourism=information")
        #expect(main(["tourism": "information", "information": "guidepost"]) == "information=guidepost")
        #expect(main(["tourism": "information", "information": "office", "name": "X"]) == "tourism=information")
        #expect(main(["tourism": "information", "information": "route_marker", "name": "3"]) == nil)
        #expect(main(["highway": "information", "information": "house"]) == "highway=information")
    }

    @Test func aNamedStreetStaysAStreet() {
        #expect(main(["highway": "pedestrian", "tourism": "attraction", "name": "X"], .line) == "highway=pedestrian")
        #expect(main(["highway": "service", "tourism": "hotel"], .line) == "tourism=hotel")
        #expect(main(["highway": "residential"], .line) == "highway=residential")
    }

    @Test func addressesAreReadInTheirManyForms() {
        #expect(AddressTags(["addr:conscriptionnumber": "123", "addr:streetnumber": "4"]).houseNumber == "123/4")
        #expect(
            AddressTags(["addr:block_number": "6", "addr:housenumber": "2", "addr:neighbourhood": "X"]).houseNumber
                == "6-2")
        #expect(
            AddressTags(["addr:block_number": "6", "addr:housenumber": "2", "addr:neighbourhood": "X"]).place == "X")
        #expect(AddressTags(["addr:housename": "Rose Cottage"]).hasNumber)
        #expect(!AddressTags(["addr:street": "X"]).hasNumber)
        #expect(AddressTags(["addr:substreet": "West Terrace", "addr:street": "Mill Lane"]).street == "West Terrace")
        #expect(AddressTags(["postal_code": "1"]).postcode == "1")
    }

    @Test func namesAreChosenByLanguage() {
        let tags: Tags = ["name": "Wien", "name:en": "Vienna", "name:pt": "Viena", "official_name": "Stadt Wien"]
        #expect(Names.best(of: tags, languages: ["en"]) == "Vienna")
        #expect(Names.best(of: tags, languages: ["pt-BR", "en"]) == "Viena")
        #expect(Names.best(of: tags, languages: ["fi"]) == "Wien")
        #expect(Names.best(of: ["name:ja": "東京"], languages: []) == "東京")
        #expect(Names.best(of: ["ref": "A1"], languages: []) == "A1")
        #expect(Names.best(of: ["amenity": "cafe"], languages: ["de"]) == nil)
    }

    @Test func nameKeysAreKnown() {
        for key in ["name", "name:de", "name:zh-Hant", "alt_name", "alt_name_1", "old_name:1999", "official_name:fr"] {
            #expect(Names.isNameKey(key), "\(key)")
        }
        for key in ["name:source", "name:left", "addr:street", "surname", "name_1x", "fixme:name"] {
            #expect(!Names.isNameKey(key), "\(key)")
        }
    }
}
