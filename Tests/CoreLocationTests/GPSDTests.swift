import Foundation
import Glibc
import Locking
import Testing

@testable import CoreLocation

/// A gpsd that says what it is told to, on a port of its own.
private final class FakeGPSD: Sendable {
    let port: Int
    private let server: Int32

    /// - Parameter reports: the lines that each client gets after it has asked to watch.
    /// - Parameter farewell: if there is one, all that is said before the connection is closed at once.
    init(_ reports: [String], farewell: String? = nil) throws {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.server = server
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(server, $0, length) == 0 && listen(server, 4) == 0 && getsockname(server, $0, &length) == 0
            }
        }
        guard isReady else { throw CLError(.network) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            while true {
                let client = accept(server, nil, nil)
                guard client >= 0 else { return }
                if let farewell {
                    if !farewell.isEmpty { Self.say(farewell, client) }
                    close(client)
                    continue
                }
                Self.say(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#, client)
                var buffer = [UInt8](repeating: 0, count: 1_024)
                let count = recv(client, &buffer, buffer.count, 0)
                if count > 0, String(decoding: buffer[..<count], as: UTF8.self).contains("?WATCH=") {
                    for report in reports { Self.say(report, client) }
                }
                // Until the client goes.
                while recv(client, &buffer, buffer.count, 0) > 0 {}
                close(client)
            }
        }
    }

    deinit {
        shutdown(server, Int32(SHUT_RDWR))
        close(server)
    }

    private static func say(_ line: String, _ client: Int32) {
        let bytes = Array((line + "\r\n").utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}

/// The thread whose broken pipes are counted, and their number.
nonisolated(unsafe) private var watchedThread = pthread_self()
nonisolated(unsafe) private var brokenPipes = 0

@Suite struct GPSDTests {
    @Test func positionsComeFromGPSD() async throws {
        let daemon = try FakeGPSD([
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2024-05-01T10:00:00.000Z"}]}"#,
            #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#,
            #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2024-05-01T10:00:00.000Z","lat":60.17,"lon":24.94,"altHAE":30.0,"altMSL":12.5,"epx":3.0,"epy":4.0,"epv":8.0,"track":90.5,"epd":2.0,"speed":5.5,"eps":0.5,"eph":6.0}"#,
            #"{"class":"TPV","device":"/dev/ttyUSB0","mode":2,"time":"2024-05-01T10:00:01.000Z","lat":60.18,"lon":24.95}"#,
        ])
        let source = try CLPositionSource("gpsd://127.0.0.1:\(daemon.port)")
        var fixes: [CLLocation] = []
        for try await update in CLLocationUpdate.liveUpdates(from: source) {
            guard let fix = update.location else { continue }
            fixes.append(fix)
            if fixes.count == 2 { break }
        }
        let fix = try #require(fixes.first)
        #expect(fix.coordinate.latitude == 60.17 && fix.coordinate.longitude == 24.94)
        #expect(fix.altitude == 12.5 && fix.ellipsoidalAltitude == 30 && fix.verticalAccuracy == 8)
        #expect(fix.horizontalAccuracy == 6 && fix.course == 90.5 && fix.speed == 5.5 && fix.speedAccuracy == 0.5)
        #expect(fix.timestamp == Date(timeIntervalSince1970: 1_714_557_600))
        #expect(fix.sourceInformation?.isSimulatedBySoftware == false)
        #expect(fixes.last?.coordinate.latitude == 60.18 && fixes.last?.verticalAccuracy == -1)
    }

    @Test func aGPSDThatClosesTheConnectionDoesNotEndTheProgram() throws {
        let daemon = try FakeGPSD([], farewell: "")
        let stage = Mutex<PositionStage?>(nil)
        let failures = Mutex<[String]>([])
        let played = PositionStage { event in
            if case .failure(let error) = event { failures.withLock { $0.append(error.localizedDescription) } }
            // What is written from now on goes to nobody.
            stage.withLock { $0 }?.close()
        }
        stage.withLock { $0 = played }
        defer { stage.withLock { $0 = nil } }
        // A signal that is not caught would end the program here; a test runner may have it ignored.
        watchedThread = pthread_self()
        let before = signal(SIGPIPE) { _ in if pthread_self() == watchedThread { brokenPipes += 1 } }
        defer { signal(SIGPIPE, before) }
        #expect(!GPSDPlayer(host: "127.0.0.1", port: daemon.port).play(on: played))
        #expect(brokenPipes == 0)
        #expect(failures.withLock { $0 } == ["gpsd at 127.0.0.1:\(daemon.port) ended the connection"])
    }

    @Test(arguments: ["", "no gpsd {\u{1}"])
    func aGPSDThatClosesTheConnectionIsTriedAgain(_ farewell: String) async throws {
        let daemon = try FakeGPSD([], farewell: farewell)
        var failures = 0
        for try await update in CLLocationUpdate.liveUpdates(from: .gpsd(host: "127.0.0.1", port: daemon.port)) {
            #expect(update.locationUnavailable)
            failures += 1
            // By the second, the first connection has been left.
            if failures == 2 { break }
        }
        #expect(failures == 2)
    }

    @Test(arguments: [
        ("gpsd://[::1]:2948", "::1", 2948), ("gpsd://[::1]", "::1", 2947), ("gpsd://::1", "::1", 2947),
        ("gpsd://gps.local:2948", "gps.local", 2948), ("gpsd://", "localhost", 2947), ("gpsd:boat", "boat", 2947),
        ("gpsd://:2948", "localhost", 2948),
    ])
    func hostAndPortAreReadFromWords(_ words: String, _ host: String, _ port: Int) throws {
        let player = try #require(try CLPositionSource(words).feed.player as? GPSDPlayer)
        #expect(player.host == host && player.port == port)
    }

    @Test func numbersOfGPSDThatSayNothingAreLeftOut() async throws {
        let daemon = try FakeGPSD([
            #"{"class":"TPV","mode":3,"lat":60,"lon":24,"altMSL":1,"eph":1e308,"epv":-4,"speed":-1,"track":9999,"eps":-2}"#
        ])
        for try await update in CLLocationUpdate.liveUpdates(from: .gpsd(host: "127.0.0.1", port: daemon.port)) {
            guard let fix = update.location else { continue }
            #expect(fix.horizontalAccuracy == 15 && fix.verticalAccuracy == 30)
            #expect(fix.speed == -1 && fix.course == -1 && fix.speedAccuracy == -1)
            break
        }
    }

    @Test func withoutAGPSDThereIsAFailureWithItsAddress() async throws {
        for try await update in CLLocationUpdate.liveUpdates(from: .gpsd(host: "127.0.0.1", port: 1)) {
            #expect(update.locationUnavailable)
            break
        }
    }
}
