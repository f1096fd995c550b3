import Geometry
import Routing

/// The options that say how a route begins, ends and passes its stops.
struct StopOptions {
    var continueStraight: Bool?
    /// The direction in which the traveller stands at the start.
    private var heading: BearingRange?
    private var radius: Double?
    private var approach = Approach.unrestricted
    /// Stops, counted from 0, that the route only passes.
    private var passed: Set<Int> = []

    static let options = [
        Option(
            name: "--heading", value: "DEGREES",
            help: "The direction in which you set out, clockwise from north; with a tolerance: 90,45. 60 without one."),
        Option(name: "--curb", help: "Reach and leave stops on the side of the road on which traffic keeps."),
        Option(name: "--radius", value: "METRES", help: "The road of each stop lies no further away than this."),
        Option(
            name: "--pass", value: "NUMBERS",
            help: "Of the places, counted from 1, those that the way only passes, without a stop: 2,3."),
        Option(name: "--go-on", value: "yes|no", help: "Whether one goes on in the same direction at stops."),
    ]

    init(_ arguments: Arguments, stops: Int) throws {
        if let text = arguments["--heading"] {
            let parts = Arguments.numbers(text) ?? []
            guard (1...2).contains(parts.count), (0...360).contains(parts[0]),
                parts.count == 1 || (0...180).contains(parts[1])
            else { throw UsageError("--heading wants degrees from 0 to 360, or two numbers as 90,45, not \"\(text)\"") }
            heading = BearingRange(degrees: parts[0], tolerance: parts.count == 2 ? parts[1] : 60)
        }
        if let text = arguments["--radius"] {
            guard let metres = Double(text), metres >= 0, metres.isFinite else {
                throw UsageError("--radius wants metres, not \"\(text)\"")
            }
            radius = metres
        }
        if arguments.has("--curb") { approach = .curb }
        if let text = arguments["--pass"] {
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let number = Int(part.trimmed), number > 1, number < stops else {
                    throw UsageError(
                        "--pass wants numbers of places between the first and the last of \(stops), not \"\(text)\"")
                }
                passed.insert(number - 1)
            }
        }
        switch arguments["--go-on"] {
        case nil: break
        case "yes": continueStraight = true
        case "no": continueStraight = false
        case let text?: throw UsageError("--go-on is yes or no, not \"\(text)\"")
        }
    }

    func stops(at coordinates: [Coordinate]) -> [Stop] {
        coordinates.enumerated().map { index, coordinate in
            Stop(
                coordinate, bearing: index == 0 ? heading : nil, radius: radius, approach: approach,
                passesThrough: passed.contains(index))
        }
    }
}
