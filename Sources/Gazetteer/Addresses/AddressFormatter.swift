import Foundation
import GazetteerData

/// Writes postal addresses as the country of the address does: number before or after the street, postcode before or
/// after the town, a line for each part.
///
///     let formatter = try AddressFormatter.shared
///     formatter.lines(try gazetteer.address(of: feature), name: feature.name)
///     // ["Café Amadé", "Städtle 13", "9490 Vaduz", "Liechtenstein"]
///     formatter.lines(["house_number": "301", "road": "Hamilton Avenue", "city": "Palo Alto", "state": "California",
///         "postcode": "94303", "country_code": "us"], abbreviating: true)
///     // ["301 Hamilton Ave", "Palo Alto, CA 94303"]
///
/// Every country of ISO 3166 has its format (`gazetteer/lexicons/address-formats.tsv`). An address with neither street nor
/// postcode is written as places within places. Costs a few microseconds an address.
public struct AddressFormatter: Sendable {
    /// The tables, shared by all copies: every found place has one.
    private final class Tables: Sendable {
        let formats: AddressFormats
        init(_ formats: AddressFormats) { self.formats = formats }
    }

    private let tables: Tables
    var formats: AddressFormats { tables.formats }

    /// With the formats that came with the program. Throws where a table cannot be found or read.
    public static var shared: AddressFormatter { get throws { try bundled.get() } }

    private static let bundled: Result<AddressFormatter, any Error> = Result {
        func table(_ name: String) throws -> String {
            try String(contentsOf: GazetteerData.url("lexicons/\(name).tsv"), encoding: .utf8)
        }
        return try AddressFormatter(
            formats: table("address-formats"), regions: table("region-codes"), abbreviations: table("abbreviations"),
            languages: { languages })
    }

    /// Read when something is first abbreviated.
    private static let languages: [String: [String]] = {
        let countries = (try? CountryFacts.load()) ?? []
        return Dictionary(countries.map { ($0.code.lowercased(), $0.languages) }) { first, _ in first }
    }()

    /// Reads tables of the forms that their first lines describe; `languages` gives those of each country, by its code
    /// in small letters, and is asked when something is abbreviated.
    ///
    /// - Throws: `AddressFormatsError` for a line that cannot be read, or one that names a part or layout that there is not.
    public init(
        formats: String, regions: String = "", abbreviations: String = "",
        languages: @escaping @Sendable () -> [String: [String]] = { [:] }
    ) throws {
        tables = Tables(
            try AddressFormats(formats: formats, regions: regions, abbreviations: abbreviations, languages: languages))
    }

    /// The countries and territories that have a format of their own: ISO 3166-1 alpha-2, small letters.
    public var countries: Set<String> {
        Set(formats.countries.keys).union(formats.likenesses.keys).subtracting(["*"])
    }

    /// What the parts of an address may be called, aliases included: `house_number`, `road`, `city`, `postcode` ...
    public var partNames: Set<String> { Set(formats.partNames) }

    /// The code of a state in its country (ISO 3166-2), `CA` for California in `us`; nil where it is not known.
    public func stateCode(of name: String, country: String) -> String? {
        formats.regions[country.lowercased()]?[formats.known.state]?.codes[name.lowercased()]
    }

    // MARK: Parts by name

    /// The lines of an address whose parts have the names that OpenStreetMap and Nominatim give them: `house_number`, `road`,
    /// `suburb`, `city`, `state`, `postcode`, `country`, `country_code` and their like (`partNames`).
    ///
    /// What has another name (`restaurant`, `museum`, a recipient) makes the first line. Values without a letter or digit
    /// and links are left out, lists of postcodes too; names of districts lose their "District of", codes of states are
    /// found where the country writes them, and nothing is said twice.
    ///
    /// - Parameters:
    ///   - country: the code of the country to write for, instead of `country_code`.
    ///   - abbreviating: whether words such as "Avenue" are shortened, in the languages of the country.
    /// - Returns: the lines from top to bottom; empty where no part has a value.
    public func lines(_ parts: [String: String], country: String? = nil, abbreviating: Bool = false) -> [String] {
        var address = WrittenAddress(formats)
        var others: [String] = []
        for (name, value) in parts.sorted(by: { $0.key < $1.key }) {
            guard let value = WrittenAddress.cleaned(value) else { continue }
            if let part = formats.partNumbers[name], part != formats.known.attention {
                address.set(part, value)
            } else {
                others.append(value)
            }
        }
        if !others.isEmpty { address.set(formats.known.attention, others.joined(separator: ", ")) }
        return address.lines(country: country, abbreviating: abbreviating, keepsCountry: false)
    }

    /// The same in one line: `Städtle 13, 9490 Vaduz, Liechtenstein`.
    public func line(_ parts: [String: String], country: String? = nil, abbreviating: Bool = false) -> String {
        lines(parts, country: country, abbreviating: abbreviating).joined(separator: ", ")
    }

    // MARK: Parts of a gazetteer

    /// The lines of the address; empty where it has no part that a postal address names. Only places, streets and numbers
    /// count: the name of the shop or building itself is `name`. The country has the name that the parts give it.
    ///
    /// - Parameter name: who or what stands in the first line; nil for none.
    public func lines(_ parts: AddressParts, name: String? = nil) -> [String] {
        let known = formats.known
        var address = WrittenAddress(formats)
        for part in parts.parts {
            guard let number = formats.partNumbers[part.label], formats.isWrittenOfFeatures[number],
                !address.has(number), let value = WrittenAddress.cleaned(part.name)
            else { continue }
            address.set(number, value)
        }
        if let city = parts.city, let city = WrittenAddress.cleaned(city),
            !formats.towns.contains(where: { address.has($0) })
        {
            address.set(known.city, city)
        }
        // A house without a street belongs to its village.
        if address.has(known.houseNumber), parts.street == nil, !address.has(known.road), !address.has(known.place),
            !address.has(known.hamlet), let place = parts.suburb ?? parts.city
        {
            address.set(known.road, place)
        }
        guard !address.isEmpty else { return [] }
        if let name, let name = WrittenAddress.cleaned(name) { address.set(known.attention, name) }
        return address.lines(country: nil, abbreviating: false, keepsCountry: true)
    }

    /// All in one line: `Städtle 13, 9490 Vaduz, Liechtenstein`.
    public func line(_ address: AddressParts, name: String? = nil) -> String {
        lines(address, name: name).joined(separator: ", ")
    }

    /// Street and house number in the order of the country (its code; nil for the most common order): `Städtle 13`,
    /// `13 High Street`.
    public func street(_ street: String, number: String?, country: String?) -> String {
        guard let number, !number.isEmpty else { return street }
        let code = country?.lowercased() ?? "*"
        let layout = formats.country(formats.likenesses[code]?.model ?? code)?.layout ?? []
        let known = formats.known
        if let line = layout.first(where: { $0.has(known.road) && $0.has(known.houseNumber) }) {
            return line.text { $0 == known.road ? street : $0 == known.houseNumber ? number : nil }
        }
        let isNumberFirst =
            (layout.firstIndex { $0.has(known.houseNumber) } ?? .max)
            < (layout.firstIndex { $0.has(known.road) } ?? .max)
        return isNumberFirst ? "\(number) \(street)" : "\(street) \(number)"
    }
}
