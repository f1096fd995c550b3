import Geometry
import OpenStreetMap
import Routing

/// One lane at a crossing.
public struct StepLane: Sendable, Equatable {
    /// The arrows painted on it, in OSRM's words (`left`, `straight`, `none` ...).
    public var indications: [String]
    /// Whether the driver may use it for what comes next.
    public var isValid: Bool

    public init(indications: [String], isValid: Bool) {
        self.indications = indications
        self.isValid = isValid
    }
}

/// A crossing that a step begins at or passes.
public struct StepIntersection: Sendable, Equatable {
    public var location: Coordinate
    /// Degrees clockwise from north of every road that leaves it, ascending.
    public var bearings: [Int]
    /// For each bearing, whether one may drive into that road here.
    public var entries: [Bool]
    /// Index into `bearings` of the road one comes from (the bearing points back); nil at a departure.
    public var incoming: Int?
    /// Index into `bearings` of the road one goes on; nil at an arrival.
    public var outgoing: Int?
    /// The lanes before the crossing, left to right; empty where unknown.
    public var lanes: [StepLane]
    /// What the road that follows is: `toll`, `motorway`, `tunnel`, `ferry`, `restricted`.
    public var classes: [String]
    /// Index into the shape of the leg.
    public var shapeIndex: Int

    public init(
        location: Coordinate, bearings: [Int], entries: [Bool], incoming: Int?, outgoing: Int?, lanes: [StepLane] = [],
        classes: [String] = [], shapeIndex: Int
    ) {
        self.location = location
        self.bearings = bearings
        self.entries = entries
        self.incoming = incoming
        self.outgoing = outgoing
        self.lanes = lanes
        self.classes = classes
        self.shapeIndex = shapeIndex
    }
}

/// A manoeuvre and the stretch of road from it to the next one.
///
/// The stretches of a leg's steps follow one another without gap: distances, durations and weights add up to those of
/// the path, and each shape ends where the next begins. The last step is the arrival; its stretch has no length.
public struct GuidanceStep: Sendable, Equatable {
    public var manoeuvre: Manoeuvre
    /// The name of the road that follows; empty where it has none.
    public var name: String
    public var ref: String
    public var destinations: String
    public var exits: String
    public var pronunciation: String
    public var rotaryName: String
    public var rotaryPronunciation: String
    public var mode: TravelMode
    public var keepsLeft: Bool
    /// Metres.
    public var distance: Double
    /// Seconds.
    public var duration: Double
    public var weight: Double
    /// Seconds of it that one waits for something to open.
    public var wait = 0.0
    /// Indices into the shape of the leg, both ends included; the arrival has one point.
    public var shape: ClosedRange<Int>
    /// The crossing at which the step begins, then those it passes.
    public var intersections: [StepIntersection]

    public init(
        manoeuvre: Manoeuvre, name: String = "", ref: String = "", destinations: String = "", exits: String = "",
        pronunciation: String = "", rotaryName: String = "", rotaryPronunciation: String = "",
        mode: TravelMode = .driving, keepsLeft: Bool = false, distance: Double = 0, duration: Double = 0,
        weight: Double = 0, shape: ClosedRange<Int> = 0...0, intersections: [StepIntersection] = []
    ) {
        self.manoeuvre = manoeuvre
        self.name = name
        self.ref = ref
        self.destinations = destinations
        self.exits = exits
        self.pronunciation = pronunciation
        self.rotaryName = rotaryName
        self.rotaryPronunciation = rotaryPronunciation
        self.mode = mode
        self.keepsLeft = keepsLeft
        self.distance = distance
        self.duration = duration
        self.weight = weight
        self.shape = shape
        self.intersections = intersections
    }
}
