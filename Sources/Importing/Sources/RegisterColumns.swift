import Foundation
import Gazetteer
import OpenStreetMap
import Tables

/// Which columns of a table of addresses or points hold what.
///
/// Columns are known by their names: those of OpenAddresses (`LON`, `LAT`, `NUMBER`, `STREET` ...), keys of OpenStreetMap
/// (`addr:street`, `opening_hours`), and words of many languages (`ColumnMeaning`); or they are named by whoever imports.
struct RegisterColumns: Equatable {
    enum Field: String, CaseIterable {
        case latitude = "lat"
        case longitude = "lon"
        /// Both in one text, `47.14,9.52` or `POINT(9.52 47.14)`.
        case position
        case number, street, unit, housename, place, suburb, city, county, state, postcode, country
        case name, category

        /// The tag that says the same in OpenStreetMap; nil for what is no tag.
        var key: String? {
            switch self {
            case .latitude, .longitude, .position, .category: nil
            case .number: "addr:housenumber"
            case .name: "name"
            default: "addr:\(rawValue)"
            }
        }
    }

    enum Source: Equatable {
        /// Counted from 0, in a table of cells.
        case column(Int)
        /// The member of an object.
        case member(String)
        /// The same text in all rows.
        case text(String)
    }

    private(set) var fields: [Field: Source] = [:]
    /// Columns that are kept as tags.
    private(set) var tags: [(key: String, source: Source)] = []
    /// Whether rows are places of interest where they have a name or a kind.
    private(set) var hasPoints = false

    static func == (a: Self, b: Self) -> Bool {
        a.fields == b.fields && a.hasPoints == b.hasPoints && a.tags.elementsEqual(b.tags) { $0 == $1 }
    }

    /// - Parameters:
    ///   - columns: names of the columns, or of an object's members.
    ///   - named: what a person says (`SourceDescription.columns`).
    ///   - hasMembers: whether the rows are objects.
    ///   - count: how many cells a row has.
    ///   - isPlaced: whether rows have a geometry besides their columns.
    /// - Throws: `ColumnFault` where it stays unclear what the rows are or where they lie.
    init(columns: [String], named: [String: String], hasMembers: Bool, count: Int, isPlaced: Bool) throws {
        var isTaken = Set<Int>()
        for (word, column) in named.sorted(by: { $0.key < $1.key }) {
            let source: Source
            if column.hasPrefix("=") {
                source = .text(String(column.dropFirst()))
            } else if hasMembers {
                source = .member(column)
            } else if let index = Self.index(of: column, in: columns, count: count) {
                source = .column(index)
                isTaken.insert(index)
            } else {
                throw ColumnFault("it has no column \"\(column)\"; \(Self.told(columns, count))")
            }
            if let field = Self.field(named: word) {
                fields[field] = source
            } else if Self.isTag(word) {
                tags.append((word, source))
            } else {
                let known = Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw ColumnFault("a column can hold \(known), or a tag such as phone; not \"\(word)\"")
            }
        }
        func source(_ index: Int) -> Source { hasMembers ? .member(columns[index]) : .column(index) }
        // Keys of OpenStreetMap go before words, and what surely is meant before what may be.
        for certainty in [Certainty.key, .word, .likely] {
            for (index, column) in columns.enumerated() where !isTaken.contains(index) {
                guard let (field, found) = Self.guess(column), found == certainty, fields[field] == nil else {
                    continue
                }
                if certainty == .likely, field == .category, fields[.name] == nil || fields[.number] != nil { continue }
                if field == .number, certainty == .word, Self.isDoubtful(column),
                    index == 0 || Self.guess(columns[index - 1])?.0 != .street
                {
                    continue
                }
                if isPlaced, field == .latitude || field == .longitude || field == .position { continue }
                fields[field] = source(index)
                isTaken.insert(index)
            }
        }
        var keys = Set(tags.map(\.key))
        for (index, column) in columns.enumerated() where !isTaken.contains(index) && !hasMembers {
            let key = column.trimmingCharacters(in: .whitespaces).lowercased()
            if Self.isTag(key), keys.insert(key).inserted { tags.append((key, source(index))) }
        }
        let hasMainTag =
            columns.contains { Self.mainKeys.contains($0) } || tags.contains { Self.mainKeys.contains($0.key) }
        hasPoints = fields[.name] != nil || fields[.category] != nil || hasMainTag
        let isLocated =
            isPlaced || fields[.position] != nil || (fields[.latitude] != nil && fields[.longitude] != nil)
        guard isLocated else {
            throw ColumnFault(
                "which columns hold the coordinates? \(Self.told(columns, count)). Name them: "
                    + "--columns lat=COLUMN,lon=COLUMN")
        }
        guard hasPoints || fields[.street] != nil || fields[.place] != nil else {
            throw ColumnFault(
                "are its rows addresses or points? \(Self.told(columns, count)). Name those that tell: "
                    + "--columns street=COLUMN,number=COLUMN,city=COLUMN for addresses, "
                    + "--columns name=COLUMN,category=COLUMN for points")
        }
    }

