import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Tables

/// Reads tables of addresses and of points of interest into a gazetteer: CSV, GeoJSON, or an object a line, plain or packed
/// with gzip.
///
/// A row with a street or place and a house number or house name is an address; one with a name or a kind of its own is a
/// point of interest, which may have an address besides. Rows that cannot be used are left out and counted by reason, with
/// the line of the first. Memory does not grow with the table, but for what the gazetteer keeps.
struct RegisterTable {
    let path: String
    let form: TableForm
    let description: SourceDescription
    /// Whether a place lies where the sources before it have something; nil where they have no places.
    var isKnownGround: ((Coordinate) -> Bool)?
    /// The country at a place, in capital letters.
    var country: (Coordinate) -> String? = { _ in nil }

    /// What came of a table.
    struct Result {
        /// Rows of the table.
        var rows = 0
        var addresses = 0
        var points = 0
        /// Rows left out by reason, with the line of the first.
        var skipped: [String: (count: Int, line: Int)] = [:]
        /// Which columns were read as what.
        var columns = ""

        mutating func skip(_ reason: String, line: Int) {
            skipped[reason, default: (0, line)].count += 1
        }
    }

    /// Adds the rows to a gazetteer.
    ///
    /// - Parameters:
    ///   - source: the number of their source in the gazetteer.
    ///   - found: told where each address or point lies.
    ///   - progress: told the share of the file that is read, now and then; throw to stop.
    /// - Throws: `ImportError` where the columns are unclear, where no row can be used, or where latitude and longitude are
    ///   the wrong way round; `TableFault` and `TableError` for a file that cannot be read.
    func add(
        to writer: GazetteerWriter, source: Int, found: (Coordinate) -> Void = { _ in },
        progress: (Double) throws -> Void = { _ in }
    ) throws -> Result {
        let (file, columns, rows) = try open()
        var reader = rows
        var result = Result()
        result.columns = columns.description(reader.columns)
        var row = RowReader(columns: columns, separator: reader.separator, hasMembers: hasMembers)
        var check = PlaceCheck(isKnownGround: isKnownGround, country: country)
        while let next = try reader.next() {
            result.rows += 1
            if result.rows % 4096 == 0 { try progress(file.share) }
            if let damage = next.damage {
                result.skip("row that cannot be read: \(damage)", line: next.line)
                continue
            }
            do {
                try row.read(next)
            } catch {
                result.skip("row that cannot be read: \(error.reason)", line: next.line)
                continue
            }
            if row.isBlank { continue }
            do {
                let place = try row.place()
                check.note(place, country: row.texts[.country])
                guard place.isValid else { throw RowFault("coordinates off the globe") }
                switch try row.meaning() {
                case .feature(let feature):
                    writer.add(feature, source: source)
                    if feature.kind == .address { result.addresses += 1 } else { result.points += 1 }
                    found(feature.location)
                case .postcode(let postcode):
                    writer.add(postcode: postcode, at: place, source: source)
                    throw RowFault("row without a house number or name, of which only the postcode is used")
                }
            } catch let fault as RowFault {
                result.skip(fault.reason, line: next.line)
            }
            if result.rows == 5_000 { try refuse(check) }
        }
        try refuse(check)
        if result.addresses + result.points == 0 {
            let most = result.skipped.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
            throw ImportError.unclearFile(
                path,
                reason: most.map {
                    "none of its \(result.rows) rows can be used; \($0.value.count) for this: \($0.key), "
                        + "as in line \($0.value.line). Read were: \(result.columns)"
                } ?? "it has no rows")
        }
        return result
    }

    private var hasMembers: Bool { form == .ndjson || form == .geojson }

    /// Opens the table and finds out what its columns hold.
    private func open() throws -> (GzipFile, RegisterColumns, TableReader) {
        func reader(hasHeader: Bool) throws -> (GzipFile, TableReader) {
            let file = try GzipFile(path: path)
            let rows = try TableReader(
                name: path, form: form, encoding: description.encoding, hasHeader: hasHeader
            ) { try file.read(into: $0) }
            return (file, rows)
        }
        var (file, rows) = try reader(hasHeader: true)
        var names = rows.columns
        var count = names.count
        var isPlaced = false
        if hasMembers {
            (names, isPlaced) = Self.members(of: try rows.peek(100))
            count = names.count
        }
        func columns() throws -> RegisterColumns {
            do {
                return try RegisterColumns(
                    columns: names, named: description.columns, hasMembers: hasMembers, count: count, isPlaced: isPlaced
                )
            } catch let fault as ColumnFault {
                throw ImportError.unclearFile(path, reason: fault.reason)
            }
        }
        // Columns that are named by number, and a number where the name of one would stand: the first line is a row.
        let firstLine = Cells(rows.head.bytes, separator: rows.separator)
        if !hasMembers, let latitude = description.columns["lat"].flatMap({ Int($0) }),
            latitude > 0, Double(firstLine[latitude - 1]) != nil
        {
            (file, rows) = try reader(hasHeader: false)
            names = []
        }
        return (file, try columns(), rows)
    }

