import Geometry

/// What a driver does at a spot, in the words of OSRM's interface.
public enum ManoeuvreType: String, Sendable, Hashable, Codable {
    case depart
    case arrive
    case turn
    /// A turn that stays on the road of the same name.
    case `continue`
    /// The road goes on under another name.
    case newName = "new name"
    /// Onto a motorway-like road that the ramp runs into.
    case merge
    case onRamp = "on ramp"
    case offRamp = "off ramp"
    /// The road divides into equals.
    case fork
    /// The road ends at a crossing road.
    case endOfRoad = "end of road"
    case roundabout
    /// A large roundabout with a name of its own.
    case rotary
    /// A roundabout so small that it is told as a crossing.
    case roundaboutTurn = "roundabout turn"
    case exitRoundabout = "exit roundabout"
    case exitRotary = "exit rotary"
    /// A change of the mode of travel, such as boarding a ferry.
    case notification
}

/// The direction of a manoeuvre, in the words of OSRM's interface.
public enum ManoeuvreModifier: String, Sendable, Hashable, Codable {
    case uturn
    case sharpRight = "sharp right"
    case right
    case slightRight = "slight right"
    case straight
    case slightLeft = "slight left"
    case left
    case sharpLeft = "sharp left"

    /// The word for a change of direction in degrees, -180 to 180, positive to the right.
    public init(deviation: Double) {
        switch abs(deviation) {
        case ...20: self = .straight
        case ...40: self = deviation > 0 ? .slightRight : .slightLeft
        case ...120: self = deviation > 0 ? .right : .left
        case ..<179: self = deviation > 0 ? .sharpRight : .sharpLeft
        default: self = .uturn
        }
    }
}

/// A manoeuvre with its place and direction.
public struct Manoeuvre: Sendable, Equatable {
    public var type: ManoeuvreType
    /// Absent where the direction says nothing, as at a departure.
    public var modifier: ManoeuvreModifier?
    /// The number of the exit to leave a roundabout by, counted from 1; nil where the route ends inside.
    public var exit: Int?
    public var location: Coordinate
    /// Degrees clockwise from north in which the driver comes, 0 at the departure.
    public var bearingBefore: Int
    /// Degrees clockwise from north in which the driver goes on, 0 at the arrival.
    public var bearingAfter: Int

    public init(
        type: ManoeuvreType, modifier: ManoeuvreModifier? = nil, exit: Int? = nil, location: Coordinate,
        bearingBefore: Int = 0, bearingAfter: Int = 0
    ) {
        self.type = type
        self.modifier = modifier
        self.exit = exit
        self.location = location
        self.bearingBefore = bearingBefore
        self.bearingAfter = bearingAfter
    }
}
