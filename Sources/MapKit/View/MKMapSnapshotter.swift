internal import Cartography
internal import Sextant

/// Draws a part of the map, without annotations.
///
///     let options = MKMapSnapshotter.Options()
///     options.region = MKCoordinateRegion(center: site, latitudinalMeters: 500, longitudinalMeters: 500)
///     let snapshot = try await MKMapSnapshotter(options: options).start()
///     try snapshot.image.pngData()?.write(to: file)
open class MKMapSnapshotter: NSObject {
    public typealias CompletionHandler = (Snapshot?, (any Error)?) -> Void

    /// What to draw.
    open class Options: NSObject, NSCopying {
        private enum Sight {
            case region(MKCoordinateRegion)
            case rect(MKMapRect)
            case camera(MKMapCamera)
        }

        private var sight = Sight.rect(.world)
        open var mapType = MKMapType.standard
        /// Points.
        open var size = CGSize(width: 256, height: 256)
        /// Pixels of a point, 1 to 4.
        open var scale: CGFloat = 1
        open var showsBuildings = true
        /// Which kinds of places the map names; all where it is nil.
        open var pointOfInterestFilter: MKPointOfInterestFilter?

        public override init() { super.init() }

        /// What is shown. Of region, rectangle and camera the one set last wins.
        open var region: MKCoordinateRegion {
            get {
                switch sight {
                case .region(let region): region
                case .rect(let rect): MKCoordinateRegion(rect)
                case .camera(let camera): camera.region
                }
            }
            set { sight = .region(newValue) }
        }

        open var mapRect: MKMapRect {
            get {
                if case .rect(let rect) = sight { return rect }
                return MKMapRect(covering: region)
            }
            set { sight = .rect(newValue) }
        }

        open var camera: MKMapCamera {
            get {
                if case .camera(let camera) = sight { return camera }
                return MKMapCamera(showing: region)
            }
            set { sight = .camera(newValue) }
        }

        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = Options()
            copy.sight = sight
            copy.mapType = mapType
            copy.size = size
            copy.scale = scale
            copy.showsBuildings = showsBuildings
            copy.pointOfInterestFilter = pointOfInterestFilter
            return copy
        }

        /// The picture that is asked for; nil for what is no part of the map.
        fileprivate var drawing: MapDrawing? {
            var shown = MapSight()
            let isPlace: Bool
            if case .rect(let rect) = sight {
                isPlace = shown.show(rect, in: size)
            } else {
                isPlace = shown.show(region, in: size)
            }
            guard isPlace else { return nil }
            var drawing = MapDrawing(rect: shown.rect, size: size, scale: scale, mapType: mapType)
            drawing.showsBuildings = showsBuildings
            if let pointOfInterestFilter { drawing.places = pointOfInterestFilter }
            return drawing
        }
    }

    /// A drawn map.
    open class Snapshot: NSObject {
        /// The picture; `pngData()` is its file.
        public let image: UIImage
        private let rect: MKMapRect
        private let size: CGSize

        fileprivate init(_ image: UIImage, _ drawing: MapDrawing) {
            self.image = image
            rect = drawing.rect
            size = drawing.size
        }

        /// Where a coordinate stands in the picture: points from its upper left corner, y downwards; outside the picture for
        /// places outside.
        open func point(for coordinate: CLLocationCoordinate2D) -> CGPoint {
            MapFrame.point(for: coordinate, in: rect, size: size)
        }
    }

    private struct Drawn: Sendable {
        var image: UIImage
        var drawing: MapDrawing
    }

    private let drawing: MapDrawing?
    private let run = SingleRequest<Drawn>()

    public init(options: Options) { drawing = options.drawing }

    /// Whether a picture is being drawn.
    open var isLoading: Bool { run.isRunning }

    /// Begins. The handler is called once, later, on the main thread.
    open func start(completionHandler: @escaping @MainActor @Sendable (Snapshot?, (any Error)?) -> Void) {
        run.start(work: work) { result in
            MainActor.assumeIsolated { Self.hand(result, to: completionHandler) }
        }
    }

    /// Begins. The handler is called once, later, on the queue.
    open func start(
        with queue: DispatchQueue, completionHandler: @escaping @Sendable (Snapshot?, (any Error)?) -> Void
    ) {
        run.start(deliver: .queue(queue), work: work) { Self.hand($0, to: completionHandler) }
    }

    /// Draws and waits. Cancelling the task cancels the picture.
    nonisolated(nonsending) open func start() async throws -> Snapshot {
        let drawn = try await run.value(work)
        return Snapshot(drawn.image, drawn.drawing)
    }

    /// Ends what is under way; its handler gets `MKError.unknown`.
    open func cancel() { run.cancel() }

    private static func hand(_ result: Result<Drawn, any Error>, to handler: (Snapshot?, (any Error)?) -> Void) {
        switch result {
        case .success(let drawn): handler(Snapshot(drawn.image, drawn.drawing), nil)
        case .failure(let error): handler(nil, error)
        }
    }

    private var work: @Sendable () throws -> Drawn {
        let drawing = self.drawing
        return {
            guard let drawing else { throw MKError(.unknown, "The region to draw is no part of the map.") }
            let data = try drawing.data(.png)
            guard let image = UIImage(data: data, scale: CGFloat(drawing.scale)) else {
                throw MKError(.unknown, "The picture could not be drawn.")
            }
            return Drawn(image: image, drawing: drawing)
        }
    }
}