    /// The names of the members of some objects, in the order of their first appearance, and whether one has a geometry.
    private static func members(of rows: [TableRow]) -> (names: [String], isPlaced: Bool) {
        var names: [String] = []
        var seen: Set<String> = []
        var isPlaced = false
        for row in rows {
            guard let object = try? JSONObjectText(row.bytes) else { continue }
            if object.range("geometry") != nil { isPlaced = true }
            for member in (object.object("properties") ?? object).members where seen.insert(member.key).inserted {
                names.append(member.key)
            }
        }
        return (names, isPlaced)
    }

    private func refuse(_ check: PlaceCheck) throws {
        if let reason = check.fault { throw ImportError.unclearFile(path, reason: reason) }
    }
}

/// Why a row is left out.
struct RowFault: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Whether the coordinates of a table are those of its places: not the other way round, nor metres of some grid.
private struct PlaceCheck {
    let isKnownGround: ((Coordinate) -> Bool)?
    let country: (Coordinate) -> String?
    private var rows = 0
    private var off = 0
    private var offAndRightOtherwise = 0
    private var grounds = (here: 0, changed: 0)
    private var countries = (asked: 0, here: 0, changed: 0)
    /// Rows that are looked at more closely.
    private static let sample = 2_000

    init(isKnownGround: ((Coordinate) -> Bool)?, country: @escaping (Coordinate) -> String?) {
        self.isKnownGround = isKnownGround
        self.country = country
    }

    mutating func note(_ place: Coordinate, country code: String?) {
        rows += 1
        let changed = Coordinate(latitude: place.longitude, longitude: place.latitude)
        if !place.isValid {
            off += 1
            if changed.isValid { offAndRightOtherwise += 1 }
        }
        guard rows <= Self.sample else { return }
        if let isKnownGround {
            if place.isValid, isKnownGround(place) { grounds.here += 1 }
            if changed.isValid, isKnownGround(changed) { grounds.changed += 1 }
        }
        if let code, code.utf8.count == 2 {
            countries.asked += 1
            if place.isValid, country(place) == code.uppercased() { countries.here += 1 }
            if changed.isValid, country(changed) == code.uppercased() { countries.changed += 1 }
        }
    }

    /// What is wrong with most rows, and what to do; nil where nothing is.
    var fault: String? {
        guard rows > 0 else { return nil }
        if off * 2 > rows, offAndRightOtherwise * 2 <= off {
            return
                "its coordinates are no degrees of latitude and longitude (\(off) of \(rows) rows lie off the globe): "
                + "convert it to WGS 84 first, or name the right columns: --columns lat=COLUMN,lon=COLUMN"
        }
        let looked = min(rows, Self.sample)
        let isChanged =
            off * 2 > rows || (grounds.changed * 2 > looked && grounds.here * 10 < looked)
            || (countries.asked * 2 > looked && countries.changed * 2 > countries.asked
                && countries.here * 10 < countries.asked)
        return isChanged
            ? "latitude and longitude seem to stand the other way round: name their columns, --columns lat=COLUMN,lon=COLUMN"
            : nil
    }
}

/// Reads the rows of one table one after another.
private struct RowReader {
    let columns: RegisterColumns
    let separator: UInt8
    let hasMembers: Bool
    /// What the row at hand says.
    private(set) var texts: [RegisterColumns.Field: String] = [:]
    private var tags: [Tags.Pair] = []
    private var geometry: Coordinate?
    private var kinds = PointKinds()
    private static let longestText = 250
    /// Values of `place`.
    private static let settlements: Set<String> = [
        "city", "town", "village", "hamlet", "suburb", "quarter", "neighbourhood", "borough", "isolated_dwelling",
        "farm",
        "locality", "island", "islet", "square",
    ]

    init(columns: RegisterColumns, separator: UInt8, hasMembers: Bool) {
        self.columns = columns
        self.separator = separator
        self.hasMembers = hasMembers
    }

    /// Whether the row says nothing at all.
    var isBlank: Bool { texts.isEmpty && tags.isEmpty && geometry == nil }

