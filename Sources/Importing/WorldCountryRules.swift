import GazetteerData
import OpenStreetMap

extension CountryRules {
    /// The rules of a country out of the table of facts.
    public init(_ facts: CountryFacts) {
        self.init(
            code: facts.code.lowercased(), drivesOnLeft: facts.drivesOnLeft, usesMiles: facts.usesMiles,
            urbanSpeed: facts.urbanSpeed, ruralSpeed: facts.ruralSpeed, motorwaySpeed: facts.motorwaySpeed,
            numberComesFirst: facts.numberComesFirst)
    }

    /// The rules of all countries by their codes in capital letters, as `CountryOutlines.country(at:)` gives them.
    public static func all() throws -> [String: CountryRules] {
        Dictionary(try CountryFacts.load().map { ($0.code, CountryRules($0)) }, uniquingKeysWith: { first, _ in first })
    }
}
