/// Who uses a road.
public enum RoadUser: UInt8, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    case car = 0
    case bicycle = 1
    case foot = 2

    public var description: String {
        switch self {
        case .car: "car"
        case .bicycle: "bicycle"
        case .foot: "foot"
        }
    }

    /// The bit of this user in sets of users.
    public var bit: UInt8 { 1 << rawValue }
}

/// How one travels along an edge. Raw values are part of the graph's file format.
public enum TravelMode: UInt8, Sendable, Hashable, Codable {
    case driving = 1
    case cycling = 2
    case walking = 3
    /// Pushing a bicycle.
    case pushingBike = 4
    case ferry = 5
    /// A shuttle train that carries vehicles.
    case train = 6
    case movableBridge = 7
}

/// The class of a road, from the most important down. Raw values grow with unimportance and are part of the file format.
public enum RoadClass: UInt8, Sendable, Hashable, Codable, Comparable {
    case motorway = 0
    case motorwayLink = 1
    case trunk = 2
    case trunkLink = 3
    case primary = 4
    case primaryLink = 5
    case secondary = 6
    case secondaryLink = 7
    case tertiary = 8
    case tertiaryLink = 9
    case unclassified = 10
    case residential = 11
    case livingStreet = 12
    case service = 13
    case alley = 14
    case parkingAisle = 15
    case driveway = 16
    case track = 17
    case pedestrian = 18
    case cycleway = 19
    case footway = 20
    case path = 21
    case steps = 22
    case ferry = 23
    case other = 24

    public static func < (a: RoadClass, b: RoadClass) -> Bool { a.rawValue < b.rawValue }

    /// Whether this is a slip road or ramp (`*_link`).
    public var isLink: Bool { rawValue < 10 && rawValue & 1 == 1 }
}

extension RoadClass {
    /// The class that `highway` and `service` tell; `other` for values that are no class of road.
    public init(highway: String, service: String? = nil) {
        switch highway {
        case "motorway": self = .motorway
        case "motorway_link": self = .motorwayLink
        case "trunk": self = .trunk
        case "trunk_link": self = .trunkLink
        case "primary": self = .primary
        case "primary_link": self = .primaryLink
        case "secondary": self = .secondary
        case "secondary_link": self = .secondaryLink
        case "tertiary": self = .tertiary
        case "tertiary_link": self = .tertiaryLink
        case "unclassified", "road", "winter_road", "ice_road": self = .unclassified
        case "residential": self = .residential
        case "living_street": self = .livingStreet
        case "service":
            switch service {
            case "alley": self = .alley
            case "parking_aisle", "parking": self = .parkingAisle
            case "driveway", "drive-through": self = .driveway
            default: self = .service
            }
        case "track": self = .track
        case "pedestrian": self = .pedestrian
        case "cycleway": self = .cycleway
        case "footway", "crossing", "sidewalk", "platform", "corridor": self = .footway
        case "path", "bridleway": self = .path
        case "steps": self = .steps
        default: self = .other
        }
    }
}
