/// How the countries write addresses: the tables `address-formats.tsv`, `region-codes.tsv` and `abbreviations.tsv`, read and
/// made ready for the `AddressFormatter`.
///
/// Parts of an address are numbered in the order in which the table names them, names and aliases alike, so that an address
/// is one array of texts.
struct AddressFormats: Sendable {
    /// What a country writes otherwise than it is given.
    struct Saying: Sendable {
        /// Nil for all places.
        var part: Int?
        var pattern: AddressPattern
    }

    /// When a part goes without saying.
    struct Omission: Sendable {
        enum Condition: Sendable {
            /// Another part has this text.
            case other(Int, String)
            /// The part's own text is this, with the other part in the middle.
            case own(before: String, Int, after: String)
        }
        var part: Int
        var condition: Condition
    }

    struct Country: Sendable {
        /// From top to bottom.
        var layout: [AddressLine]
        /// For an address that has neither street nor postcode.
        var sparse: [AddressLine]
        var postcode: [UInt8]?
        var sayings: [Saying] = []
        var omissions: [Omission] = []
    }

    /// A territory that writes as another country.
    struct Likeness: Sendable {
        var model: String
        /// What its last lines say instead of the country: texts and parts. Empty where the country stays.
        var countryLine: [AddressLine.Piece]
        /// A part that it has by nature.
        var part: (Int, String)?
    }

    /// A territory whose addresses come under another country's code.
    struct Within: Sendable {
        var part: Int
        var pattern: AddressPattern
        var territory: String
        var name: String
    }

    /// The codes of a country's states, or of its provinces.
    struct RegionCodes: Sendable {
        /// By the name in lower case.
        var codes: [String: String] = [:]
        /// The first name of each code, by the code in capitals.
        var names: [String: String] = [:]
    }

    private(set) var partNumbers: [String: Int] = [:]
    private(set) var partNames: [String] = []
    /// For each part the one that it stands in for where that is missing; itself where there is none. Of several aliases
    /// the first counts.
    private(set) var standsFor: [Int] = []
    /// The same in countries where a name means something else.
    private(set) var localStandsFor: [String: [Int]] = [:]
    private(set) var countries: [String: Country] = [:]
    private(set) var likenesses: [String: Likeness] = [:]
    private(set) var territories: [String: [Within]] = [:]
    /// Parts that are places, from the neighbourhood to the country.
    private(set) var isPlace: [Bool] = []
    /// Parts that are written of a feature's address: places, street and number, not what the feature itself is.
    private(set) var isWrittenOfFeatures: [Bool] = []
    /// Parts that are towns.
    private(set) var towns: [Int] = []
    /// Names that may stand twice in a line, in lower case.
    private(set) var doubles: Set<String> = []
    /// By country, then by the number of the part whose codes they are.
    private(set) var regions: [String: [Int: RegionCodes]] = [:]
    /// By language and part, as they are written in the table: most addresses are not abbreviated.
    private var abbreviations: [String: [Int: String]] = [:]
    /// The languages of each country, its code in small letters.
    let languages: @Sendable () -> [String: [String]]

    /// The parts that the formatter itself asks for.
    struct Known: Sendable {
        var attention = 0, house = 0, houseNumber = 0, road = 0, place = 0, hamlet = 0, city = 0, postcode = 0,
            state = 0
        var stateCode = 0, county = 0, countyCode = 0, country = 0, countryCode = 0
    }
    private(set) var known = Known()

