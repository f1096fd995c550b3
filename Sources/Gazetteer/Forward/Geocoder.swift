import Foundation
import Geometry
import OpenStreetMap

extension Gazetteer {
    /// Finds an address, a place or a name.
    ///
    /// An unknown house number gives its street. A street, or a name that leads the text, that nothing is found for gives
    /// no match: `unmatchedToken` names the word and `nearMisses` the coarser places. Cost: commonly a few dozen look-ups
    /// of names, at most 300 however long the text and common its words; then the places around at most 160 features, and
    /// the house numbers of at most 60.
    ///
    /// Where no answer explains every word, words are read as near ones that the atlas knows (`SpellingSearch`): one edit
    /// from 4 letters on, two from 8, numbers never. Such answers tell what was corrected and score lower. At most some ten
    /// further readings of the text are tried. Throws `DatabaseError` for a damaged atlas.
    public func geocode(_ query: GeocodeQuery) throws -> GeocodeAnswer {
        try withDatabase { database in
            var question = GeocodeQuestion(query, knowledge: try text(database), database: database)
            return try question.answer()
        }
    }
}

/// One forward query at work.
///
/// The names that lie in the text are looked up from its rarer words (`retrieve`). Each feature so found is a candidate:
/// what its name leaves over must be explained by the places around it, its postcode, a house number, country and state
/// words (`evaluate`). The share of the text that is explained is its score.
struct Geocoder {
    typealias Mask = QueryReading.Mask

    /// Rows read for one word, and features whose surroundings are looked at. Names are stored by importance, so that the
    /// best-known bearers of a common word are among them.
    static let rowsPerWord = 300
    static let rowsPerCell = 60
    /// What the lists of the words of an expression cost to read and to join, beside the rows.
    static let chargeOfExpression = 3
    static let candidatesInFull = 160
    /// Of those, the ones that are looked at first, in the hope that no other is needed.
    static let candidatesAtFirst = 12
    static let candidatesWithNumbers = 60

    let query: GeocodeQuery
    let knowledge: GazetteerText
    let database: Database
    let reading: QueryReading
    /// The text that was read, and where the structured fields lie in it.
    let text: String
    private let spans: [(field: Field, span: Range<Int>)]
    /// Words that are read otherwise than they were written.
    let corrections: [Correction]
    /// Positions of the tokens of each structured field.
    var fieldMasks: [Field: Mask] = [:]
    /// The country whose code the field of the country holds.
    private(set) var countryOfField: String?

    enum Field { case name, street, postcode, city, county, state, country }

    var names: [Int64: [NameMatch]] = [:]
    var order: [Int64] = []
    /// Features that words of the places around them, or a postcode, led to.
    var hinted: Set<Int64> = []
    /// Features that lie near the point that is preferred.
    var nearBy: Set<Int64> = []
    var rows: [Int64: Candidate] = [:]
    var knownPlaces: [(mask: Mask, candidate: Candidate)] = []
    var streetLines: [Int64: [(line: [Coordinate], box: BoundingBox)]] = [:]
    /// Look-ups of names that are left to the query: some for words together, the last for each word by itself.
    var lookUpsLeft = 300
    /// Rows of names that are left to it; an address commonly needs some hundred.
    var nameRowsLeft = 12_000
    /// What `run` found: answers, best first, and readings that are none.
    var accepted: [Reading] = []
    var refused: [Reading] = []
    /// Readings that were judged.
    var evaluated = 0
    static let lookUpsOfSingleWords = 100
    /// Bytes of a structured field that are read.
    static let longestField = 512
    /// What a request may cost over all gazetteers before nothing more is tried, and what one reading of the text may
    /// (`Database.effort`). An address with a typing error commonly costs some hundred.
    static let mostEffort = 2_500.0
    static let effortOfReading = 900.0
    /// The effort of the connection at which this reading must come to its end.
    private let effortLimit: Double
    /// The same for all readings of the request together.
    let effortLimitOfRequest: Double
    /// Whether no more than what is at hand is to be looked at.
    var isSpent: Bool { database.effort >= effortLimit }

