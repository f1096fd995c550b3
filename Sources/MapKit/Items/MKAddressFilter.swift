internal import Sextant

/// Which parts of addresses are found as places of their own: towns without their suburbs, say.
///
/// Streets and houses are no such part; they are found whatever the filter.
open class MKAddressFilter: NSObject, NSCopying, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let country = Options(rawValue: 1 << 0)
        /// States, provinces, cantons.
        public static let administrativeArea = Options(rawValue: 1 << 1)
        /// Counties.
        public static let subAdministrativeArea = Options(rawValue: 1 << 2)
        /// Towns.
        public static let locality = Options(rawValue: 1 << 3)
        /// Parts of towns.
        public static let subLocality = Options(rawValue: 1 << 4)
        public static let postalCode = Options(rawValue: 1 << 5)
    }

    public static let includingAll = MKAddressFilter(excluding: [])
    public static let excludingAll = MKAddressFilter(including: [])

    private let options: Options
    private let isIncluding: Bool

    /// These parts and no others.
    public init(including options: Options) {
        self.options = options
        isIncluding = true
    }

    /// All but these parts.
    public init(excluding options: Options) {
        self.options = options
        isIncluding = false
    }

    /// Whether all of the options are found.
    open func includes(_ options: Options) -> Bool {
        isIncluding ? self.options.isSuperset(of: options) : self.options.isDisjoint(with: options)
    }

    /// Whether none of the options is found.
    open func excludes(_ options: Options) -> Bool {
        isIncluding ? self.options.isDisjoint(with: options) : self.options.isSuperset(of: options)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether features of this kind are shown.
    final func shows(_ kind: FeatureKind) -> Bool {
        switch kind {
        case .country: includes(.country)
        case .region: includes(.administrativeArea)
        case .county: includes(.subAdministrativeArea)
        case .municipality, .place: includes(.locality)
        case .suburb: includes(.subLocality)
        case .postcode: includes(.postalCode)
        default: true
        }
    }
}