    mutating func read(_ row: TableRow) throws(RowFault) {
        texts.removeAll(keepingCapacity: true)
        tags.removeAll(keepingCapacity: true)
        geometry = nil
        if hasMembers {
            let root: JSONObjectText
            do { root = try JSONObjectText(row.bytes) } catch { throw RowFault("it is no JSON object") }
            let object = root.object("properties") ?? root
            if let shape = root.object("geometry") { geometry = GeoJSONPlace.middle(of: shape) }
            take { object.value($0) }
            for member in object.members where RegisterColumns.isTag(member.key) {
                let isField = columns.fields.values.contains(.member(member.key))
                if !isField, let value = object.text(member.value) { addTag(member.key, value) }
            }
        } else {
            let cells = Cells(row.bytes, separator: separator)
            take { _ in
                nil
            } cell: {
                cells[$0]
            }
        }
    }

    private mutating func take(_ member: (String) -> String?, cell: (Int) -> String = { _ in "" }) {
        func text(_ source: RegisterColumns.Source) -> String {
            switch source {
            case .column(let index): TableText.clean(cell(index))
            case .member(let name): TableText.clean(member(name) ?? "")
            case .text(let text): text
            }
        }
        for (field, source) in columns.fields {
            let value = text(source)
            if !value.isEmpty { texts[field] = value }
        }
        for (key, source) in columns.tags { addTag(key, text(source)) }
    }

    private mutating func addTag(_ key: String, _ value: String) {
        let value = TableText.clean(value)
        if !value.isEmpty, !tags.contains(where: { $0.key == key }) { tags.append(.init(key: key, value: value)) }
    }

    /// Where the row lies; maybe off the globe.
    func place() throws -> Coordinate {
        if let latitude = texts[.latitude].flatMap(number), let longitude = texts[.longitude].flatMap(number) {
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        if let text = texts[.position], let place = Self.position(text) { return place }
        if let geometry { return geometry }
        let isWritten = texts[.latitude] != nil || texts[.longitude] != nil || texts[.position] != nil
        throw RowFault(isWritten ? "coordinates that are no numbers" : "no coordinates")
    }

    /// A number of degrees, with a comma where the table parts its cells otherwise.
    private func number(_ text: String) -> Double? {
        let value = Double(text) ?? Double(text.replacing(",", with: ".", maxReplacements: 1))
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    private static func position(_ text: String) -> Coordinate? {
        let isWKT = text.uppercased().hasPrefix("POINT")
        let parts = text.split { !"+-.0123456789eE".contains($0) }.compactMap { Double($0) }.filter(\.isFinite)
        guard parts.count == 2 else { return nil }
        return Coordinate(latitude: parts[isWKT ? 1 : 0], longitude: parts[isWKT ? 0 : 1])
    }

    enum Meaning {
        case feature(OutsideFeature)
        /// All that the row tells.
        case postcode(String)
    }

    /// What the row is.
    mutating func meaning() throws -> Meaning {
        let place = try place()
        for field in RegisterColumns.Field.allCases where texts[field]?.utf8.count ?? 0 > Self.longestText {
            throw RowFault("text of more than \(Self.longestText) letters (\(field.rawValue))")
        }
        partStreet()
        // A settlement by its tag, rather than one that an address names.
        if let kind = texts[.place], texts[.name] != nil, Self.settlements.contains(kind) {
            texts[.place] = nil
            addTag("place", kind)
        }
        var pairs: [Tags.Pair] = []
        for field in RegisterColumns.Field.allCases {
            if let key = field.key, let text = texts[field] { pairs.append(.init(key: key, value: text)) }
        }
        for pair in tags where !pairs.contains(where: { $0.key == pair.key }) && pair.value.utf8.count <= 4096 {
            pairs.append(pair)
        }
        var all = Tags(pairs)
        if columns.hasPoints {
            let category = texts[.category].map { kinds.kind($0) }
            if let category { all = category.marked(all) }
            let isNamed = texts[.name] != nil
            if isNamed || category != nil || all["place"] != nil
                || all.pairs.contains(where: { RegisterColumns.mainKeys.contains($0.key) })
            {
                return .feature(point(all, at: place, own: category?.word))
            }
        }
        let address = AddressTags(all)
        guard address.street != nil || address.place != nil else {
            throw RowFault(columns.hasPoints ? "neither name nor kind nor street" : "no street or place")
        }
        guard address.hasNumber else {
            guard let postcode = address.postcode else { throw RowFault("row without a house number or name") }
            return .postcode(postcode)
        }
        return .feature(
            OutsideFeature(
                number: nil, kind: .address, category: "place", type: "house", location: place, tags: all))
    }

    private func point(_ tags: Tags, at place: Coordinate, own: String?) -> OutsideFeature {
        if own == nil, let feature = OutsideFeature(tags: tags, location: place) { return feature }
        return OutsideFeature(
            number: nil, kind: .pointOfInterest, category: "amenity",
            type: own.map { $0.lowercased().replacing(" ", with: "_") } ?? "point_of_interest", location: place,
            tags: tags)
    }

    /// Takes the house number out of the street where no column has it, and numbers that stand for none away.
    private mutating func partStreet() {
        if let number = texts[.number], ["0", "s/n", "sn", "-", "--", "n/a", "null"].contains(number.lowercased()) {
            texts[.number] = nil
        }
        guard columns.fields[.number] == nil, let street = texts[.street] else { return }
        let first = street.split(separator: ",", maxSplits: 1).first.map(String.init) ?? street
        let words = first.split(separator: " ")
        guard words.count > 1 else { return }
        if let last = words.last, words.count > 2, last.utf8.count == 1, last.first?.isLetter == true,
            HouseNumber.isPlausible(String(words[words.count - 2]))
        {
            texts[.number] = words.suffix(2).joined(separator: " ")
            texts[.street] = words.dropLast(2).joined(separator: " ")
        } else if let last = words.last, HouseNumber.isPlausible(last.lowercased()) {
            texts[.number] = String(last)
            texts[.street] = words.dropLast().joined(separator: " ")
        } else if let head = words.first, HouseNumber.isPlausible(head.lowercased()), !Self.isOrdinal(head) {
            texts[.number] = String(head)
            texts[.street] = words.dropFirst().joined(separator: " ")
        }
    }

    /// "5th" of "5th Avenue".
    private static func isOrdinal(_ word: Substring) -> Bool {
        ["st", "nd", "rd", "th", "er", "re", "."].contains { word.lowercased().hasSuffix($0) }
    }
}

/// What the column of a kind says: a tag, a kind of the lexicon by its name or a word for it, or a word of its own.
private struct PointKinds {
    struct Kind {
        var tags: [Tags.Pair] = []
        /// A word that neither is a tag nor names a kind of the lexicon.
        var word: String?

        /// The tags of a point with those of its kind. A word of its own is one that the point is found by, like a name.
        func marked(_ tags: Tags) -> Tags {
            var marked = tags
            for pair in self.tags where marked[pair.key] == nil { marked[pair.key] = pair.value }
            guard let word else { return marked }
            if marked["name"] == nil {
                marked["name"] = word
            } else {
                marked["alt_name"] = [marked["alt_name"], word].compactMap(\.self).joined(separator: ";")
            }
            return marked
        }
    }

    private var known: [String: Kind] = [:]

    mutating func kind(_ text: String) -> Kind {
        if let kind = known[text] { return kind }
        var kind = Kind()
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "&" }) {
            let part = part.trimmingCharacters(in: .whitespaces)
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if sides.count == 2, !sides[0].contains(" "), !sides[0].isEmpty, !sides[1].isEmpty {
                kind.tags.append(.init(key: sides[0].lowercased(), value: sides[1]))
            } else if let tags = PlaceKinds.shared.kind(called: part)?.exampleTags, !tags.isEmpty {
                kind.tags += tags
            } else if !part.isEmpty, kind.word == nil {
                kind.word = part
            }
        }
        // What a word of its own says beside tags of a kind is more than they say.
        if known.count < 10_000 { known[text] = kind }
        return kind
    }
}