    /// Reads the three tables; their first lines say how they are written.
    ///
    /// - Throws: `AddressFormatsError` with the line and what is wrong, such as a part that no row of the table names.
    init(
        formats: String, regions: String, abbreviations: String, languages: @escaping @Sendable () -> [String: [String]]
    ) throws {
        self.languages = languages
        let table = Table("address-formats.tsv", formats)
        var layouts = Layouts()
        var lists: [(String, String)] = []
        try table.each { row in
            switch (row[0], row.count) {
            case ("part", 2...3):
                let part = add(row[1])
                for alias in row.count == 3 ? Self.list(row[2]) : [] { standsFor[add(alias)] = part }
            case ("list", 3): lists.append((row[1], row[2]))
            case ("layout", 3): layouts.texts[row[1]] = row[2]
            case ("twice", 2): doubles.insert(row[1].lowercased())
            case ("country", 3...4), ("nearest", 4), ("like", 3...5), ("within", 6), ("postcode", 3), ("say", 4),
                ("omit", 4):
                break
            default: throw Fault("\"\(row[0])\" with \(row.count) fields is no row of this table")
            }
        }
        do {
            try takeKnownParts()
            for (name, text) in lists { layouts.lists[name] = try choices(text) }
        } catch { throw table.error(0, error) }
        try table.each { row in
            guard row[0] == "country" else { return }
            let layout = try lines(row[2], &layouts)
            let sparse = try lines(row.count > 3 ? row[3] : "places", &layouts)
            for code in Self.list(row[1]) { countries[code] = Country(layout: layout, sparse: sparse) }
        }
        guard countries["*"] != nil else { throw table.error(0, Fault("no row says how all other countries write")) }
        try table.each { try take($0) }
        try Table("region-codes.tsv", regions).each { row in
            guard row.count == 4 else { throw Fault("country, part, code and names are expected") }
            let part = try number(row[1])
            let names = Self.list(row[3], ";")
            for name in names {
                self.regions[row[0], default: [:]][part, default: .init()].codes[name.lowercased()] = row[2]
            }
            self.regions[row[0]]?[part]?.names[row[2].uppercased()] = names.first
        }
        try Table("abbreviations.tsv", abbreviations).each { row in
            guard row.count == 3 else { throw Fault("language, part and words are expected") }
            self.abbreviations[row[0], default: [:]][try number(row[1])] = row[2]
        }
    }

    /// The country's own format, or that of everywhere else.
    func country(_ code: String) -> Country? { countries[code] ?? countries["*"] }

    /// What is written shorter in a language, by part, longest words first.
    func abbreviations(in language: String) throws -> [Int: [(long: String, short: String)]] {
        try (abbreviations[language] ?? [:]).mapValues { text in
            let words: [(long: String, short: String)] = try Self.list(text, ";").map { try Self.pair($0) }
            return words.sorted { $0.long.utf8.count > $1.long.utf8.count }
        }
    }

    // MARK: Reading

    private struct Fault: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    /// The rows of a file with their lines.
    private struct Table {
        let file: String
        private let rows: [(line: Int, fields: [String])]

        init(_ file: String, _ text: String) {
            self.file = file
            rows = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated().compactMap {
                guard let first = $1.first, first != UInt8(ascii: "#") else { return nil }
                return (
                    $0 + 1, $1.split(separator: 0x09, omittingEmptySubsequences: false).map { String(Substring($0)) }
                )
            }
        }

        func each(_ body: ([String]) throws -> Void) throws {
            for (line, fields) in rows {
                do { try body(fields) } catch { throw self.error(line, error) }
            }
        }

        func error(_ line: Int, _ error: any Error) -> AddressFormatsError {
            AddressFormatsError(file: file, line: line, reason: "\(error)")
        }
    }

