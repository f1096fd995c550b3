import Gazetteer
import Geometry

/// The shapes of a part of the world, fetched once and made ready: put in an order that does not depend on how they were
/// asked for, with their boxes, the rings of areas turned so that outer ones run one way and holes the other.
struct Scene: Sendable {
    struct Item: Sendable {
        var shape: MapShape
        var box: MercatorBox
    }

    /// By kind, each in order of layer, number and place.
    private(set) var items: [MapKind: [Item]] = [:]
    /// Land and sea, in the order in which the source gave them: later ones lie upon earlier ones.
    private(set) var landAndSea: [Item] = []

    /// Fetches what reaches into `box`.
    init(_ source: any MapSource, box: MercatorBox, zoom: Int, languages: [String]) throws {
        try source.forEachMapShape(in: box, zoom: zoom, languages: languages) { shape in
            guard var item = Item(shape), item.box.intersects(box) else { return }
            item.orientRings()
            switch shape.kind {
            case .land, .sea: landAndSea.append(item)
            default: items[shape.kind, default: []].append(item)
            }
        }
        for kind in items.keys { items[kind]?.sort(by: Item.precedes) }
    }
}

extension Scene.Item {
    /// Nil where the shape has too few points.
    init?(_ shape: MapShape) {
        guard let box = Self.box(of: shape.geometry) else { return nil }
        self.shape = shape
        self.box = box
    }

    private static func box(of geometry: MapShape.Geometry) -> MercatorBox? {
        switch geometry {
        case .point(let point): return MercatorBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        case .line(let line): return line.count < 2 ? nil : MercatorRing.box(line)
        case .area(let rings):
            return rings.reduce(nil) { whole, ring in
                guard ring.count > 2, let box = MercatorRing.box(ring) else { return whole }
                return whole?.union(box) ?? box
            }
        }
    }

    var firstPoint: MercatorPoint? {
        switch shape.geometry {
        case .point(let point): point
        case .line(let line): line.first
        case .area(let rings): rings.first?.first
        }
    }

    static func precedes(_ a: Self, _ b: Self) -> Bool {
        if a.shape.layer != b.shape.layer { return a.shape.layer < b.shape.layer }
        if a.shape.id != b.shape.id { return a.shape.id < b.shape.id }
        if a.box != b.box {
            return (a.box.minX, a.box.minY, a.box.maxX, a.box.maxY) < (b.box.minX, b.box.minY, b.box.maxX, b.box.maxY)
        }
        guard let p = a.firstPoint, let q = b.firstPoint else { return false }
        return (p.x, p.y) < (q.x, q.y)
    }

    /// Turns rings by how deep they lie in others, so that many areas can be filled at once by the non-zero rule.
    mutating func orientRings() {
        guard case .area(var rings) = shape.geometry else { return }
        rings.removeAll { $0.count < 3 }
        let boxes = rings.count > 1 ? rings.map { MercatorRing.box($0) } : []
        for index in rings.indices {
            var depth = 0
            if rings.count > 1, let own = boxes[index] {
                for other in rings.indices where other != index {
                    guard let box = boxes[other], box.minX <= own.minX, box.maxX >= own.maxX, box.minY <= own.minY,
                        box.maxY >= own.maxY
                    else { continue }
                    if MercatorRing.contains(rings[index][0], rings: [rings[other]]) { depth += 1 }
                }
            }
            if (MercatorRing.doubleArea(rings[index]) > 0) != (depth % 2 == 0) { rings[index].reverse() }
        }
        shape.geometry = .area(rings)
    }
}
