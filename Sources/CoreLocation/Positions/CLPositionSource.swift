import Foundation
internal import Locking

/// Where the positions of a program come from: there is no sensor to ask on Linux, so the program or its environment says.
///
///     CLLocationManager.positionSource = .fixed(latitude: 60.17, longitude: 24.94)
///     CLLocationManager.positionSource = .gpx("ride.gpx", speed: 10)
///     CLLocationManager.positionSource = try CLPositionSource("gpsd://localhost:2947")
///
/// Where the program sets none, the environment's `SEXTANT_POSITION` says, in the words of `init(_:)`. A file is played
/// once, from when the first manager listens; while nobody listens it stands still. All managers of one source hear the
/// same positions.
public final class CLPositionSource: Sendable {
    package let feed: PositionFeed

    package init(player: any PositionPlayer) { feed = PositionFeed(player: player) }

    /// One place that never moves.
    public static func fixed(_ location: CLLocation) -> CLPositionSource {
        CLPositionSource(player: FilePlayer(speed: 1, isEndless: true) { [PlayedFix(location)] })
    }

    /// One place that never moves, known to 5 m.
    public static func fixed(latitude: CLLocationDegrees, longitude: CLLocationDegrees) -> CLPositionSource {
        fixed(
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
                ellipsoidalAltitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1, course: -1, courseAccuracy: -1,
                speed: 0, speedAccuracy: -1, timestamp: Date(), floor: nil, source: PlayedFix.software))
    }

    /// Positions that the program names, played by their timestamps.
    public static func locations(_ locations: [CLLocation], speed: Double = 1) -> CLPositionSource {
        CLPositionSource(player: FilePlayer(speed: speed) { locations.map { PlayedFix($0) } })
    }

    /// A GPX file: its tracks, else its routes, else its way points. Points without a time are a second apart.
    /// The speed is 1 as it was recorded, 10 for ten times as fast, infinity for no waiting.
    public static func gpx(_ path: String, speed: Double = 1) -> CLPositionSource {
        CLPositionSource(player: FilePlayer(speed: speed) { try GPXReader.fixes(path: path) })
    }

    /// A file of NMEA 0183 sentences as receivers write them (GGA, RMC, VTG, GST, HDT, HDM, HDG).
    public static func nmea(_ path: String, speed: Double = 1) -> CLPositionSource {
        CLPositionSource(player: FilePlayer(speed: speed, tellsHeading: true) { try NMEAReader.fixes(path: path) })
    }

    /// A receiver through gpsd, which is tried again every few seconds where nobody answers.
    public static func gpsd(host: String = "localhost", port: Int = 2947) -> CLPositionSource {
        CLPositionSource(player: GPSDPlayer(host: host, port: port))
    }

    /// Reads the words of `SEXTANT_POSITION`: `60.17,24.94`, `gpx:FILE`, `nmea:FILE`, `gpsd://HOST:PORT`. A file may be
    /// followed by its speed, `gpx:ride.gpx@10x`, or by `@maxx` for no waiting at all.
    ///
    /// - Throws: `CLError.locationUnknown` with what was not understood.
    public convenience init(_ words: String) throws {
        self.init(player: try Self.player(words))
    }

    private static func player(_ words: String) throws -> any PositionPlayer {
        let words = words.trimmingCharacters(in: .whitespaces)
        if let file = words.dropping("gpx:") {
            let (path, speed) = pathAndSpeed(file)
            return FilePlayer(speed: speed) { try GPXReader.fixes(path: path) }
        }
        if let file = words.dropping("nmea:") {
            let (path, speed) = pathAndSpeed(file)
            return FilePlayer(speed: speed, tellsHeading: true) { try NMEAReader.fixes(path: path) }
        }
        if let address = words.dropping("gpsd:") {
            let (host, port) = try hostAndPort(String(address.drop { $0 == "/" }))
            return GPSDPlayer(host: host, port: port)
        }
        let numbers = words.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        {
            return CLPositionSource.fixed(latitude: latitude, longitude: longitude).feed.player
        }
        throw failure(
            "\"\(words)\" names no position: LATITUDE,LONGITUDE, gpx:FILE, nmea:FILE or gpsd://HOST:PORT is understood")
    }

    static func failure(_ reason: String) -> CLError {
        CLError(.locationUnknown, userInfo: [NSLocalizedDescriptionKey: reason])
    }

    /// `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, or an IPv6 address alone.
    static func hostAndPort(_ text: String) throws -> (host: String, port: Int) {
        var host = text
        var port: String?
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = String(text[..<end].dropFirst())
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw failure("\"\(text)\" is no host and port") }
            port = rest.isEmpty ? nil : String(rest.dropFirst())
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            host = String(text[..<colon])
            port = String(text[text.index(after: colon)...])
        }
        if host.isEmpty { host = "localhost" }
        guard let port else { return (host, 2947) }
        guard let number = Int(port), (1...65_535).contains(number) else { throw failure("\"\(port)\" is no port") }
        return (host, number)
    }

    private static func pathAndSpeed(_ text: String) -> (path: String, speed: Double) {
        guard text.hasSuffix("x"), let at = text.lastIndex(of: "@") else { return (text, 1) }
        let number = text[text.index(after: at)...].dropLast()
        let path = String(text[..<at])
        if number == "max" { return (path, .infinity) }
        guard let speed = Double(number), speed > 0 else { return (text, 1) }
        return (path, speed)
    }

    // MARK: - The process's source

    private static let chosen = Mutex<CLPositionSource?>(nil)

    /// What `SEXTANT_POSITION` names, once; words that are not understood make a source that fails with the reason.
    private static let named: CLPositionSource? = {
        guard let words = ProcessInfo.processInfo.environment["SEXTANT_POSITION"], !words.isEmpty else { return nil }
        do { return try CLPositionSource(words) } catch {
            return CLPositionSource(player: FilePlayer(speed: 1) { throw error })
        }
    }()

    /// The source of managers that are given none of their own.
    static var ofProcess: CLPositionSource? {
        get { chosen.withLock { $0 } ?? named }
        set { chosen.withLock { $0 = newValue } }
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
