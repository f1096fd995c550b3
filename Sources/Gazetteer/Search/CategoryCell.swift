import Geometry

/// A square of the grid by which `feature_category` is sorted: 16,384 columns and as many rows over the globe, about 2.4 by
/// 1.2 km at the equator. Its number is the row's times 16,384 and the column's; rows count from the south.
enum CategoryCell {
    private static let count = 16_384

    private static func column(_ longitude: Double) -> Int { index((longitude + 180) / 360) }

    private static func row(_ latitude: Double) -> Int { index((latitude + 90) / 180) }

    /// What lies off the globe belongs to its rim.
    private static func index(_ share: Double) -> Int {
        let place = share * Double(count)
        return place >= 1 ? Int(min(place, Double(count - 1))) : 0
    }

    /// The cell of a point of the globe.
    static func number(of point: Coordinate) -> Int64 {
        guard point.isValid else { return 0 }
        return Int64(row(point.latitude) * count + column(point.longitude))
    }

    /// More ranges than this are not worth a look each: then whole rows are read, or all between the first and the last.
    private static let mostRanges = 256

    /// Ranges of cells, sorted and apart, that hold the boxes; they may hold more. No box may lie over the date line.
    static func ranges(of boxes: [BoundingBox]) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for box in boxes where box.west <= box.east && box.south <= box.north {
            let (west, east) = (column(box.west), column(box.east))
            let (south, north) = (row(box.south), row(box.north))
            if north - south >= mostRanges {
                ranges.append(Int64(south * count + west)...Int64(north * count + east))
                continue
            }
            for row in south...north { ranges.append(Int64(row * count + west)...Int64(row * count + east)) }
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var merged: [ClosedRange<Int64>] = []
        for range in ranges {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        if merged.count > 4 * mostRanges, let first = merged.first, let last = merged.last {
            return [first.lowerBound...last.upperBound]
        }
        return merged
    }
}
