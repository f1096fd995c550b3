/// What a country says about its roads and addresses, as far as reading tags needs it.
public struct CountryRules: Sendable, Equatable {
    /// ISO 3166-1 alpha-2, small letters; empty where the country is unknown.
    public var code: String
    public var drivesOnLeft: Bool
    /// Whether plain numbers in speed signs are miles an hour. (`maxspeed` tags without a unit stay km/h all the same.)
    public var usesMiles: Bool
    /// Default speed limits in km/h where no sign says otherwise.
    public var urbanSpeed: Double
    public var ruralSpeed: Double
    public var motorwaySpeed: Double
    /// Whether the house number is written before the street.
    public var numberComesFirst: Bool

    public init(
        code: String = "", drivesOnLeft: Bool = false, usesMiles: Bool = false, urbanSpeed: Double = 50,
        ruralSpeed: Double = 90, motorwaySpeed: Double = 120, numberComesFirst: Bool = false
    ) {
        self.code = code
        self.drivesOnLeft = drivesOnLeft
        self.usesMiles = usesMiles
        self.urbanSpeed = urbanSpeed
        self.ruralSpeed = ruralSpeed
        self.motorwaySpeed = motorwaySpeed
        self.numberComesFirst = numberComesFirst
    }

    /// Where no country is known: the right-hand side, kilometres, middling speeds.
    public static let unknown = CountryRules()
}
