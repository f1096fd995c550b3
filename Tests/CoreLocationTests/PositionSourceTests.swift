import Foundation
import Testing

@testable import CoreLocation

/// All positions of a source, played without waiting.
private func played(_ source: CLPositionSource) async throws -> [CLLocation] {
    var result: [CLLocation] = []
    for try await update in CLLocationUpdate.liveUpdates(from: source) {
        if let location = update.location { result.append(location) }
    }
    return result
}

private func file(_ name: String, _ text: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/sextant-positions-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/\(UUID().uuidString)-\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
}

private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    return "$\(body)*" + String(format: "%02X", Int(sum)) + "\r\n"
}

@Suite struct PositionSourceTests {
    @Test func aTrackOfGPXIsPlayed() async throws {
        let path = try file(
            "ride@home.gpx",
            """
            <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
            <wpt lat="1" lon="1"><name>not of the track</name></wpt>
            <trk><trkseg>
            <trkpt lat="60.17" lon="24.94"><ele>12.5</ele><time>2024-05-01T10:00:00Z</time><hdop>2</hdop></trkpt>
            <trkpt lat="91" lon="24.95"><time>2024-05-01T10:00:01Z</time></trkpt>
            <trkpt lat="60.171" lon="24.94"><time>2024-05-01T10:00:10.500Z</time><speed>3.5</speed></trkpt>
            </trkseg></trk></gpx>
            """)
        let fixes = try await played(CLPositionSource("gpx:\(path)@maxx"))
        #expect(fixes.map(\.coordinate.latitude) == [60.17, 60.171])
        #expect(fixes.first?.altitude == 12.5 && fixes.first?.horizontalAccuracy == 10)
        #expect(fixes.last?.speed == 3.5 && fixes.last?.course == 0 && fixes.last?.verticalAccuracy == -1)
        #expect(abs(fixes[1].timestamp.timeIntervalSince(fixes[0].timestamp) - 10.5) < 1e-6)
    }

    @Test func routesAndWayPointsWithoutTimesAreASecondApart() async throws {
        let path = try file("a.gpx", "<gpx><rte><rtept lat='1' lon='2'/><rtept lat='1.1' lon='2'/></rte></gpx>")
        let fixes = try await played(.gpx(path, speed: .infinity))
        #expect(fixes.count == 2)
        #expect(abs(fixes[1].timestamp.timeIntervalSince(fixes[0].timestamp) - 1) < 1e-6)
    }

    @Test(arguments: ["", "<gpx>", "<gpx></gpx>", "no xml at all", "<gpx><trk><trkpt lat='x' lon='1'/></trk></gpx>"])
    func whatIsNoTrackIsTold(_ text: String) async throws {
        let path = try file("b.gpx", text)
        var failures = 0
        for try await update in CLLocationUpdate.liveUpdates(from: .gpx(path, speed: .infinity)) {
            #expect(update.location == nil && update.locationUnavailable)
            failures += 1
        }
        #expect(failures == 1)
    }

    @Test func aTrackLongerThanTenMegabytesIsPlayedWhole() async throws {
        let count = 120_000
        let space = String(repeating: " ", count: 60)
        let points = (0..<count).map { "<trkpt lat=\"1.\($0)\" lon=\"2\">\(space)</trkpt>\n" }.joined()
        let text = "<gpx><trk><trkseg>\n" + points + "</trkseg></trk></gpx>"
        try #require(text.utf8.count > 11_000_000)
        let fixes = try GPXReader.fixes(Data(text.utf8), name: "long.gpx")
        #expect(fixes.count == count && fixes.last?.coordinate.latitude == 1.119999)
        // What ends too early is still no GPX file, however long it is.
        #expect(throws: CLError.self) { try GPXReader.fixes(Data(text.utf8.dropLast(6)), name: "cut.gpx") }
    }

    @Test(arguments: [
        "<hdop>1e308</hdop>", "<accuracy>-5</accuracy>", "<hdop>-1</hdop>", "<speed>1e308</speed>", "<speed>-1</speed>",
        "<vdop>-1</vdop><vdop>1e308</vdop>", "<course>-10</course>", "<course>1e9</course>",
        "<accuracy>nan</accuracy>",
    ])
    func numbersOfGPXThatSayNothingAreLeftOut(_ element: String) throws {
        let text = "<gpx><wpt lat='1' lon='2'>\(element)</wpt></gpx>"
        let fix = try #require(try GPXReader.fixes(Data(text.utf8), name: "a.gpx").first)
        #expect(fix.horizontalAccuracy == nil && fix.verticalAccuracy == nil && fix.speed == nil && fix.course == nil)
    }

