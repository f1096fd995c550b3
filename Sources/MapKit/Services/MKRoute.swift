internal import Sextant

/// A way, with what its traveller is told.
open class MKRoute: NSObject {
    /// A manoeuvre and the stretch to the next one.
    open class Step: NSObject {
        /// What to do, in a sentence.
        public let instructions: String
        /// What else there is to know: a ferry, a toll.
        public let notice: String?
        /// Metres to the next step; 0 for the last.
        public let distance: CLLocationDistance
        /// Every point of the stretch; it ends where that of the next step begins.
        public let polyline: MKPolyline
        public let transportType: MKDirectionsTransportType

        init(_ step: GuidanceStep, of leg: RouteLeg, by type: MKDirectionsTransportType) {
            let line = leg.shape(of: step).map { CLLocationCoordinate2D($0) }
            instructions = step.sentence
            let notices = RouteNotice.of(step)
            notice = notices.isEmpty ? nil : notices.map(\.sentence).joined(separator: " ")
            distance = step.distance
            polyline = MKPolyline(coordinates: line, count: line.count)
            transportType = type
        }
    }

    /// The road that carries most of it.
    public let name: String
    /// Metres: the sum over the steps.
    public let distance: CLLocationDistance
    /// Seconds.
    public let expectedTravelTime: TimeInterval
    /// One of the means that were asked for.
    public let transportType: MKDirectionsTransportType
    /// Every point of the roads used.
    public let polyline: MKPolyline
    public let steps: [Step]
    /// What one should know before setting out: tolls, ferries, roads with limited access, unpaved ones, borders, ends away
    /// from the road, and what was to be avoided and is used all the same.
    public let advisoryNotices: [String]
    public let hasTolls: Bool
    /// Whether it uses a motorway.
    public let hasHighways: Bool

    init(_ route: Route, by type: MKDirectionsTransportType, besides notices: [String] = []) {
        let line = route.geometry.map { CLLocationCoordinate2D($0) }
        let guidance = route.legs.flatMap(\.steps)
        var metres: [String: Double] = [:]
        for step in guidance {
            let road = step.name.isEmpty ? step.ref : step.name
            if !road.isEmpty { metres[road, default: 0] += step.distance }
        }
        name = metres.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        distance = route.distance
        expectedTravelTime = route.duration
        transportType = type
        polyline = MKPolyline(coordinates: line, count: line.count)
        steps = route.legs.flatMap { leg in leg.steps.map { Step($0, of: leg, by: type) } }
        hasTolls = route.kinds.contains(.tolls)
        hasHighways = route.kinds.contains(.motorways)
        advisoryNotices = route.notices.map(\.sentence) + notices
    }
}
