internal import CGPS
import Foundation

/// Positions of a receiver, through gpsd (libgps).
final class GPSDPlayer: PositionPlayer {
    private let host: String
    private let port: Int
    /// Seconds between attempts to connect.
    private static let patience = 3.0

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    let tellsHeading = true
    let isLive = true

    func play(on stage: PositionStage) -> Bool {
        while !stage.isClosed {
            guard let gps = sx_gps_open(host, String(port)) else {
                stage.emit(.failure(CLPositionSource.failure("no gpsd answers at \(host):\(port)")))
                guard stage.wait(until: Date().addingTimeInterval(Self.patience)) else { return false }
                continue
            }
            defer { sx_gps_close(gps) }
            var isConnected = true
            while isConnected, !stage.isClosed {
                var report = sx_gps_report()
                switch sx_gps_next(gps, 200_000, &report) {
                case 1: Self.tell(report, stage)
                case 0: break
                default: isConnected = false
                }
            }
            if !stage.isClosed {
                stage.emit(.failure(CLPositionSource.failure("gpsd at \(host):\(port) ended the connection")))
                guard stage.wait(until: Date().addingTimeInterval(Self.patience)) else { return false }
            }
        }
        return false
    }

    private static func tell(_ report: sx_gps_report, _ stage: PositionStage) {
        func known(_ value: Double, else other: Double = -1) -> Double { value.isFinite ? value : other }
        let date = report.time > 0 ? Date(timeIntervalSince1970: report.time) : Date()
        if report.has_heading != 0 {
            stage.emit(
                .heading(
                    CLHeading(
                        magneticHeading: report.heading, trueHeading: -1, headingAccuracy: 5, timestamp: Date())))
        }
        let place = CLLocationCoordinate2D(latitude: report.latitude, longitude: report.longitude)
        guard report.has_fix != 0, CLLocationCoordinate2DIsValid(place) else { return }
        let isHigh = report.is_3d != 0 && (report.altitude.isFinite || report.ellipsoidal_altitude.isFinite)
        let altitude = known(report.altitude, else: known(report.ellipsoidal_altitude, else: 0))
        stage.emit(
            .location(
                CLLocation(
                    coordinate: place, altitude: isHigh ? altitude : 0,
                    ellipsoidalAltitude: isHigh ? known(report.ellipsoidal_altitude, else: altitude) : 0,
                    horizontalAccuracy: known(report.horizontal_error, else: 15),
                    verticalAccuracy: isHigh ? max(known(report.vertical_error, else: 30), 0.1) : -1,
                    course: known(report.track), courseAccuracy: known(report.track_error),
                    speed: known(report.speed), speedAccuracy: known(report.speed_error), timestamp: date, floor: nil,
                    source: CLLocationSourceInformation(
                        softwareSimulationState: false, andExternalAccessoryState: true))))
    }
}
