import Foundation
import Gazetteer
import Geometry

/// The large cities of a scene, and about how far each reaches. Places in them are often cities by their own right, as
/// the arrondissements of Paris are in GeoNames.
struct LargeCities {
    private var cities: [(place: MercatorPoint, people: Double)] = []

    /// Fewer people make no city that has others within it.
    private static let leastPeople = 300_000.0

    init(_ scene: Scene) {
        for item in scene.items[.city] ?? [] where item.shape.rank >= Self.leastPeople {
            if case .point(let place) = item.shape.geometry { cities.append((place, item.shape.rank)) }
        }
    }

    /// Whether the place lies in a city of at least four times its people.
    func hold(_ shape: MapShape) -> Bool {
        guard case .point(let place) = shape.geometry else { return false }
        return cities.contains { city in
            guard city.people >= 4 * max(shape.rank, 1) else { return false }
            let (dx, dy) = (Double(place.x) - Double(city.place.x), Double(place.y) - Double(city.place.y))
            // About 20 km for Berlin.
            let metres = 11 * city.people.squareRoot()
            let latitude = city.place.coordinate.latitude * .pi / 180
            let reach = metres / (2 * .pi * earthRadius * cos(latitude)) * Double(Mercator.world)
            return dx * dx + dy * dy < reach * reach
        }
    }
}
