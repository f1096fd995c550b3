/// What lies within some metres of a line, with the spot along it.
///
///     let corridor = Corridor(along: route.geometry, metres: 500)
///     corridor.spot(of: fuelStation)?.along      // metres from the start
public struct Corridor: Sendable, Equatable {
    /// A place beside the line.
    public struct Spot: Sendable, Equatable {
        /// Metres from the line.
        public var distance: Double
        /// Metres along the line to its nearest point; of several that are equally near, the first.
        public var along: Double
    }

    public let line: [Coordinate]
    /// Half its width.
    public let metres: Double
    /// Metres along the line to each of its points.
    private let lengths: [Double]
    /// Pieces of the line with the boxes that hold all that is near to them.
    private let pieces: [Piece]
    /// Runs of pieces with the boxes around them, so that most of a long line is passed over at once.
    private let runs: [Piece]
    private static let piecesOfRun = 32

    private struct Piece: Sendable, Equatable {
        /// Points of the line; the last is the first of the next piece.
        var points: Range<Int>
        var box: BoundingBox
    }

    private static let pointsOfPiece = 24
    /// A piece is no longer than this where its points allow it, so that its box stays small.
    private static let metresOfPiece = 2_000.0

    /// An empty line has nothing near it.
    public init(along line: [Coordinate], metres: Double) {
        self.line = line
        let metres = max(metres, 0)
        let reach = metres * 1.01 + 1
        self.metres = metres
        var lengths = [0.0]
        for index in line.indices.dropFirst() {
            lengths.append(lengths[index - 1] + line[index - 1].distance(to: line[index]))
        }
        var pieces: [Piece] = []
        var start = 0
        while start < line.count {
            var end = start + 1
            while end < line.count, end - start < Self.pointsOfPiece,
                end == start + 1 || lengths[end] - lengths[start] < Self.metresOfPiece
            {
                end += 1
            }
            pieces.append(Piece(points: start..<end, box: Self.box(around: line[start..<end], metres: reach)))
            start = end < line.count ? end - 1 : end
        }
        self.lengths = lengths
        self.pieces = pieces
        runs = stride(from: 0, to: pieces.count, by: Self.piecesOfRun).map { start in
            let range = start..<min(start + Self.piecesOfRun, pieces.count)
            var box = pieces[start].box
            for piece in pieces[range] {
                (box.west, box.east) = (min(box.west, piece.box.west), max(box.east, piece.box.east))
                (box.south, box.north) = (min(box.south, piece.box.south), max(box.north, piece.box.north))
                // One that stands over the date line holds the whole band.
                if piece.box.west > piece.box.east { (box.west, box.east) = (-180, 180) }
            }
            return Piece(points: range, box: box)
        }
    }

    private static func box(around points: ArraySlice<Coordinate>, metres: Double) -> BoundingBox {
        var box = BoundingBox(around: points.first ?? Coordinate(latitude: 0, longitude: 0), metres: metres)
        for point in points.dropFirst() {
            let other = BoundingBox(around: point, metres: metres)
            box.south = min(box.south, other.south)
            box.north = max(box.north, other.north)
            // Over the date line the whole band is taken.
            if box.west > box.east || other.west > other.east || abs(box.east - other.east) > 180 {
                (box.west, box.east) = (-180, 180)
            } else {
                box.west = min(box.west, other.west)
                box.east = max(box.east, other.east)
            }
        }
        return box
    }

    /// Boxes that together hold the corridor.
    public var boxes: [BoundingBox] { pieces.map(\.box) }

    /// The whole length in metres.
    public var length: Double { lengths.last ?? 0 }

    /// Where a point lies beside the line; nil farther off than `metres`.
    ///
    /// Cost: a look at each piece's box, and the points of those that hold the point.
    public func spot(of point: Coordinate) -> Spot? {
        let plane = Plane(at: point)
        var best = Double.infinity
        var along = 0.0
        for piece in runs.lazy.filter({ $0.box.contains(point) }).flatMap({ pieces[$0.points] })
        where piece.box.contains(point) {
            if piece.points.count == 1 {
                let distance = point.distance(to: line[piece.points.lowerBound])
                if distance < best { (best, along) = (distance, lengths[piece.points.lowerBound]) }
                continue
            }
            var last = plane.place(line[piece.points.lowerBound])
            for index in piece.points.dropFirst() {
                let next = plane.place(line[index])
                let nearest = Plane.nearestToOrigin(last, next)
                let distance = nearest.squaredDistance.squareRoot()
                if distance < best {
                    best = distance
                    along = lengths[index - 1] + nearest.share * (lengths[index] - lengths[index - 1])
                }
                last = next
            }
        }
        return best <= metres ? Spot(distance: best, along: along) : nil
    }
}
