import Geometry
import OpenStreetMap

/// A place on an edge.
struct EdgePlace: Equatable {
    var edge: UInt32
    /// The segment of the edge's geometry, counted along the way.
    var segment: Int
    var point: FixedPoint
    /// Part of the edge's length before the place, along the way, 0 to 1.
    var fraction: Double
    /// Metres from the asked coordinate.
    var distance: Double
    /// Whether the edge may be travelled along and against the way at this place, as the stop asks.
    var isForwardOpen: Bool
    var isBackwardOpen: Bool
    var isUnderground = false

    /// Metres by which places are compared: those under the ground count as further away.
    var rank: Double { distance + (isUnderground ? Snapper.undergroundPenalty : 0) }

    func isOpen(_ directed: UInt32) -> Bool { directed & 1 == 0 ? isForwardOpen : isBackwardOpen }

    /// The part of the directed edge that lies behind the place.
    func fraction(along directed: UInt32) -> Double { directed & 1 == 0 ? fraction : 1 - fraction }
}

/// Finds the places on edges nearest to a coordinate, near ones first, by walking the tree with a queue
/// (Hjaltason and Samet, "Distance browsing in spatial databases", TODS 1999).
///
/// Distances are taken in a plane at the coordinate's latitude; those in the answer are true ones. A road under the ground
/// counts as `undergroundPenalty` further away than it is: a point is meant to lie at ground level unless nothing there is
/// as near.
struct Snapper {
    let graph: GraphArrays
    let user: RoadUser
    let name: String
    /// Whether roads count on which a route does not usually begin.
    let takesAny: Bool

    /// Metres.
    static let undergroundPenalty = 30.0

    private enum What {
        case node(PackedTree.Node)
        /// A found place, by its number.
        case place(Int)
    }

    private struct Entry {
        /// Squared metres.
        var distance: Double
        var what: What
    }

    /// The nearest places that `accepts` takes, one an edge, until it has seen enough.
    ///
    /// - Parameter accepts: called with rising distance; returns false to stop.
    func nearest(
        to stop: Stop, within limit: Double, _ accepts: (EdgePlace) throws(RoutingError) -> Bool
    ) throws(RoutingError) {
        guard let top = graph.tree.top else { return }
        let query = Plane(stop.coordinate)
        var heap = BinaryHeap<Entry> { $0.distance < $1.distance }
        var places: [EdgePlace] = []
        var seen: Set<UInt32> = []
        var points: [FixedPoint] = []
        let squaredLimit = limit * limit
        heap.push(Entry(distance: 0, what: .node(top)))
        while let entry = heap.pop() {
            switch entry.what {
            case .place(let number):
                let place = places[number]
                if seen.insert(place.edge).inserted {
                    if try !accepts(place) { return }
                }
            case .node where entry.distance > squaredLimit: continue
            case .node(let node) where node.isLeaf:
                guard let (edge, part) = graph.tree.item(node) else { throw damaged("a leaf of the tree is not there") }
                if seen.contains(edge) { continue }
                if let place = try place(on: edge, part, for: stop, query, limit: squaredLimit, &points) {
                    heap.push(Entry(distance: place.rank * place.rank, what: .place(places.count)))
                    places.append(place)
                }
            case .node(let node):
                graph.tree.forEachChild(of: node) { child in
                    let distance = query.squaredDistance(to: child.box)
                    if distance <= squaredLimit { heap.push(Entry(distance: distance, what: .node(child))) }
                }
            }
        }
    }

    /// The place on an edge that is nearest to a coordinate, where a route may begin or end there.
    func place(onEdge edge: UInt32, near coordinate: Coordinate) throws(RoutingError) -> EdgePlace? {
        var points: [FixedPoint] = []
        return try place(on: edge, nil, for: Stop(coordinate), Plane(coordinate), limit: .infinity, &points)
    }

    // MARK: Car parks

    /// Metres up to which an outline is followed to the east: the largest car parks are smaller.
    private static let reachOfOutlines = 1500.0