    /// The columns of a feature that scoring needs.
    struct Candidate {
        var id: Int64
        var kind: FeatureKind
        var rank: Int
        var searchRank: Int
        var postcode: String?
        var country: String?
        var parent: Int64?
        var context: Int64?
        var importance: Double
        var box: BoundingBox
        var houseNumber: String?

        var isPlace: Bool { kind.rawValue <= FeatureKind.postcode.rawValue }
        var center: Coordinate {
            Coordinate(latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
        }
    }

    /// One way of reading the query.
    struct Reading {
        var candidate: Candidate
        /// The tokens of the name alone.
        var own: Mask
        var used: Mask
        /// Of those, the ones explained only loosely (a place near by).
        var loose: Mask = 0
        /// Of those, the ones that only tags of addresses explain, though no place of the name contains it.
        var byTag: Mask = 0
        var coverage: Double
        var sort: TextIndexBuilder.Sort
        var house: House?
        var crossing: (street: Int64, at: Coordinate)?
        var matchedStreet = false
        var matchedContext = false
        var contradicts = false
        var numberMask: Mask = 0
        var score = 0.0
        /// What of the place explains which tokens; kept only for an explanation.
        var parts: [(mask: Mask, by: Part)]?
        /// Whether a town of the same name stands before it where both explain the text equally well.
        var yieldsToTown = false
    }

    /// A house number that was found.
    struct House {
        var feature: Feature
        var location: Coordinate
        var number: String?
        var isInterpolated: Bool
    }

    init(_ query: GeocodeQuery, knowledge: GazetteerText, database: Database) {
        let (text, spans) = Self.text(of: query)
        self.init(
            query, knowledge: knowledge, database: database, text: text, spans: spans,
            reading: QueryReading(text, knowledge), corrections: [])
    }

    /// The same query with other words in the place of some.
    init(_ asked: Geocoder, words: [TextFold.Word], corrections: [Correction]) {
        self.init(
            asked.query, knowledge: asked.knowledge, database: asked.database, text: asked.text, spans: asked.spans,
            reading: QueryReading(asked.text, words: words, asked.knowledge), corrections: corrections)
    }

    private init(
        _ query: GeocodeQuery, knowledge: GazetteerText, database: Database, text: String,
        spans: [(field: Field, span: Range<Int>)], reading: QueryReading, corrections: [Correction]
    ) {
        self.query = query
        self.knowledge = knowledge
        self.database = database
        self.text = text
        self.spans = spans
        self.corrections = corrections
        let left = max(0, Self.mostEffort - query.effortSpent)
        effortLimit = database.effort + min(Self.effortOfReading, left)
        effortLimitOfRequest = database.effort + left
        for (field, span) in spans {
            var mask: Mask = 0
            for index in reading.tokens.indices where span.contains(reading.tokens[index].range.lowerBound) {
                mask |= QueryReading.bit(index)
            }
            fieldMasks[field] = mask
        }
        var known = reading
        if let mask = fieldMasks[.country], let country = knowledge.regions.country(code: query.fields?.country ?? "") {
            // A code in the field of the country is no state's.
            let region = RegionLexicon.Region(country: country, state: nil, isCode: false, written: "")
            known.regions.removeAll { $0.mask & mask != 0 }
            known.regions.append(QueryReading.Region(mask: mask, region: region))
            known.regions.sort { $0.mask.nonzeroBitCount > $1.mask.nonzeroBitCount }
            countryOfField = country
        }
        self.reading = known
    }

