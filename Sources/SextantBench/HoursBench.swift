import Foundation
import OpenStreetMap
import Sextant

/// Evaluates opening hours that another program wrote down, for a comparison with other readers of them.
///
/// A line a value: the value, then moments such as `2026-03-07T13:00`, separated by tabs. Written are, with tabs, a letter a
/// moment (`o`pen, `c`losed, `u`nknown), another that tells what it rests on (`c` a comment alone, `+` an open end, `.`
/// neither), and the value as it was understood; or `!` and the reason where it is not.
enum HoursBench {
    static func run(_ path: String, place: String?, zone: String?) throws {
        var site = OpeningHours.Site.unknown
        if let place {
            let numbers = place.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 2, let timeZone = TimeZone(identifier: zone ?? "UTC") else {
                SextantBench.fail("sextant-bench: --place wants LATITUDE,LONGITUDE and --zone the name of a time zone")
            }
            site = .init(coordinate: Coordinate(latitude: numbers[0], longitude: numbers[1]), timeZone: timeZone)
        }
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: "\t")
            guard let value = fields.first else { continue }
            let hours: OpeningHours
            do {
                hours = try OpeningHours(value)
            } catch {
                print("!\t\(error)")
                continue
            }
            var letters = ""
            var grounds = ""
            for field in fields.dropFirst() {
                guard let moment = moment(field) else { SextantBench.fail("sextant-bench: no moment: \(field)") }
                let state = hours.state(at: moment, in: site)
                letters += state.kind.rawValue.prefix(1)
                grounds += state.restsOnComment ? "c" : state.isOpenEnded ? "+" : "."
            }
            print("\(letters)\t\(grounds)\t\(hours)")
        }
    }

    private static func moment(_ text: Substring) -> OpeningHours.Moment? {
        let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        guard numbers.count == 5 else { return nil }
        return .init(year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4])
    }
}