    /// The ways whose outlines a coordinate lies within, of car parks that roads join.
    ///
    /// A line eastwards crosses an outline an odd number of times from within (even-odd rule).
    func carParks(around coordinate: Coordinate) -> Set<UInt32> {
        guard let top = graph.tree.top else { return [] }
        let latitude = FixedPoint(coordinate).latitude
        let west = coordinate.longitude
        let east = west + Self.reachOfOutlines / MetreScale.near(latitude: coordinate.latitude).perLongitude
        var odd: Set<UInt32> = []
        var points: [FixedPoint] = []
        var stack = [top]
        while let node = stack.popLast() {
            let box = node.box
            guard box.south <= latitude, box.north >= latitude, Double(box.east) / 1e7 >= west,
                Double(box.west) / 1e7 <= east
            else { continue }
            guard node.isLeaf else {
                graph.tree.forEachChild(of: node) { stack.append($0) }
                continue
            }
            guard let (edge, part) = graph.tree.item(node), let way = graph.edgeWays[edge],
                flags(ofEdge: edge) & AttributeRecord.carPark != 0, graph.readPoints(of: edge, into: &points)
            else { continue }
            for segment in PackedTree.segments(ofPart: part, of: points.count - 1) {
                let (a, b) = (points[segment], points[segment + 1])
                guard (a.latitude > latitude) != (b.latitude > latitude) else { continue }
                let part = (Double(latitude) - Double(a.latitude)) / (Double(b.latitude) - Double(a.latitude))
                let crossing = Double(a.longitude) + part * (Double(b.longitude) - Double(a.longitude))
                guard crossing / 1e7 > west else { continue }
                if odd.remove(way) == nil { odd.insert(way) }
            }
        }
        return odd
    }

    /// Whether the outline of one of `ways` ends at an end of an edge: whoever enters there comes from that road.
    func joins(_ edge: UInt32, _ ways: Set<UInt32>) -> Bool {
        for directed in [2 * edge, 2 * edge + 1] {
            guard let vertex = graph.heads[directed], let begin = graph.firstLeaving[vertex],
                let end = graph.firstLeaving[vertex + 1], begin <= end, Int(end) <= graph.leaving.count
            else { continue }
            for index in begin..<end {
                if let way = graph.edgeWays[graph.leaving.base[Int(index)] >> 1], ways.contains(way) { return true }
            }
        }
        return false
    }

    /// Whether a road above the ground ends at a vertex, which then lies there as well.
    private func isPortal(_ vertex: UInt32?) -> Bool {
        guard let vertex, let begin = graph.firstLeaving[vertex], let end = graph.firstLeaving[vertex + 1],
            begin <= end,
            Int(end) <= graph.leaving.count
        else { return false }
        let weights = graph.profile(user).weights
        return (begin..<end).contains { index in
            let directed = graph.leaving.base[Int(index)]
            return flags(ofEdge: directed >> 1) & AttributeRecord.underground == 0
                && (weights[directed] != .max || weights[directed ^ 1] != .max)
        }
    }

    private func flags(ofEdge edge: UInt32) -> UInt16 {
        guard let way = graph.edgeWays[edge], let record = graph.ways[way],
            let attributes = graph.attributes[record.forward]
        else { return 0 }
        return attributes.flags
    }