/// Texts out of tables.
enum TableText {
    /// Without blanks around it and without control characters, which would break tables and terminals.
    static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
        ).trimmingCharacters(in: .whitespaces)
    }
}

/// Points of GeoJSON geometries.
enum GeoJSONPlace {
    /// The point itself, a point inside the outer ring of the first polygon, or the middle of whatever else it is; nil for
    /// a geometry without coordinates.
    static func middle(of geometry: JSONObjectText) -> Coordinate? {
        guard let range = geometry.range("coordinates") else { return nil }
        let positions = geometry.bytes[range].split(separator: UInt8(ascii: "]")).compactMap { piece -> Coordinate? in
            let numbers = piece[((piece.lastIndex(of: UInt8(ascii: "[")) ?? piece.startIndex - 1) + 1)...]
                .split(separator: UInt8(ascii: ","))
                .compactMap { Double(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)) }
            guard numbers.count >= 2, numbers[0].isFinite, numbers[1].isFinite else { return nil }
            return Coordinate(latitude: numbers[1], longitude: numbers[0])
        }
        guard let first = positions.first else { return nil }
        if geometry.value("type")?.hasSuffix("Polygon") == true,
            let end = positions.dropFirst().firstIndex(of: first), positions.allSatisfy(\.isValid),
            let inside = Polygon.representativePoint([Array(positions[...end])])
        {
            return inside
        }
        return positions[positions.count / 2]
    }
}
