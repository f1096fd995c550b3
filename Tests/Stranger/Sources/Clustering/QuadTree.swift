// Pins that stand close together become one: a tree of squares over the map, four in each.
import MapKit

final class QuadTree {
    private static let room = 8
    private static let deepest = 24

    private let rect: MKMapRect
    private let depth: Int
    private var members: [any MKAnnotation] = []
    private var quarters: [QuadTree] = []

    init(_ rect: MKMapRect = .world, depth: Int = 0) {
        self.rect = rect
        self.depth = depth
    }

    @discardableResult
    func insert(_ annotation: any MKAnnotation) -> Bool {
        guard rect.contains(MKMapPoint(annotation.coordinate)) else { return false }
        if quarters.isEmpty, members.count < Self.room || depth == Self.deepest {
            members.append(annotation)
            return true
        }
        if quarters.isEmpty { divide() }
        return quarters.contains { $0.insert(annotation) }
    }

    private func divide() {
        var (west, east) = (MKMapRect.null, MKMapRect.null)
        MKMapRectDivide(rect, &west, &east, rect.width / 2, .minXEdge)
        for half in [west, east] {
            var (north, south) = (MKMapRect.null, MKMapRect.null)
            MKMapRectDivide(half, &north, &south, half.height / 2, .minYEdge)
            quarters += [QuadTree(north, depth: depth + 1), QuadTree(south, depth: depth + 1)]
        }
        let old = members
        members = []
        for annotation in old { _ = quarters.contains { $0.insert(annotation) } }
    }

    func annotations(in wanted: MKMapRect) -> [any MKAnnotation] {
        guard rect.intersects(wanted) else { return [] }
        return members.filter { wanted.contains(MKMapPoint($0.coordinate)) }
            + quarters.flatMap { $0.annotations(in: wanted) }
    }
}

final class Cluster: NSObject, MKAnnotation {
    let members: [any MKAnnotation]
    let coordinate: CLLocationCoordinate2D
    var title: String? { members.count == 1 ? members[0].title : "\(members.count)" }

    init(_ members: [any MKAnnotation]) {
        self.members = members
        let points = members.map { MKMapPoint($0.coordinate) }
        let count = Double(max(points.count, 1))
        coordinate =
            MKMapPoint(
                x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count
            ).coordinate
    }
}

@MainActor final class ClusterManager: NSObject, MKMapViewDelegate {
    private let tree = QuadTree()

    func add(_ annotations: [any MKAnnotation]) { for annotation in annotations { tree.insert(annotation) } }

    /// One annotation for each cell of 64 points that holds any.
    func reload(_ map: MKMapView) {
        let visible = map.visibleMapRect
        let cell = 64 * visible.width / max(Double(map.bounds.width), 1)
        var clusters: [Cluster] = []
        var y = (visible.minY / cell).rounded(.down) * cell
        while y < visible.maxY {
            var x = (visible.minX / cell).rounded(.down) * cell
            while x < visible.maxX {
                let members = tree.annotations(in: MKMapRect(x: x, y: y, width: cell, height: cell))
                if !members.isEmpty { clusters.append(Cluster(members)) }
                x += cell
            }
            y += cell
        }
        map.removeAnnotations(map.annotations.filter { $0 is Cluster })
        map.addAnnotations(clusters)
    }

    func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) { reload(mapView) }

    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
        guard let cluster = annotation as? Cluster else { return nil }
        let name = cluster.members.count > 1 ? "cluster" : "single"
        let view =
            mapView.dequeueReusableAnnotationView(withIdentifier: name)
            ?? MKAnnotationView(annotation: annotation, reuseIdentifier: name)
        view.annotation = annotation
        return view
    }
}
