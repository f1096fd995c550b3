// Every name of coordinates, regions, points and rectangles.
import MapKit

func coordinates() -> [CLLocationCoordinate2D] {
    var place = CLLocationCoordinate2D()
    let degrees: CLLocationDegrees = 50.941302
    place.latitude = degrees
    place.longitude = 6.957189
    let made = CLLocationCoordinate2DMake(43.7394, 7.4275)
    let given = CLLocationCoordinate2D(latitude: 60.17, longitude: 24.94)
    return [place, made, given, kCLLocationCoordinate2DInvalid].filter { CLLocationCoordinate2DIsValid($0) }
}

func aliases() -> Double {
    let distance: CLLocationDistance = 1
    let accuracy: CLLocationAccuracy = 2
    let speed: CLLocationSpeed = 3
    let direction: CLLocationDirection = 4
    let speedAccuracy: CLLocationSpeedAccuracy = 5
    let directionAccuracy: CLLocationDirectionAccuracy = 6
    return distance + accuracy + speed + direction + speedAccuracy + directionAccuracy
}

func regions(around rect: MKMapRect) -> MKCoordinateRegion {
    var span = MKCoordinateSpan()
    span.latitudeDelta = 0.01
    span.longitudeDelta = 0.02
    var region = MKCoordinateRegion()
    region.center = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    region.span = MKCoordinateSpan(latitudeDelta: span.latitudeDelta, longitudeDelta: span.longitudeDelta)
    let inMetres = MKCoordinateRegion(center: region.center, latitudinalMeters: 100, longitudinalMeters: 200)
    let plain = MKCoordinateRegion(center: inMetres.center, span: region.span)
    return rect.isNull ? plain : MKCoordinateRegion(rect)
}

func points() -> Double {
    var point = MKMapPoint()
    point.x = 3
    point.y = 4
    let other = MKMapPoint(x: 1, y: 2)
    let third = MKMapPoint(CLLocationCoordinate2D(latitude: 1, longitude: 2))
    let metres: CLLocationDistance = point.distance(to: other)
    let words = [
        MKStringFromMapPoint(point), MKStringFromMapSize(MKMapSize(width: 1, height: 2)), MKStringFromMapRect(.world),
    ]
    return metres + third.coordinate.latitude + MKMetersPerMapPointAtLatitude(60) + MKMapPointsPerMeterAtLatitude(60)
        + Double(words.joined().count) + (MKMapPointEqualToPoint(point, other) ? 1 : 0)
}

func rectangles() -> MKMapRect {
    var size = MKMapSize()
    size.width = MKMapSize.world.width / 2
    size.height = 10
    var rect = MKMapRect()
    rect.origin = MKMapPoint(x: 1, y: 2)
    rect.size = size
    let other = MKMapRect(x: 0, y: 0, width: 20, height: 30)
    let third = MKMapRect(origin: rect.origin, size: size)
    var point = MKMapRect.null
    point.origin = MKMapPoint(x: 5, y: 6)
    _ = [rect.minX, rect.midX, rect.maxX, rect.minY, rect.midY, rect.maxY, rect.width, rect.height]
    _ = [rect.isNull, rect.isEmpty, rect.spans180thMeridian, rect.intersects(other), rect.contains(third)]
    _ = rect.contains(MKMapPoint(x: 3, y: 3)) && MKMapRectEqualToRect(rect, other)
    _ = MKMapSizeEqualToSize(rect.size, other.size)
    var slice = MKMapRect()
    var rest = MKMapRect()
    MKMapRectDivide(other, &slice, &rest, 4, .minXEdge)
    MKMapRectDivide(other, &slice, &rest, 4, .maxXEdge)
    MKMapRectDivide(other, &slice, &rest, 4, .minYEdge)
    MKMapRectDivide(other, &slice, &rest, 4, .maxYEdge)
    return MKMapRect.world.union(point).intersection(other).insetBy(dx: 1, dy: 2).offsetBy(dx: 3, dy: 4)
        .union(slice).union(rest).union(rect.remainder)
}

func errors(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch MKError.placemarkNotFound {
        return "nothing found"
    } catch CLError.geocodeFoundNoResult {
        return "no such address"
    } catch let error as MKError {
        switch error.code {
        case .unknown, .serverFailure, .loadingThrottled, .placemarkNotFound, .directionsNotFound, .decodingFailed:
            return "\(MKErrorDomain) \(error.errorCode) \(error.userInfo) \(MKError.errorDomain)"
        @unknown default: return error.localizedDescription
        }
    } catch let error as CLError where [.denied, .network, .locationUnknown].contains(error.code) {
        return "\(kCLErrorDomain) \(error.errorCode) \(error.userInfo) \(CLError.errorDomain)"
    } catch CLError.headingFailure, CLError.regionMonitoringDenied, CLError.regionMonitoringFailure,
        CLError.regionMonitoringSetupDelayed, CLError.regionMonitoringResponseDelayed,
        CLError.geocodeFoundPartialResult, CLError.geocodeCanceled, CLError.deferredFailed,
        CLError.deferredNotUpdatingLocation, CLError.deferredAccuracyTooLow, CLError.deferredDistanceFiltered,
        CLError.deferredCanceled, CLError.rangingUnavailable, CLError.rangingFailure, CLError.promptDeclined,
        CLError.historicalLocationError
    {
        return kCLErrorDomain
    } catch MKError.unknown, MKError.serverFailure, MKError.loadingThrottled, MKError.directionsNotFound,
        MKError.decodingFailed
    {
        return "\(MKError(.unknown)) \(CLError(.denied, userInfo: [NSLocalizedDescriptionKey: "no"]))"
    } catch {
        return (error as NSError).localizedDescription
    }
}