    private func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: name, reason: reason) }

    /// The nearest place on the segments of a part of an edge, nil for all of it, if the edge may be used as the stop asks.
    /// - Parameter points: memory for the edge's points.
    private func place(
        on edge: UInt32, _ part: Int?, for stop: Stop, _ query: Plane, limit: Double, _ points: inout [FixedPoint]
    ) throws(RoutingError) -> EdgePlace? {
        let profile = graph.profile(user)
        let forwardEdge = edge &* 2
        let backwardEdge = forwardEdge &+ 1
        guard Int(edge) < graph.edgeWays.count, let forwardTraits = profile.traits[forwardEdge],
            let backwardTraits = profile.traits[forwardEdge + 1], let forwardWeight = profile.weights[forwardEdge],
            let backwardWeight = profile.weights[forwardEdge + 1]
        else { throw damaged("the tree names an edge that is not there") }
        var isForwardOpen = forwardWeight != .max && (takesAny || forwardTraits & EdgeTraits.startable != 0)
        var isBackwardOpen = backwardWeight != .max && (takesAny || backwardTraits & EdgeTraits.startable != 0)
        guard isForwardOpen || isBackwardOpen else { return nil }
        guard graph.readPoints(of: edge, into: &points) else { throw damaged("the geometry of an edge is not there") }
        let segmentCount = points.count - 1
        let segments = part.map { PackedTree.segments(ofPart: $0, of: segmentCount) } ?? 0..<segmentCount
        guard !segments.isEmpty else { throw damaged("the tree names a segment that is not there") }
        var best = Double.infinity
        var bestSegment = segments.lowerBound
        var bestPart = 0.0
        for segment in segments {
            let a = query.place(points[segment])
            let b = query.place(points[segment + 1])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let square = dx * dx + dy * dy
            let part = square > 0 ? min(max(-(a.x * dx + a.y * dy) / square, 0), 1) : 0
            let (x, y) = (a.x + part * dx, a.y + part * dy)
            let distance = x * x + y * y
            if distance < best {
                best = distance
                bestSegment = segment
                bestPart = part
            }
        }
        guard best <= limit else { return nil }
        let a = points[bestSegment]
        let b = points[bestSegment + 1]
        var point = a.towards(b, part: bestPart)
        if bestPart <= 0 { point = a }
        if bestPart >= 1 { point = b }
        if let bearing = stop.bearing {
            let along = Ground.bearing(a, b)
            if !bearing.contains(along) { isForwardOpen = false }
            if !bearing.contains(along + 180) { isBackwardOpen = false }
        }
        if stop.approach != .unrestricted, isForwardOpen, isBackwardOpen, best > 0.25 {
            // On a road without a choice of direction the stop must do with the side there is.
            let pa = query.place(a)
            let pb = query.place(b)
            let isRight = (pb.x - pa.x) * -pa.y - (pb.y - pa.y) * -pa.x < 0
            let keepsLeft = (graph.arrivals[forwardEdge] ?? 0) & ArrivalFacts.leftHand != 0
            let forwardIsCurb = isRight != keepsLeft
            if forwardIsCurb == (stop.approach == .curb) { isBackwardOpen = false } else { isForwardOpen = false }
        }
        guard isForwardOpen || isBackwardOpen else { return nil }
        var before = 0.0
        var total = 0.0
        for segment in 0..<segmentCount {
            if segment == bestSegment { before = total + Ground.metres(a, point) }
            total += Ground.metres(points[segment], points[segment + 1])
        }
        var fraction = total > 0 ? min(before / total, 1) : 0
        if point == points[0] && bestSegment == 0 { fraction = 0 }
        if point == points[segmentCount] && bestSegment == segmentCount - 1 { fraction = 1 }
        return EdgePlace(
            edge: edge, segment: bestSegment, point: point, fraction: fraction, distance: best.squareRoot(),
            isForwardOpen: isForwardOpen, isBackwardOpen: isBackwardOpen,
            isUnderground: flags(ofEdge: edge) & AttributeRecord.underground != 0
                && !(fraction == 0 && isPortal(graph.heads[backwardEdge]))
                && !(fraction == 1 && isPortal(graph.heads[forwardEdge])))
    }
}

/// Metres east and north of a coordinate.
private struct Plane {
    let latitude: Double
    let longitude: Double
    let scale: MetreScale

    init(_ origin: Coordinate) {
        latitude = origin.latitude
        longitude = origin.longitude
        scale = MetreScale(latitude: origin.latitude)
    }

    func place(_ point: FixedPoint) -> (x: Double, y: Double) {
        var east = Double(point.longitude) / 1e7 - longitude
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return (east * scale.perLongitude, (Double(point.latitude) / 1e7 - latitude) * scale.perLatitude)
    }

    /// Squared metres to the nearest point of a box, 0 inside; on both sides of the date line.
    func squaredDistance(to box: TreeBox) -> Double {
        let south = Double(box.south) / 1e7
        let north = Double(box.north) / 1e7
        let west = Double(box.west) / 1e7
        let east = Double(box.east) / 1e7
        let dy = latitude < south ? south - latitude : latitude > north ? latitude - north : 0
        var dx = Double.infinity
        for shift in [0.0, 360, -360] {
            let x = longitude + shift
            dx = min(dx, x < west ? west - x : x > east ? x - east : 0)
        }
        let y = dy * scale.perLatitude
        let x = dx * scale.perLongitude
        return x * x + y * y
    }
}

/// A small binary heap of values.
struct BinaryHeap<Element> {
    private var elements: [Element] = []
    private let precedes: (Element, Element) -> Bool

    init(_ precedes: @escaping (Element, Element) -> Bool) { self.precedes = precedes }

    mutating func push(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(elements[index], elements[parent]) else { break }
            elements.swapAt(index, parent)
            index = parent
        }
    }

    mutating func pop() -> Element? {
        guard let top = elements.first else { return nil }
        let last = elements.removeLast()
        if elements.isEmpty { return top }
        elements[0] = last
        var index = 0
        while true {
            var best = index
            let left = 2 * index + 1
            if left < elements.count, precedes(elements[left], elements[best]) { best = left }
            if left + 1 < elements.count, precedes(elements[left + 1], elements[best]) { best = left + 1 }
            if best == index { break }
            elements.swapAt(index, best)
            index = best
        }
        return top
    }
}
