import Foundation

/// Reads positions from NMEA 0183 sentences: GGA, RMC, VTG, GLL and GST of any talker, headings from HDT, HDM and HDG.
///
/// Sentences of one time of day make one position. A sentence with a wrong checksum, or cut off, is passed over, as
/// receivers on a serial line produce such; a file without any position is an error.
struct NMEAReader {
    /// - Throws: `CLError.locationUnknown` with the file and the reason.
    static func fixes(path: String) throws -> [PlayedFix] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
            throw CLPositionSource.failure("\(path) cannot be read: \(error.localizedDescription)")
        }
        var reader = NMEAReader()
        for line in data.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where line.count <= 200 {
            reader.read(String(decoding: line, as: UTF8.self))
        }
        reader.finish()
        guard !reader.fixes.isEmpty else { throw CLPositionSource.failure("\(path) holds no positions") }
        return reader.fixes
    }

    private(set) var fixes: [PlayedFix] = []
    /// The position whose sentences are being read, and its time of day in seconds.
    private var current: PlayedFix?
    private var timeOfDay: Double?
    /// The day in seconds since 1970; of the last RMC.
    private var day = 0.0
    private var magneticHeading: Double?
    private var trueHeading: Double?

    mutating func finish() {
        if var fix = current {
            if let last = fixes.last, fix.time < last.time - 43_200 {
                // Past midnight without a date.
                day += 86_400
                fix.time += 86_400
            }
            fix.magneticHeading = magneticHeading
            fix.trueHeading = trueHeading
            fixes.append(fix)
        }
        current = nil
    }

    mutating func read(_ line: String) {
        guard let fields = Self.fields(line), let name = fields.first, name.count >= 5 else { return }
        switch name.suffix(3) {
        case "GGA":
            // $GPGGA,time,lat,N,lon,E,quality,satellites,hdop,altitude,M,geoid,M,,*
            guard fields.count >= 10, let quality = Int(fields[6]), quality > 0, let place = Self.place(fields, at: 2)
            else { return }
            begin(fields[1], place)
            if let metres = Self.number(fields[8]).flatMap({ ($0 * 5).asAccuracy }) {
                current?.horizontalAccuracy = metres
            }
            current?.altitude = Self.number(fields[9])
        case "RMC":
            // $GPRMC,time,A,lat,N,lon,E,knots,course,ddmmyy,...*
            guard fields.count >= 10, fields[2] == "A", let place = Self.place(fields, at: 3) else { return }
            if let date = Self.day(fields[9]) { day = date }
            begin(fields[1], place)
            current?.speed = Self.number(fields[7]).flatMap { ($0 * 1_852 / 3_600).asSpeed }
            current?.course = Self.number(fields[8])?.asCourse
            if let timeOfDay { current?.time = day + timeOfDay }
        case "GLL":
            guard fields.count >= 7, fields[6] == "A", let place = Self.place(fields, at: 1) else { return }
            begin(fields[5], place)
        case "VTG":
            guard fields.count >= 8 else { return }
            if let course = Self.number(fields[1])?.asCourse { current?.course = course }
            if let speed = Self.number(fields[7]).flatMap({ ($0 / 3.6).asSpeed }) { current?.speed = speed }
        case "GST":
            // Standard deviations of latitude and longitude, in metres.
            guard fields.count >= 9, let north = Self.number(fields[6]), let east = Self.number(fields[7]) else {
                return
            }
            if let metres = hypot(north, east).asAccuracy { current?.horizontalAccuracy = metres }
            current?.verticalAccuracy = Self.number(fields[8])?.asAccuracy
        case "HDT": if fields.count >= 2 { trueHeading = Self.number(fields[1])?.asCourse ?? trueHeading }
        case "HDM": if fields.count >= 2 { magneticHeading = Self.number(fields[1])?.asCourse ?? magneticHeading }
        case "HDG":
            guard fields.count >= 6, let magnetic = Self.number(fields[1])?.asCourse else { return }
            let deviation = Self.signed(fields[2], fields[3])?.asTurn ?? 0
            magneticHeading = Self.wrapped(magnetic + deviation)
            if let variation = Self.signed(fields[4], fields[5])?.asTurn {
                trueHeading = Self.wrapped(magnetic + deviation + variation)
            }
        default: break
        }
    }

    /// Goes on with the position of this time, or begins the next one.
    private mutating func begin(_ time: String, _ place: CLLocationCoordinate2D) {
        guard let seconds = Self.timeOfDay(time) else { return }
        if current == nil || timeOfDay != seconds {
            finish()
            current = PlayedFix(place, time: day + seconds)
            timeOfDay = seconds
        }
        current?.coordinate = place
    }

    /// The fields of a sentence whose checksum, where there is one, is right; nil for anything else.
    private static func fields(_ line: String) -> [String]? {
        guard let start = line.firstIndex(of: "$") else { return nil }
        let sentence = line[line.index(after: start)...]
        let parts = sentence.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let sum = parts[0].utf8.reduce(UInt8(0)) { $0 ^ $1 }
            guard UInt8(parts[1].prefix(2), radix: 16) == sum else { return nil }
        }
        return parts[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func number(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

    private static func signed(_ text: String, _ side: String) -> Double? {
        number(text).map { side == "W" ? -$0 : $0 }
    }

    private static func wrapped(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }

    /// `4807.038,N,01131.000,E`: degrees and minutes.
    private static func place(_ fields: [String], at index: Int) -> CLLocationCoordinate2D? {
        func degrees(_ text: String, _ side: String, _ negative: String) -> Double? {
            guard let value = number(text), value >= 0 else { return nil }
            let whole = (value / 100).rounded(.down)
            let result = whole + (value - whole * 100) / 60
            return side == negative ? -result : result
        }
        guard fields.count > index + 3, let latitude = degrees(fields[index], fields[index + 1], "S"),
            let longitude = degrees(fields[index + 2], fields[index + 3], "W")
        else { return nil }
        let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        return CLLocationCoordinate2DIsValid(place) ? place : nil
    }

    /// `hhmmss.sss`
    private static func timeOfDay(_ text: String) -> Double? {
        guard let value = number(text), value >= 0, value < 240_000 else { return nil }
        let hours = (value / 10_000).rounded(.down)
        let minutes = (value / 100).rounded(.down) - hours * 100
        return hours * 3_600 + minutes * 60 + (value - hours * 10_000 - minutes * 100)
    }

    /// `ddmmyy` as seconds from 1970 to the day's begin.
    private static func day(_ text: String) -> Double? {
        guard text.count == 6, let value = Int(text) else { return nil }
        var parts = DateComponents()
        parts.day = value / 10_000
        parts.month = value / 100 % 100
        parts.year = value % 100 + (value % 100 < 80 ? 2_000 : 1_900)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: parts)?.timeIntervalSince1970
    }
}
