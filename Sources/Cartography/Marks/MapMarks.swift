import Geometry

/// What is drawn over the map itself: pins, routes, lines and areas, and where the user stands.
///
///     var marks = MapMarks()
///     marks.pins = [MapMarks.Pin(at: casino, title: "Casino")]
///     marks.routes = [MapMarks.Route(route.geometry)]
///
/// Coordinates that are not on the globe are left out.
public struct MapMarks: Sendable {
    /// Lines, areas and circles, drawn in this order.
    public var overlays: [Overlay] = []
    /// Drawn over the overlays.
    public var routes: [Route] = []
    /// Drawn over the routes, southern ones last.
    public var pins: [Pin] = []
    /// Drawn over everything.
    public var user: User?

    public init() {}

    public var isEmpty: Bool { overlays.isEmpty && routes.isEmpty && pins.isEmpty && user == nil }

    /// A place that is marked.
    public struct Pin: Sendable, Hashable {
        public enum Form: Sendable, Hashable {
            /// A needle whose tip stands on the place.
            case pin
            /// A round dot on the place.
            case dot
            /// Nothing but the callout.
            case none
        }

        public var coordinate: Coordinate
        public var colour: MapColour
        public var form: Form
        public var title: String?
        public var subtitle: String?
        /// Whether title and subtitle stand in a bubble over the pin; otherwise the title stands below it, where there is
        /// room.
        public var showsCallout: Bool
        /// One or two letters in the head.
        public var glyph: String?

        public init(
            at coordinate: Coordinate, colour: MapColour = .pinRed, form: Form = .pin, title: String? = nil,
            subtitle: String? = nil, showsCallout: Bool = false, glyph: String? = nil
        ) {
            self.coordinate = coordinate
            self.colour = colour
            self.form = form
            self.title = title
            self.subtitle = subtitle
            self.showsCallout = showsCallout
            self.glyph = glyph
        }
    }

    /// A way to go, with a casing; its start is marked by a ring, its end by a needle.
    public struct Route: Sendable, Hashable {
        public var coordinates: [Coordinate]
        public var colour: MapColour
        /// Points.
        public var width: Double
        public var marksEnds: Bool

        public init(
            _ coordinates: [Coordinate], colour: MapColour = .routeBlue, width: Double = 5, marksEnds: Bool = true
        ) {
            self.coordinates = coordinates
            self.colour = colour
            self.width = width
            self.marksEnds = marksEnds
        }
    }

    /// A line, an area or a circle.
    public struct Overlay: Sendable, Hashable {
        public enum Geometry: Sendable, Hashable {
            case line([Coordinate])
            /// The outer ring first; filled by the even-odd rule.
            case area([[Coordinate]])
            /// Radius in metres.
            case circle(center: Coordinate, radius: Double)
        }

        public var geometry: Geometry
        public var stroke: MapColour?
        public var fill: MapColour?
        /// Points.
        public var lineWidth: Double
        /// Lengths of dashes and gaps in points; solid where it is empty.
        public var dash: [Double]
        public var dashPhase: Double
        public var cap: Cap
        public var join: Join
        /// Of the whole, 0...1.
        public var alpha: Double
        /// Whether it covers the names of the map too, instead of lying beneath them.
        public var isAboveLabels: Bool

        public init(
            _ geometry: Geometry, stroke: MapColour? = nil, fill: MapColour? = nil, lineWidth: Double = 2,
            dash: [Double] = [], dashPhase: Double = 0, cap: Cap = .round, join: Join = .round, alpha: Double = 1,
            isAboveLabels: Bool = false
        ) {
            self.geometry = geometry
            self.stroke = stroke
            self.fill = fill
            self.lineWidth = lineWidth
            self.dash = dash
            self.dashPhase = dashPhase
            self.cap = cap
            self.join = join
            self.alpha = alpha
            self.isAboveLabels = isAboveLabels
        }
    }

    /// Where the user stands: a dot with a ring as wide as the position is uncertain.
    public struct User: Sendable, Hashable {
        public var coordinate: Coordinate
        /// Metres; no ring where it is 0 or less.
        public var accuracy: Double
        /// Degrees clockwise from north, where it is known.
        public var heading: Double?

        public init(at coordinate: Coordinate, accuracy: Double = 0, heading: Double? = nil) {
            self.coordinate = coordinate
            self.accuracy = accuracy
            self.heading = heading
        }
    }

    public enum Cap: Sendable, Hashable { case butt, round, square }
    public enum Join: Sendable, Hashable { case miter, round, bevel }
}

extension MapMarks {
    /// The box around everything that is marked; nil where nothing is. Over the date line where that is the shorter way.
    public var box: BoundingBox? {
        var all = pins.map(\.coordinate) + routes.flatMap(\.coordinates)
        if let user { all.append(user.coordinate) }
        for overlay in overlays {
            switch overlay.geometry {
            case .line(let line): all += line
            case .area(let rings): all += rings.joined()
            case .circle(let center, let radius):
                guard center.isValid, radius.isFinite else { continue }
                let circle = Mercator.circle(around: center, metres: radius, steps: 4)
                all += circle.map { Coordinate(latitude: $0.latitude, longitude: BoundingBox.wrapped($0.longitude)) }
            }
        }
        return BoundingBox(smallestAround: all)
    }
}