    @Test func numbersOfSentencesThatSayNothingAreLeftOut() async throws {
        let text =
            sentence("GPGGA,120000,6000,N,02400,E,1,5,-1,1,M,,M,,") + sentence("GPGST,120000,1,1,1,1,1e308,1e308,1e308")
            + sentence("GPRMC,120000,A,6000,N,02400,E,1e308,-999,010124,,") + sentence("GPVTG,1e9,T,,M,1,N,-4,K,A")
            + sentence("HEHDT,-1e300,T") + sentence("HCHDG,1e308,1e308,W,1e308,E")
        let fix = try #require(try await played(.nmea(try file("odd.nmea", text), speed: .infinity)).first)
        #expect(fix.horizontalAccuracy == 5 && fix.speed == -1 && fix.course == -1 && fix.verticalAccuracy == 10)
        var reader = NMEAReader()
        for line in text.split(separator: "\r\n") { reader.read(String(line)) }
        reader.finish()
        #expect(reader.fixes.first?.trueHeading == nil && reader.fixes.first?.magneticHeading == nil)
    }

    @Test func sentencesOfOneTimeMakeOnePosition() async throws {
        let text =
            sentence("GPGGA,120000.00,6010.2000,N,02456.4000,E,1,08,0.9,12.0,M,17.0,M,,")
            + sentence("GPRMC,120000.00,A,6010.2000,N,02456.4000,E,10.0,45.0,010524,,,A")
            + sentence("GPHDT,123.4,T") + "garbage\n$GPGGA,120001.00,61*00\n"
            + sentence("GPRMC,120001.00,V,,,,,,,010524,,,N")
            + sentence("GNRMC,120002.00,A,3351.0000,S,15112.0000,W,0.0,,010524,,,A")
            + sentence("GNGST,120002.00,,,,,3.0,4.0,7.0") + sentence("GNVTG,90.0,T,,M,1.0,N,1.8,K,A")
        let fixes = try await played(CLPositionSource("nmea:\(try file("log.nmea", text))@maxx"))
        #expect(fixes.count == 2)
        #expect(abs(fixes[0].coordinate.latitude - 60.17) < 1e-9 && abs(fixes[0].coordinate.longitude - 24.94) < 1e-9)
        #expect(fixes[0].altitude == 12 && fixes[0].horizontalAccuracy == 4.5)
        #expect(abs(fixes[0].speed - 5.1444) < 1e-3 && fixes[0].course == 45)
        #expect(abs(fixes[1].coordinate.latitude + 33.85) < 1e-9 && abs(fixes[1].coordinate.longitude + 151.2) < 1e-9)
        #expect(fixes[1].horizontalAccuracy == 5 && fixes[1].course == 90 && abs(fixes[1].speed - 0.5) < 1e-9)
        #expect(abs(fixes[1].timestamp.timeIntervalSince(fixes[0].timestamp) - 2) < 1e-6)
    }

    @Test func sentencesPastMidnightGoOn() async throws {
        let text =
            sentence("GPGGA,235959.00,6010.2000,N,02456.4000,E,1,08,0.9,,M,,M,,")
            + sentence("GPGGA,000001.00,6010.3000,N,02456.4000,E,1,08,0.9,,M,,M,,")
        let fixes = try await played(.nmea(try file("m.nmea", text), speed: .infinity))
        #expect(fixes.count == 2)
        #expect(abs(fixes[1].timestamp.timeIntervalSince(fixes[0].timestamp) - 2) < 1e-6)
    }

    @Test func headingsOfAFileAreTold() async throws {
        final class Compass: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
            let headings = Log<CLHeading>()
            let failures = Log<String>()
            func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
                headings.append(heading)
            }
            func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
                failures.append("\((error as? CLError)?.code as Any)")
            }
        }
        let text =
            sentence("GPGGA,120000.00,6010.2,N,02456.4,E,1,08,0.9,,M,,M,,") + sentence("HCHDG,100.0,2.0,E,8.0,E")
            + sentence("GPGGA,120001.00,6010.2,N,02456.4,E,1,08,0.9,,M,,M,,") + sentence("HCHDM,100.3,M")
            + sentence("GPGGA,120002.00,6010.2,N,02456.4,E,1,08,0.9,,M,,M,,") + sentence("HCHDM,200.0,M")
        let manager = CLLocationManager(positionSource: .nmea(try file("h.nmea", text), speed: .infinity))
        let compass = Compass()
        manager.delegate = compass
        manager.startUpdatingHeading()
        for _ in 0..<1_000 where compass.headings.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(compass.headings.all.map(\.magneticHeading) == [102, 100.3, 200])
        #expect(compass.headings.all.first?.trueHeading == 110)

        let still = CLLocationManager(positionSource: .fixed(latitude: 0, longitude: 0))
        still.delegate = compass
        still.startUpdatingHeading()
        for _ in 0..<1_000 where compass.failures.count < 1 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(compass.failures.all.first?.contains("headingFailure") == true)
    }

    @Test(arguments: ["", "here", "91,0", "1;2", "1,2,3", "gpsd://localhost:0", "gpsd://localhost:port"])
    func wordsThatNameNoPositionAreRefusedWithTheReason(_ words: String) {
        #expect(throws: CLError.self) { try CLPositionSource(words) }
    }

    @Test func aPlaceIsReadFromWords() async throws {
        let source = try CLPositionSource(" 60.17, -24.94 ")
        for try await update in CLLocationUpdate.liveUpdates(from: source) {
            #expect(update.location?.coordinate.longitude == -24.94)
            break
        }
    }
}
