import Foundation

/// What `countries.tsv` says of a country: its names, its rules of the road, its way of writing addresses.
public struct CountryFacts: Sendable, Equatable {
    /// A name in one of the country's own languages.
    public struct Name: Sendable, Equatable {
        /// BCP 47.
        public var language: String
        public var name: String
    }

    /// ISO 3166-1 alpha-2 in capital letters; `XK` for Kosovo.
    public var code: String
    /// In English.
    public var name: String
    /// In the country's own languages, where known.
    public var names: [Name]
    public var drivesOnLeft: Bool
    /// Whether speed signs and distances are in miles.
    public var usesMiles: Bool
    /// The common speed limits for cars in km/h where no sign says otherwise.
    public var urbanSpeed: Double
    public var ruralSpeed: Double
    public var motorwaySpeed: Double
    /// Whether the house number is written before the street.
    public var numberComesFirst: Bool
    /// Languages of public life, the most used first (BCP 47).
    public var languages: [String]

    /// Reads the table that the product carries: some 250 countries in the order of their codes. Costs about a
    /// millisecond; keep the result.
    public static func load() throws -> [CountryFacts] {
        try parse(String(decoding: GazetteerData.contents("countries.tsv"), as: UTF8.self))
    }

    /// Reads a table of this form: lines that start with `#` are comments, the first other line names the columns.
    static func parse(_ text: String) throws -> [CountryFacts] {
        var isHeader = true
        var countries: [CountryFacts] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if isHeader {
                isHeader = false
                continue
            }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 10, let urban = Double(fields[5]), let rural = Double(fields[6]),
                let motorway = Double(fields[7])
            else { throw CountryFactsError(line: index + 1) }
            let names = fields[2].split(separator: ";").compactMap { pair -> Name? in
                let sides = pair.split(separator: "=", maxSplits: 1)
                return sides.count == 2 ? Name(language: String(sides[0]), name: String(sides[1])) : nil
            }
            countries.append(
                CountryFacts(
                    code: fields[0], name: fields[1], names: names, drivesOnLeft: fields[3] == "left",
                    usesMiles: fields[4] == "mi", urbanSpeed: urban, ruralSpeed: rural, motorwaySpeed: motorway,
                    numberComesFirst: fields[8] == "before",
                    languages: fields[9].split(separator: ",").map(String.init)))
        }
        return countries
    }
}

/// A line of `countries.tsv` that cannot be read.
public struct CountryFactsError: Error, CustomStringConvertible {
    /// From 1.
    public var line: Int

    public var description: String { "countries.tsv, line \(line): ten columns with three speeds are expected" }
}