    private mutating func take(_ row: [String]) throws {
        switch row[0] {
        case "nearest":
            let part = try number(row[1])
            for code in Self.list(row[2]) {
                for alias in Self.list(row[3]) { localStandsFor[code, default: standsFor][try number(alias)] = part }
            }
        case "like":
            guard countries[row[2]] != nil else { throw Fault("\(row[1]) is like \(row[2]), which has no format") }
            var likeness = Likeness(model: row[2], countryLine: [], part: nil)
            if row.count > 3 { likeness.countryLine = try pieces(row[3]) }
            if row.count > 4 {
                let (part, text) = try Self.pair(row[4])
                likeness.part = (try number(part), text)
            }
            likenesses[row[1]] = likeness
        case "part", "list", "layout", "country", "twice": break
        case "within":
            territories[row[1], default: []].append(
                Within(
                    part: try number(row[2]), pattern: AddressPattern(row[3]), territory: row[4], name: row[5]))
        case "postcode":
            try change(row[1]) { $0.postcode = Array(row[2].utf8) }
        case "say":
            let part = row[2] == "*" ? nil : try number(row[2])
            let sayings = Self.list(row[3], ";").map { Saying(part: part, pattern: AddressPattern($0)) }
            try change(row[1]) { $0.sayings += sayings }
        default:
            let parts = try Self.list(row[2]).map { try number($0) }
            let condition: Omission.Condition
            if let open = row[3].firstIndex(of: "{"), let close = row[3].firstIndex(of: "}") {
                condition = .own(
                    before: String(row[3][..<open]), try number(String(row[3][row[3].index(after: open)..<close])),
                    after: String(row[3][row[3].index(after: close)...]))
            } else {
                let (other, text) = try Self.pair(row[3])
                condition = .other(try number(other), text)
            }
            try change(row[1]) { country in
                country.omissions += parts.map { Omission(part: $0, condition: condition) }
            }
        }
    }

    private mutating func change(_ codes: String, _ body: (inout Country) -> Void) throws {
        for code in Self.list(codes) {
            guard var country = countries[code] else { throw Fault("\(code) has no format") }
            body(&country)
            countries[code] = country
        }
    }

    private mutating func takeKnownParts() throws {
        known.attention = try number("attention")
        known.house = try number("house")
        known.houseNumber = try number("house_number")
        known.road = try number("road")
        known.place = try number("place")
        known.hamlet = try number("hamlet")
        known.city = try number("city")
        known.postcode = try number("postcode")
        known.state = try number("state")
        known.stateCode = try number("state_code")
        known.county = try number("county")
        known.countyCode = try number("county_code")
        known.country = try number("country")
        known.countryCode = try number("country_code")
        let street = [known.attention, known.house, known.houseNumber, known.road]
        let others = street + [known.postcode, known.countryCode]
        isPlace = standsFor.map { !others.contains($0) }
        isWrittenOfFeatures = standsFor.map { $0 != known.attention && $0 != known.house }
        towns = try ["city", "town", "village", "municipality", "hamlet"].map { try number($0) }
    }

    private mutating func add(_ name: String) -> Int {
        if let known = partNumbers[name] { return known }
        partNumbers[name] = partNames.count
        standsFor.append(partNames.count)
        partNames.append(name)
        return partNames.count - 1
    }

    private func number(_ name: String) throws -> Int {
        guard let number = partNumbers[name] else { throw Fault("there is no part \"\(name)\"") }
        return number
    }

    private static func list(_ text: String, _ separator: Unicode.Scalar = ",") -> [String] {
        text.utf8.split(separator: UInt8(ascii: separator)).map { String(Substring($0)) }
    }

    private static func pair(_ text: String) throws -> (String, String) {
        let sides = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { throw Fault("\"\(text)\" is not name=text") }
        return (String(Substring(sides[0])), String(Substring(sides[1])))
    }

    // MARK: Layouts

    /// Layouts and lists by their names, and those that have been put together.
    private struct Layouts {
        var texts: [String: String] = [:]
        var lists: [String: [AddressLine.Choice]] = [:]
        var made: [String: [AddressLine]] = [:]
    }

    /// The lines of a layout that is given by its name or written out.
    private func lines(_ text: String, _ layouts: inout Layouts) throws -> [AddressLine] {
        if let made = layouts.made[text] { return made }
        var written = text
        if !text.utf8.contains(UInt8(ascii: "{")) {
            guard let named = layouts.texts[text] else { throw Fault("there is no layout \"\(text)\"") }
            written = named
        }
        let lines = try Self.list(written, "|").map { AddressLine(pieces: try pieces($0, layouts.lists)) }
        layouts.made[text] = lines
        return lines
    }