    /// What a row has where, in a line: `street from "STRASSE", number from "NR"`.
    func description(_ columns: [String]) -> String {
        let fields = Field.allCases.compactMap { field in self.fields[field].map { (field.rawValue, $0) } }
        return (fields + tags.map { ($0.key, $0.source) }).map { word, source in
            switch source {
            case .column(let index):
                "\(word) from " + (columns.indices.contains(index) ? "\"\(columns[index])\"" : "column \(index + 1)")
            case .member(let name): "\(word) from \"\(name)\""
            case .text(let text): "\(word) always \"\(text)\""
            }
        }.joined(separator: ", ")
    }

    private static func index(of name: String, in columns: [String], count: Int) -> Int? {
        if let index = columns.firstIndex(of: name) { return index }
        if let index = columns.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return index }
        guard let number = Int(name), (1...max(columns.count, count, 1)).contains(number) else { return nil }
        return number - 1
    }

    private static func told(_ columns: [String], _ count: Int) -> String {
        if columns.isEmpty { return "it names no columns and has \(count), which are named by number" }
        return "its columns are " + columns.prefix(20).map { "\"\($0.prefix(60))\"" }.joined(separator: ", ")
            + (columns.count > 20 ? " ..." : "")
    }

    // MARK: - Words for columns

    private enum Certainty { case key, word, likely }

    private static func field(named word: String) -> Field? {
        if let field = Field(rawValue: word.lowercased()) { return field }
        return Field.allCases.first { $0.key == word.lowercased() } ?? aliases[ColumnMeaning.key(word)]
    }

    /// What a column of that name holds.
    private static func guess(_ column: String) -> (Field, Certainty)? {
        let name = column.trimmingCharacters(in: .whitespaces).lowercased()
        if let field = Field.allCases.first(where: { $0.key == name }) { return (field, .key) }
        // Other keys of addresses are tags.
        if name.hasPrefix("addr:") { return nil }
        let key = ColumnMeaning.key(name)
        if let field = aliases[key] { return (field, .word) }
        if name == "place" { return (.place, .word) }
        if kindWords.contains(key) { return (.category, .likely) }
        if mainKeys.contains(name) || detailKeys.contains(name) { return nil }
        return switch ColumnMeaning(columnName: column) {
        case .name: (.name, .word)
        case .street: (.street, .word)
        case .address: (.street, .likely)
        case .number: (.number, .word)
        case .postcode: (.postcode, .word)
        case .city: (.city, .word)
        case .county: (.county, .word)
        case .state: (.state, .word)
        case .country: (.country, .word)
        case .latitude: (.latitude, .word)
        case .longitude: (.longitude, .word)
        case .position: (.position, .word)
        case nil: nil
        }
    }

    /// "No" is a house number behind a street; elsewhere it numbers the rows.
    private static func isDoubtful(_ column: String) -> Bool {
        ["no", "nr", "n", "num", "number", "numero", "numer", "cislo"].contains(ColumnMeaning.key(column))
            && column.uppercased() != "NUMBER"
    }

    private static let aliases: [String: Field] = [
        "latitude": .latitude, "longitude": .longitude, "housenumber": .number, "unit": .unit, "flat": .unit,
        "apartment": .unit, "appartement": .unit, "wohnung": .unit, "buildingname": .housename, "housename": .housename,
        "hausname": .housename, "neighbourhood": .suburb, "suburb": .suburb, "ortsteil": .suburb, "stadtteil": .suburb,
        "quartier": .suburb, "quarter": .suburb, "kaupunginosa": .suburb, "category": .category, "kategorie": .category,
        "categorie": .category, "categoria": .category, "kategoria": .category, "categorias": .category,
        "poitype": .category, "poikind": .category, "amenitytype": .category, "категория": .category,
    ]

    /// Words that name a kind in a table of points, and anything in one of addresses.
    private static let kindWords: Set<String> = ["kind", "type", "class", "typ", "art", "tipo", "luokka", "тип"]

    /// Keys that say what a thing is.
    static let mainKeys: Set<String> = [
        "amenity", "shop", "tourism", "leisure", "office", "craft", "healthcare", "historic", "emergency", "man_made",
        "natural", "railway", "public_transport", "aeroway", "club", "sport", "military", "advertising",
    ]

    private static let detailKeys: Set<String> = [
        "phone", "website", "email", "url", "opening_hours", "wheelchair", "cuisine", "brand", "operator",
        "description",
        "alt_name", "short_name", "official_name", "old_name", "loc_name", "int_name", "ele", "population", "wikidata",
        "wikipedia", "religion", "denomination", "capacity", "fee", "access", "level", "stars", "network", "ref",
        "takeaway", "delivery", "outdoor_seating", "internet_access", "healthcare:speciality", "fax", "image",
    ]

    /// Whether a column or member of this name is a tag worth keeping.
    static func isTag(_ key: String) -> Bool {
        if mainKeys.contains(key) || detailKeys.contains(key) { return true }
        return ["addr:", "contact:", "name:", "diet:", "payment:", "social_facility:", "fuel:", "recycling:"].contains {
            key.hasPrefix($0) && key.utf8.count > $0.utf8.count && key.utf8.count <= 60
        }
    }
}

/// Why the columns of a table cannot be used, and what to do; without the file's name.
struct ColumnFault: Error, Equatable {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}
