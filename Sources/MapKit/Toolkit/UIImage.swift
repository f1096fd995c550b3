/// A picture as PNG data: a stand-in for the interface toolkit's, which Linux does not have.
open class UIImage: NSObject, @unchecked Sendable {
    private let data: Data
    /// Points: pixels by `scale`.
    public let size: CGSize
    /// Pixels of a point.
    public let scale: CGFloat

    /// Nil for what is no PNG.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// Nil for what is no PNG.
    public init?(data: Data, scale: CGFloat) {
        // Eight bytes of signature, then the header chunk with the size in pixels (PNG, 5.2 and 11.2.2).
        let head = Array(data.prefix(24))
        guard head.count == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            head[12..<16].elementsEqual("IHDR".utf8), scale.isFinite, scale > 0
        else { return nil }
        func number(_ start: Int) -> Int { head[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
        self.data = data
        self.scale = scale
        size = CGSize(width: CGFloat(number(16)) / scale, height: CGFloat(number(20)) / scale)
    }

    /// Nil for a file that is not there or is no PNG.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// The picture's file.
    open func pngData() -> Data? { data }
}
