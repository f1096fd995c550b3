internal import CGPS
import Foundation

/// Positions of a receiver, through gpsd (libgps).
final class GPSDPlayer: PositionPlayer {
    let host: String
    let port: Int
    /// Seconds between attempts to connect.
    private static let patience = 3.0

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    let tellsHeading = true
    let isLive = true

    func play(on stage: PositionStage) -> Bool {
        let name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        while !stage.isClosed {
            guard let gps = sx_gps_open(host, String(port)) else {
                stage.emit(.failure(CLPositionSource.failure("no gpsd answers at \(name)")))
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
                stage.emit(.failure(CLPositionSource.failure("gpsd at \(name) ended the connection")))
                guard stage.wait(until: Date().addingTimeInterval(Self.patience)) else { return false }
            }
        }
        return false
    }

    private static func tell(_ report: sx_gps_report, _ stage: PositionStage) {
        func known(_ value: Double, else other: Double) -> Double { value.isFinite ? value : other }
        let date = report.time > 0 ? Date(timeIntervalSince1970: report.time) : Date()
        if report.has_heading != 0, let heading = report.heading.asCourse {
            stage.emit(
                .heading(
                    CLHeading(
                        magneticHeading: heading, trueHeading: -1, headingAccuracy: 5, timestamp: Date())))
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
                    horizontalAccuracy: report.horizontal_error.asAccuracy ?? 15,
                    verticalAccuracy: isHigh ? max(report.vertical_error.asAccuracy ?? 30, 0.1) : -1,
                    course: report.track.asCourse ?? -1, courseAccuracy: report.track_error.asCourse ?? -1,
                    speed: report.speed.asSpeed ?? -1, speedAccuracy: report.speed_error.asSpeed ?? -1,
                    timestamp: date, floor: nil,
                    source: CLLocationSourceInformation(
                        softwareSimulationState: false, andExternalAccessoryState: true))))
    }
}
