import Foundation
import Testing

@testable import Tables

struct JSONObjectTextTests {
    private func object(_ text: String) throws -> JSONObjectText { try JSONObjectText(Array(text.utf8)) }

    @Test func membersAreReadAtTheirPaths() throws {
        let object = try object(
            #"{"a":"x\u00e4\ud83d\ude00\n", "n": -1.5e2, "t":true, "z":null, "o":{"b":"c"}, "l":[1,2]}"#)
        #expect(object.value("a") == "xä😀\n" && object.value("n") == "-1.5e2" && object.value("t") == "true")
        #expect(object.value("z") == nil && object.value("l") == nil && object.value("o.b") == "c")
        #expect(object.paths == ["a", "n", "t", "z", "o.b", "l"])
    }

    @Test func membersArePutInBehindTheOthers() throws {
        #expect(
            String(decoding: try object("{\"a\":1 } ").adding(Array("\"b\":2".utf8)), as: UTF8.self)
                == "{\"a\":1 ,\"b\":2} ")
        #expect(String(decoding: try object("{}").adding(Array("\"b\":2".utf8)), as: UTF8.self) == "{\"b\":2}")
    }

    @Test(arguments: [
        "", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":nul}", "{\"a\":\"\u{1}\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":[1}", "{\"a\":\"\\u12\"}", "{a:1}", "{\"a\":1 \"b\":2}",
    ])
    func whatIsNoObjectIsRefused(_ text: String) {
        #expect(throws: TableFault.self) { try object(text) }
    }

    @Test func anObjectCutAnywhereIsRefusedAndNothingCrashes() throws {
        let text = Array(#"{"a":{"b":[1,{"c":"d\u00e4"}]},"e":false}"#.utf8)
        for end in 0..<text.count { #expect(throws: TableFault.self) { try JSONObjectText(Array(text[..<end])) } }
        #expect(throws: TableFault.self) { try object("{\"a\":" + String(repeating: "[", count: 100_000)) }
    }
}

struct ColumnMeaningTests {
    @Test(arguments: [
        ("Straße", ColumnMeaning.street), ("STREET_NAME", .street), ("addr:street", .street), ("Rue", .street),
        ("Hausnummer", .number), ("addr:housenumber", .number), ("PLZ", .postcode), ("Zip Code", .postcode),
        ("code_postal", .postcode), ("Ort", .city), ("Città", .city), ("Город", .city), ("Land", .country),
        ("country_code", .country), ("Lat", .latitude), ("Longitude", .longitude), ("lng", .longitude),
        ("Adresse complète", .address), ("address1", .address), ("Anschrift", .address), ("Firma", .name),
        ("geo_point_2d", .position), ("都道府県", .state), ("osoite", .address),
    ])
    func headersOfManyLanguagesAreKnown(_ column: String, _ meaning: ColumnMeaning) {
        #expect(ColumnMeaning(columnName: column) == meaning)
    }

    @Test(arguments: ["", "id", "telephone", "address2", "remarks", "1"]) func othersAreNot(_ column: String) {
        #expect(ColumnMeaning(columnName: column) == nil)
    }
}
