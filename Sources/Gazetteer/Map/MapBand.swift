import Geometry

/// A range of zooms for which the shapes of the map are kept in one simplified form.
struct MapBand {
    var zooms: ClosedRange<Int>
    /// Units of `MercatorPoint` by which a line may be off: four tenths of a pixel at the finest zoom of the band, and some
    /// centimetres in the last, whose places are as exact as the data.
    var tolerance: Int32

    static let all: [MapBand] = [
        MapBand(zooms: 0...5, tolerance: 52_428),
        MapBand(zooms: 6...8, tolerance: 6_553),
        MapBand(zooms: 9...10, tolerance: 1_638),
        MapBand(zooms: 11...12, tolerance: 409),
        MapBand(zooms: 13...14, tolerance: 102),
        MapBand(zooms: 15...19, tolerance: 3),
    ]

    /// The number of the band that holds `zoom`.
    static func index(of zoom: Int) -> Int {
        all.firstIndex { $0.zooms.upperBound >= zoom } ?? all.count - 1
    }

    /// Units of `MercatorPoint` across a pixel of a 256-pixel tile.
    static func pixel(atZoom zoom: Int) -> Int32 { Mercator.world >> Int32(8 + zoom) }
}
