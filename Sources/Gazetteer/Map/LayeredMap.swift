import Geometry

/// Several maps over one another as one source, the finest first.
///
/// Where a finer map covers, it alone is drawn: of the coarser ones points within its cover are left out, lines end at
/// it, and its sea and land come upon theirs. Names of countries, regions and continents come from the World where there
/// is one, since it knows them everywhere and in every language.
public struct LayeredMap: MapSource {
    private let layers: [GazetteerMap]
    private let hasWorld: Bool

    /// - Parameters:
    ///   - layers: the finest first.
    ///   - endsWithWorld: whether the last is the World.
    public init(_ layers: [GazetteerMap], endsWithWorld: Bool) {
        self.layers = layers
        hasWorld = endsWithWorld && layers.count > 1
    }

    public var attributions: [String] {
        var seen: Set<String> = []
        return layers.flatMap(\.attributions).filter { seen.insert($0).inserted }
    }

    public func forEachMapShape(
        in box: MercatorBox, zoom: Int, languages: [String], _ body: (MapShape) throws -> Void
    ) throws {
        if layers.count == 1 {
            return try layers[0].forEachMapShape(in: box, zoom: zoom, languages: languages, body)
        }
        // Layers under one that covers the whole box are not read at all.
        let depth = layers.firstIndex { $0.cover.contains(box) } ?? layers.count - 1
        var rest: [[MapShape]] = []
        // ... but for the World's names of countries and regions, which stand on maps of much.
        var indices = Array(0...depth)
        if hasWorld, depth < layers.count - 1, zoom < 11 { indices.append(layers.count - 1) }
        for index in indices.reversed() {
            var others: [MapShape] = []
            try layers[index].forEachMapShape(in: box, zoom: zoom, languages: languages) { shape in
                switch shape.kind {
                case .land, .sea: if index <= depth { try body(numbered(shape, index)) }
                case .continent where hasWorld, .country where hasWorld, .region where hasWorld:
                    if index == layers.count - 1 { others.append(shape) }
                default: if index <= depth { others.append(shape) }
                }
            }
            rest.append(others)
        }
        for (index, shapes) in zip(indices, rest.reversed()) {
            let finer = layers[..<index].map(\.cover)
            for shape in shapes {
                switch shape.geometry {
                case _ where finer.isEmpty: try body(numbered(shape, index))
                case .point(let point):
                    let isNameOfMuch = [.continent, .country, .region].contains(shape.kind)
                    if isNameOfMuch || !finer.contains(where: { $0.contains(point) }) {
                        try body(numbered(shape, index))
                    }
                case .line(let points):
                    for run in Self.runs(of: points, outside: finer) {
                        var part = shape
                        part.geometry = .line(run)
                        try body(numbered(part, index))
                    }
                case .area(let rings):
                    // An area of a coarser atlas that reaches into the cover of a finer one would show twice.
                    if !rings.contains(where: { ring in ring.contains { p in finer.contains { $0.contains(p) } } }) {
                        try body(numbered(shape, index))
                    }
                }
            }
        }
    }

    /// Numbers of shapes are those of their own gazetteer: the layer goes into the highest bits.
    private func numbered(_ shape: MapShape, _ layer: Int) -> MapShape {
        var shape = shape
        shape.id ^= Int64(layer) << 56
        return shape
    }

    /// The stretches of a line between points outside all of the covers.
    private static func runs(of points: [MercatorPoint], outside covers: [MapCover]) -> [[MercatorPoint]] {
        var runs: [[MercatorPoint]] = []
        var run: [MercatorPoint] = []
        for point in points {
            if covers.contains(where: { $0.contains(point) }) {
                if run.count > 1 { runs.append(run) }
                run = []
            } else {
                run.append(point)
            }
        }
        if run.count > 1 { runs.append(run) }
        return runs
    }
}
