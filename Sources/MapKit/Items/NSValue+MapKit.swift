extension NSValue {
    /// Two numbers as `NSValue` on Linux takes them: a structure's encoding would stop the program.
    private static let pair = "[2d]"

    private convenience init(_ first: Double, _ second: Double) {
        let numbers = [first, second]
        self.init(bytes: numbers, objCType: Self.pair)
    }

    private var numbers: (Double, Double)? {
        guard String(cString: objCType) == Self.pair else { return nil }
        var numbers = [0.0, 0.0]
        getValue(&numbers)
        return (numbers[0], numbers[1])
    }

    public convenience init(mkCoordinate coordinate: CLLocationCoordinate2D) {
        self.init(coordinate.latitude, coordinate.longitude)
    }

    public convenience init(mkCoordinateSpan span: MKCoordinateSpan) {
        self.init(span.latitudeDelta, span.longitudeDelta)
    }

    /// The coordinate; the invalid one for a value of another kind.
    public var mkCoordinateValue: CLLocationCoordinate2D {
        numbers.map { CLLocationCoordinate2D(latitude: $0.0, longitude: $0.1) } ?? kCLLocationCoordinate2DInvalid
    }

    /// The span; an empty one for a value of another kind.
    public var mkCoordinateSpanValue: MKCoordinateSpan {
        numbers.map { MKCoordinateSpan(latitudeDelta: $0.0, longitudeDelta: $0.1) } ?? MKCoordinateSpan()
    }
}
