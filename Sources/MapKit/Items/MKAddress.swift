/// An address as text.
open class MKAddress: NSObject, NSCopying, @unchecked Sendable {
    /// All of it, lines joined.
    public let fullAddress: String
    /// Street and number.
    public let shortAddress: String?

    /// Nil where the full address is empty.
    public init?(fullAddress: String, shortAddress: String?) {
        guard !fullAddress.isEmpty else { return nil }
        self.fullAddress = fullAddress
        self.shortAddress = shortAddress
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An address in several forms for people.
open class MKAddressRepresentations: NSObject, @unchecked Sendable {
    /// How much stands beside a city's name.
    public enum ContextStyle: Int, Sendable {
        /// The state or, without one, the country.
        case automatic = 0
        /// The state.
        case short = 1
        /// State and country.
        case full = 2
    }

    private let parts: CLPlacemark.Parts

    init(_ parts: CLPlacemark.Parts) { self.parts = parts }

    /// The town.
    open var cityName: String? { parts.locality }
    /// The town with what tells it from others of its name.
    open var cityWithContext: String? { cityWithContext(.automatic) }

    open func cityWithContext(_ style: ContextStyle) -> String? {
        guard let city = parts.locality else { return nil }
        let context: [String?] =
            switch style {
            case .automatic: [parts.administrativeArea ?? parts.country]
            case .short: [parts.administrativeArea]
            case .full: [parts.administrativeArea, parts.country]
            }
        return ([city] + context.compactMap { $0 }.filter { $0 != city }).joined(separator: ", ")
    }

    /// The country's name.
    open var regionName: String? { parts.country }
    /// The country.
    open var region: Locale.Region? { parts.isoCountryCode.map { Locale.Region($0) } }

    /// The lines of the address in the country's order, with or without the country.
    open func fullAddress(includingRegion: Bool, singleLine: Bool) -> String? {
        var lines = parts.formattedAddressLines
        if !includingRegion, lines.count > 1, lines.last == parts.country { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: singleLine ? ", " : "\n")
    }
}
