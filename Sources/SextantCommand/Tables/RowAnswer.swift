import Gazetteer
import Geometry
import Locking
import Sextant
import Tables

/// What is added to a row.
struct RowAnswer: Sendable, Equatable {
    /// How it ended, for the counts: a precision (`house`, `street` ...), or one of `unmatched` and `damaged`.
    var outcome: String
    var latitude: Double?
    var longitude: Double?
    var quality: Double?
    var precision = ""
    /// Metres from the asked point.
    var distance: Double?
    var label = ""
    var street = ""
    var number = ""
    var postcode = ""
    var city = ""
    var country = ""
    var id = ""
    /// What is not as it was asked for; empty where all is.
    var reason = ""
    /// Whose data it is.
    var attribution: String?

    static let unmatched = "unmatched"
    static let damaged = "damaged"

    /// A row without a place.
    init(_ outcome: String, reason: String) {
        self.outcome = outcome
        self.reason = reason
    }

    init(_ place: FoundPlace, reason: String) {
        precision = place.quality?.precision.rawValue ?? Self.precision(of: place)
        outcome = precision
        latitude = place.coordinate.latitude
        longitude = place.coordinate.longitude
        quality = place.quality.map { min(max($0.score, 0), 1) }
        distance = place.quality == nil ? place.distance : nil
        label = place.title
        street = place.address.street ?? ""
        number = place.address.houseNumber ?? ""
        postcode = place.address.postcode ?? ""
        city = place.address.city ?? ""
        country = place.address.countryCode?.uppercased() ?? place.feature.country?.uppercased() ?? ""
        id = place.idText
        self.reason = reason
        if !place.source.attribution.isEmpty { attribution = "\(place.source.attribution) (\(place.source.licence))" }
    }

    /// What a reverse look-up found, in the words of `MatchQuality.Precision`.
    private static func precision(of place: FoundPlace) -> String {
        switch place.feature.kind {
        case .address: "house"
        case .interpolation: "interpolated"
        case .street: "street"
        case .country, .region, .county, .municipality, .place, .suburb, .postcode: "place"
        default: "poi"
        }
    }

    /// The names of what is added, without their prefix.
    static func columns(isReverse: Bool) -> [String] {
        ["lat", "lon", isReverse ? "distance" : "quality"]
            + ["precision", "label", "street", "number", "postcode", "city", "country", "id", "reason"]
    }

    /// A number with its decimals, or a text.
    enum Value: Equatable {
        case number(Double?, decimals: Int)
        case text(String)
    }

    /// The values in the order of `columns`.
    func values(isReverse: Bool) -> [Value] {
        [
            .number(latitude, decimals: 7), .number(longitude, decimals: 7),
            isReverse ? .number(distance, decimals: 1) : .number(quality, decimals: 3),
        ] + [precision, label, street, number, postcode, city, country, id, reason].map { .text($0) }
    }
}

/// Answers the questions of rows. Rows that ask the same are answered once.
final class RowAnswers: Sendable {
    private let atlas: Atlas
    private let template: GeocodeQuery
    private let options: ReverseOptions
    private let known = Mutex<[RowQuestion: RowAnswer]>([:])
    private static let mostKnown = 50_000

    /// - Parameters:
    ///   - template: what all forward questions have in common.
    ///   - options: what all questions of points have in common.
    init(_ atlas: Atlas, template: GeocodeQuery, options: ReverseOptions) {
        self.atlas = atlas
        self.template = template
        self.options = options
    }

    /// - Throws: what tells that the atlas cannot be read; a row that finds nothing has its reason in the answer.
    func answer(_ question: RowQuestion) throws -> RowAnswer {
        if let answer = known.withLock({ $0[question] }) { return answer }
        let answer = try fresh(question)
        known.withLock { known in
            if known.count >= Self.mostKnown { known.removeAll() }
            known[question] = answer
        }
        return answer
    }

    /// The answer, found anew.
    func fresh(_ question: RowQuestion) throws -> RowAnswer {
        var query = template
        switch question {
        case .none(let reason): return RowAnswer(RowAnswer.unmatched, reason: reason)
        case .point(let latitude, let longitude):
            let point = Coordinate(latitude: latitude, longitude: longitude)
            guard let place = try atlas.reverse(point, options: options) else {
                return RowAnswer(RowAnswer.unmatched, reason: "nothing known there")
            }
            return RowAnswer(place, reason: "")
        case .text(let text): query.text = text
        case .fields(let values):
            query.fields = GeocodeQuery.Fields(
                street: values[.street], houseNumber: values[.number], postcode: values[.postcode],
                city: values[.city], county: values[.county], state: values[.state], country: values[.country])
        }
        let found = try atlas.geocode(query)
        guard let best = found.places.first else {
            return RowAnswer(RowAnswer.unmatched, reason: Self.unmatched(found))
        }
        return RowAnswer(best, reason: Self.doubts(best, others: found.places.dropFirst()))
    }

    private static func unmatched(_ found: FoundPlaces) -> String {
        var reason = "nothing found"
        if let token = found.unmatchedToken {
            reason =
                "no place explains \"\(token)\""
                + (found.isUnmatchedTokenKnown
                    ? ", a name elsewhere or of something else" : ", in no name of the atlas")
        }
        if let near = found.nearMisses.first?.title, !near.isEmpty { reason += "; close: \(near)" }
        return reason
    }

    private static func doubts(_ best: FoundPlace, others: ArraySlice<FoundPlace>) -> String {
        guard let quality = best.quality else { return "" }
        var doubts = quality.corrections.map { "\"\($0.written)\" read as \"\($0.read)\"" }
        if !quality.unmatched.isEmpty {
            doubts.append("without " + quality.unmatched.map { "\"\($0)\"" }.joined(separator: ", "))
        }
        let same = others.first { other in
            other.quality.map { $0.score >= quality.score - 0.001 && $0.precision == quality.precision } ?? false
                && other.coordinate.distance(to: best.coordinate) > 200
        }
        if let same { doubts.append("fits as well: \(same.title)") }
        return doubts.joined(separator: "; ")
    }
}
