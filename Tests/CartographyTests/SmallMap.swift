import Foundation
import Gazetteer
import Geometry

@testable import Cartography

/// A few shapes made by hand, as a source.
struct SmallMap: MapSource {
    var shapes: [MapShape] = []
    var attributions = ["© Somebody"]

    func forEachMapShape(
        in box: MercatorBox, zoom: Int, languages: [String], _ body: (MapShape) throws -> Void
    ) throws {
        for shape in shapes {
            for shift in [0, -Mercator.world, Mercator.world] { try body(Self.moved(shape, by: shift)) }
        }
    }

    /// The world repeats itself at its sides.
    private static func moved(_ shape: MapShape, by shift: Int32) -> MapShape {
        func moved(_ point: MercatorPoint) -> MercatorPoint { MercatorPoint(x: point.x &+ shift, y: point.y) }
        var shape = shape
        switch shape.geometry {
        case .point(let point): shape.geometry = .point(moved(point))
        case .line(let line): shape.geometry = .line(line.map(moved))
        case .area(let rings): shape.geometry = .area(rings.map { $0.map(moved) })
        }
        return shape
    }

    mutating func add(
        _ kind: MapKind, _ geometry: MapShape.Geometry, flags: MapShape.Flags = [], layer: Int = 0, name: String? = nil,
        ref: String? = nil, category: String? = nil, rank: Double = 0
    ) {
        shapes.append(
            MapShape(
                id: Int64(shapes.count + 1), kind: kind, geometry: geometry, flags: flags, layer: layer, name: name,
                ref: ref, category: category, rank: rank))
    }

    static func point(_ latitude: Double, _ longitude: Double) -> MercatorPoint {
        MercatorPoint(Coordinate(latitude: latitude, longitude: longitude))
    }
}

/// Numbers that look random and are always the same.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension SmallMap {
    /// A town around 0, 0 that is much the same at every zoom: `side` points square at `zoom`, full of roads, houses and
    /// names, moved east by `dx` units.
    static func town(zoom: Int, side: Double = 1200, seed: UInt64 = 7, dx: Int32 = 0) -> SmallMap {
        var map = SmallMap()
        var dice = Dice(state: seed)
        let unit = Double(Mercator.world) / (256 * exp2(Double(zoom)))
        let middle = Double(Mercator.world / 2)
        func at(_ x: Double, _ y: Double) -> MercatorPoint {
            func held(_ value: Double) -> Int32 { Int32(min(max(value, -2.6e8), 1.05e9)) }
            return MercatorPoint(x: held(middle + (x - side / 2) * unit) + dx, y: held(middle + (y - side / 2) * unit))
        }
        func somewhere() -> (x: Double, y: Double) {
            (Double.random(in: 0..<side, using: &dice), Double.random(in: 0..<side, using: &dice))
        }
        map.add(
            .land, .area([[at(-400, -300), at(side + 300, -200), at(side + 200, side * 0.8), at(-100, side + 500)]]))
        let kinds: [MapKind] = [.motorway, .primary, .secondary, .tertiary, .street, .service, .footway, .rail, .river]
        for index in 0..<70 {
            var place = somewhere()
            var heading = Double.random(in: 0..<6.28, using: &dice)
            var line = [at(place.x, place.y)]
            for _ in 0..<14 {
                heading += Double.random(in: -0.4...0.4, using: &dice)
                place.x += 40 * cos(heading)
                place.y += 40 * sin(heading)
                line.append(at(place.x, place.y))
            }
            let flags: MapShape.Flags =
                index % 9 == 0 ? .bridge : index % 11 == 0 ? .tunnel : index % 4 == 0 ? .oneway : []
            map.add(
                kinds[index % kinds.count], .line(line), flags: flags, layer: index % 9 == 0 ? 1 : 0,
                name: "Long Winding Road \(index)", ref: index % 5 == 0 ? "A \(index)" : nil)
        }
        for index in 0..<150 {
            let place = somewhere()
            let (w, h) = (Double.random(in: 4...30, using: &dice), Double.random(in: 4...30, using: &dice))
            let kind: MapKind = index % 10 == 0 ? .park : index % 17 == 0 ? .water : .building
            let size = index % 10 == 0 ? 5.0 : 1
            map.add(
                kind,
                .area([
                    [
                        at(place.x, place.y), at(place.x + w * size, place.y + 3),
                        at(place.x + w * size, place.y + h * size),
                        at(place.x - 2, place.y + h * size),
                    ]
                ]), name: index % 10 == 0 ? "Park of the \(index)" : nil)
        }
        let places: [MapKind] = [.city, .town, .village, .suburb, .hamlet, .peak, .station, .country, .houseNumber]
        for index in 0..<120 {
            let place = somewhere()
            map.add(
                places[index % places.count], .point(at(place.x, place.y)), name: "Place of Name \(index)",
                ref: "\(index)",
                rank: Double(index * 40_000))
        }
        let categories = ["restaurant", "cafe", "pharmacy", "museum", "hotel", "bank", "unheard_of"]
        for index in 0..<150 {
            let place = somewhere()
            map.add(
                .pointOfInterest, .point(at(place.x, place.y)), name: "Shop \(index)",
                category: categories[index % categories.count], rank: Double(index))
        }
        return map
    }
}
