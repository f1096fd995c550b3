import Geometry
import Routing

/// What the options say of how a route begins, ends and passes its stops.
struct StopOptions {
    var continueStraight: Bool?
    /// The direction in which the traveller stands at the start.
    private var heading: BearingRange?
    private var radius: Double?
    private var approach = Approach.unrestricted
    /// Stops, counted from 0, that the route only passes.
    private var passed: Set<Int> = []

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
