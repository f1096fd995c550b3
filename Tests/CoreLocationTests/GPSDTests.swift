import CoreLocation
import Foundation
import Glibc
import Testing

/// A gpsd that says what it is told to, on a port of its own.
private final class FakeGPSD: Sendable {
    let port: Int
    private let server: Int32

    /// - Parameter reports: the lines that each client gets after it has asked to watch.
    init(_ reports: [String]) throws {
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

    @Test func withoutAGPSDThereIsAFailureWithItsAddress() async throws {
        for try await update in CLLocationUpdate.liveUpdates(from: .gpsd(host: "127.0.0.1", port: 1)) {
            #expect(update.locationUnavailable)
            break
        }
    }
}