    private func pieces(_ template: String, _ lists: [String: [AddressLine.Choice]] = [:]) throws -> [AddressLine.Piece]
    {
        var result: [AddressLine.Piece] = []
        var rest = template.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            if open > rest.startIndex { result.append(.text(Self.lineBreaks(rest[..<open]))) }
            let after = rest.index(after: open)
            guard let close = rest[after...].firstIndex(of: UInt8(ascii: "}")) else {
                throw Fault("\"{\" without \"}\" in \"\(template)\"")
            }
            result.append(.parts(try choices(String(Substring(rest[after..<close])), lists)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { result.append(.text(Self.lineBreaks(rest))) }
        return result
    }

    private func choices(_ text: String, _ lists: [String: [AddressLine.Choice]] = [:]) throws -> [AddressLine.Choice] {
        try Self.list(text, "/").flatMap { choice throws -> [AddressLine.Choice] in
            if let list = lists[choice] { return list }
            if let part = partNumbers[choice] { return [.one(part)] }
            if let blank = choice.firstIndex(of: " ") {
                let behind = choice.index(after: blank)
                return [.worded(String(choice[..<behind]), try number(String(choice[behind...])))]
            }
            let sides = choice.split { $0 == "+" || $0 == "&" }.map(String.init)
            guard sides.count == 2 else { return [.one(try number(choice))] }
            return [.two(try number(sides[0]), choice.contains("&") ? ", " : " ", try number(sides[1]))]
        }
    }

    private static func lineBreaks(_ text: Substring.UTF8View) -> String {
        String(decoding: text.map { $0 == UInt8(ascii: "|") ? 0x0a : $0 }, as: UTF8.self)
    }
}

/// A table of address formats that cannot be read.
public struct AddressFormatsError: Error, CustomStringConvertible {
    public var file: String
    /// From 1; 0 where the fault is known only when all has been read.
    public var line: Int
    public var reason: String

    public var description: String { "\(file)\(line > 0 ? ", line \(line)" : ""): \(reason)" }
}

/// One line of a layout.
struct AddressLine: Sendable {
    /// What may stand at a place of the line.
    enum Choice: Sendable {
        case one(Int)
        /// Two parts with a text between; one alone will do.
        case two(Int, String, Int)
        /// A part with a word before it.
        case worded(String, Int)
    }

    enum Piece: Sendable {
        case text(String)
        /// The first of these that has a value.
        case parts([Choice])
    }

    var pieces: [Piece]

    /// Whether the part is one of those that may stand here.
    func has(_ part: Int) -> Bool { position(of: part) != nil }

    /// Where in the line the part may stand.
    func position(of part: Int) -> Int? {
        pieces.firstIndex { piece in
            guard case .parts(let choices) = piece else { return false }
            return choices.contains { choice in
                switch choice {
                case .one(let one), .worded(_, let one): one == part
                case .two(let one, _, let other): one == part || other == part
                }
            }
        }
    }

    /// The line with these parts, texts only between two that are there, and one at the end behind the last part.
    func text(_ value: (Int) -> String?) -> String {
        var line = ""
        // What stands between the last part that was there and the next.
        var between = ""
        var isLastThere = false
        for piece in pieces {
            switch piece {
            case .text(let text): between += text
            case .parts(let choices):
                var found: String?
                for choice in choices {
                    found = Self.text(choice, value)
                    if found != nil { break }
                }
                // An empty text is a part that goes without saying.
                isLastThere = !(found ?? "").isEmpty
                guard let found, !found.isEmpty else { continue }
                line += (line.isEmpty ? "" : Self.separator(between)) + found
                between = ""
            }
        }
        if isLastThere, !between.isEmpty, between != " " { line += between }
        return line
    }

    private static func text(_ choice: Choice, _ value: (Int) -> String?) -> String? {
        switch choice {
        case .one(let part): return value(part)
        case .worded(let word, let part): return value(part).map { word + $0 }
        case .two(let one, let between, let other):
            guard let first = value(one) else { return value(other) }
            guard let second = value(other) else { return first }
            return first + between + second
        }
    }

    /// Of all that stood between two parts, those between them being missing: the comma, or else what stood there.
    private static func separator(_ between: String) -> String {
        if between.utf8.contains(0x2c) { return ", " }
        return between.utf8.allSatisfy { $0 == 0x20 } && !between.isEmpty ? " " : between
    }
}
