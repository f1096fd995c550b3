// A layer that an application puts over the modules: async throughout, values out.
import MapKit

struct Place: Sendable, Identifiable {
    let id = UUID()
    var name: String
    var latitude: Double
    var longitude: Double

    init?(_ item: MKMapItem) {
        guard let name = item.name else { return nil }
        self.name = name
        (latitude, longitude) = (item.placemark.coordinate.latitude, item.placemark.coordinate.longitude)
    }
}

actor Maps {
    private let geocoder = CLGeocoder()

    func search(_ words: String, around center: CLLocationCoordinate2D, metres: Double) async throws -> [Place] {
        let region = MKCoordinateRegion(center: center, latitudinalMeters: metres, longitudinalMeters: metres)
        let request = MKLocalSearch.Request(naturalLanguageQuery: words, region: region)
        do {
            return try await MKLocalSearch(request: request).start().mapItems.compactMap(Place.init)
        } catch MKError.placemarkNotFound {
            return []
        }
    }

    func address(of location: CLLocation) async throws -> String? {
        let placemark = try await geocoder.reverseGeocodeLocation(location).first
        return (placemark?.addressDictionary?["FormattedAddressLines"] as? [String])?.joined(separator: ", ")
    }

    func minutes(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) async throws -> Double {
        let request = MKDirections.Request()
        request.source = MKMapItem(placemark: MKPlacemark(coordinate: start))
        request.destination = MKMapItem(placemark: MKPlacemark(coordinate: end))
        request.transportType = .walking
        return try await MKDirections(request: request).calculateETA().expectedTravelTime / 60
    }
}

/// Handlers turned into one continuation by hand, as older layers do.
func firstMatch(_ words: String) async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
        let request = MKLocalSearch.Request()
        request.naturalLanguageQuery = words
        MKLocalSearch(request: request).start { response, error in
            if let error {
                continuation.resume(throwing: error)
            } else {
                continuation.resume(returning: response?.mapItems.first?.name)
            }
        }
    }
}

@MainActor final class Model {
    private(set) var places: [Place] = []
    private(set) var picture: Data?
    private var task: Task<Void, Never>?
    private let maps = Maps()

    func type(_ words: String, near center: CLLocationCoordinate2D) {
        task?.cancel()
        task = Task {
            guard let found = try? await maps.search(words, around: center, metres: 1000) else { return }
            places = found
            picture = try? await snapshot(center)
        }
    }

    private func snapshot(_ center: CLLocationCoordinate2D) async throws -> Data? {
        let options = MKMapSnapshotter.Options()
        options.region = MKCoordinateRegion(center: center, latitudinalMeters: 1000, longitudinalMeters: 1000)
        return try await MKMapSnapshotter(options: options).start().image.pngData()
    }
}
