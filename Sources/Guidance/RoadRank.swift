import OpenStreetMap
import Routing

extension RoadAttributes {
    /// Motorways and trunk roads, ramps included: roads that one joins and leaves rather than turns into.
    var isMotorwayLike: Bool { roadClass <= .trunkLink }

    /// A ramp of a motorway or trunk road.
    var isRamp: Bool { roadClass == .motorwayLink || roadClass == .trunkLink }

    /// How important the road looks to a driver, from 0 for a motorway up; a link counts a little less than its road.
    var rank: Double {
        switch roadClass {
        case .motorway: 0
        case .motorwayLink: 0.5
        case .trunk: 1
        case .trunkLink: 1.5
        case .primary: 2
        case .primaryLink: 2.5
        case .secondary: 3
        case .secondaryLink: 3.5
        case .tertiary: 4
        case .tertiaryLink: 4.5
        case .unclassified: 5
        case .residential, .ferry, .other: 5.5
        case .livingStreet: 6
        case .service: 8
        case .alley, .parkingAisle, .driveway: 9
        case .track, .pedestrian, .cycleway, .footway, .path, .steps: 10
        }
    }

    /// Roads that a driver does not take for the road ahead: service roads, yards, tracks.
    var isMinor: Bool { rank >= 8 }

    /// Part of a circle that one drives round.
    var isCircle: Bool { isRoundabout || isCircular }
}