    /// The query as one text, with the places of its fields in UTF-8 bytes.
    private static func text(of query: GeocodeQuery) -> (String, [(field: Field, span: Range<Int>)]) {
        guard let fields = query.fields else { return (query.text, []) }
        var text = ""
        var spans: [(Field, Range<Int>)] = []
        func add(_ field: Field, _ value: String?) {
            guard let value, !value.allSatisfy(\.isWhitespace) else { return }
            if !text.isEmpty { text += ", " }
            let start = text.utf8.count
            // A comma would part the field; no field is longer.
            let bytes = value.utf8.prefix(Self.longestField).map { $0 == UInt8(ascii: ",") ? UInt8(ascii: " ") : $0 }
            text += String(decoding: bytes, as: UTF8.self)
            spans.append((field, start..<text.utf8.count))
        }
        add(.name, fields.name)
        add(.street, [fields.street, fields.houseNumber].compactMap { $0 }.joined(separator: " "))
        add(.city, fields.city)
        add(.county, fields.county)
        add(.state, fields.state)
        add(.postcode, fields.postcode)
        add(.country, fields.country)
        return (text, spans)
    }

    /// Finds all ways of reading the query, and parts those that answer it (`accepted`) from the others (`refused`).
    mutating func run() throws {
        guard !reading.tokens.isEmpty else { return }
        try retrieve()
        var promising = promisingFeatures()
        if promising.count > Self.candidatesAtFirst, promising[0].value <= promising[Self.candidatesAtFirst].value {
            try lookNamesakesUp(of: promising[0].feature)
            promising = promisingFeatures()
        }
        var readings = try readingsOfFirst(promising) ?? []
        if readings.isEmpty {
            let candidates = try candidates(promising.map(\.feature))
            readings = try evaluateAll(candidates)
            readings += try intersections(candidates)
        }
        evaluated = readings.count
        readings = readings.filter(passesFilters)
        preferPlaces(&readings)

        for reading in readings {
            if refusal(of: reading) == nil { accepted.append(reading) } else { refused.append(reading) }
        }
        rank(&accepted)
        rank(&refused)
        if let best = accepted.first {
            let enough = best.score * 0.9
            accepted.removeAll { $0.score < enough }
        }
    }

    /// The readings of the first features alone, where one of them explains the whole text by its own name and its
    /// surroundings, and the names of all others say less of it; else nil.
    private mutating func readingsOfFirst(_ promising: [(feature: Int64, value: Double)]) throws -> [Reading]? {
        // Two streets that meet may be any two of them.
        guard reading.joints.isEmpty, promising.count > Self.candidatesAtFirst else { return nil }
        let next = promising[Self.candidatesAtFirst].value
        guard promising[0].value > next else { return nil }
        let first = promising.prefix(Self.candidatesAtFirst)
        let readings = try evaluateAll(try candidates(first.map(\.feature)))
        let values = Dictionary(first.map { ($0.feature, $0.value) }) { a, _ in a }
        let isSettled = readings.contains { result in
            reading.significant & ~result.used == 0 && result.loose == 0 && !result.contradicts
                && result.coverage > 0.98 && result.sort == .name && (values[result.candidate.id] ?? 0) > next
                && passesFilters(result) && refusal(of: result) == nil
        }
        if !isSettled { knownPlaces = [] }
        return isSettled ? readings : nil
    }

    /// All readings of some features, with their houses for the best.
    private mutating func evaluateAll(_ candidates: [Candidate]) throws -> [Reading] {
        var readings: [Reading] = []
        for candidate in candidates {
            for match in names[candidate.id] ?? [] where match.coverage >= 0.45 {
                readings.append(try evaluate(candidate, match))
            }
        }
        readings.sort { Self.comesFirst($0, $1) }
        if readings.count > Self.candidatesWithNumbers {
            readings.removeLast(readings.count - Self.candidatesWithNumbers)
        }
        for index in readings.indices {
            // The best few in any case.
            if index >= Self.candidatesAtFirst, isSpent {
                readings.removeSubrange(index...)
                break
            }
            try findHouse(&readings[index])
        }
        return readings
    }

    /// The words that the best reading leaves over, numbers apart.
    func wordsLeft(by result: Reading) -> Mask { reading.significant & ~result.used & ~digits }

    /// Whether an answer explains every word, numbers apart.
    var explainsEverything: Bool {
        guard let best = accepted.first else { return false }
        return !best.contradicts && wordsLeft(by: best) == 0
    }
}
