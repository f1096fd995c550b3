import Geometry
import Testing

@testable import Cartography

struct MapFrameTests {
    private let helsinki = Coordinate(latitude: 60.17, longitude: 24.94)

    @Test func theCentreIsInTheMiddle() throws {
        let frame = try MapFrame(center: helsinki, zoom: 13.3, width: 300, height: 200)
        let point = frame.point(for: helsinki)
        #expect(abs(point.x - 150) < 1e-9 && abs(point.y - 100) < 1e-9)
    }

    @Test func pointsAndCoordinatesAreEachOthersInverse() throws {
        for zoom in [0, 3.5, 12, 19, 22] {
            let frame = try MapFrame(center: helsinki, zoom: zoom, width: 640, height: 480)
            for point in [(0.0, 0.0), (640, 480), (17, 333)] where zoom > 1 {
                let back = frame.point(for: frame.coordinate(for: (point.0, point.1)))
                #expect(abs(back.x - point.0) < 1e-4 && abs(back.y - point.1) < 1e-4)
            }
        }
    }

    @Test func aPlaceOverTheDateLineIsNearby() throws {
        let frame = try MapFrame(center: Coordinate(latitude: -17, longitude: 179.9), zoom: 8, width: 400, height: 400)
        let point = frame.point(for: Coordinate(latitude: -17, longitude: -179.9))
        #expect(point.x > 200 && point.x < 300)
        #expect(abs(frame.coordinate(for: point).longitude + 179.9) < 1e-9)
    }

    @Test func aBoxIsFittedWithItsPadding() throws {
        let box = BoundingBox(west: 24.9, south: 60.1, east: 25.0, north: 60.2)
        let frame = try MapFrame(fitting: box, width: 500, height: 300, padding: 20)
        let low = frame.point(for: Coordinate(latitude: 60.1, longitude: 24.9))
        let high = frame.point(for: Coordinate(latitude: 60.2, longitude: 25.0))
        #expect(low.x >= 19.99 && high.x <= 480.01 && high.y >= 19.99 && low.y <= 280.01)
        #expect(abs(high.y - 20) < 0.01 || abs(low.x - 20) < 0.01)
    }

    @Test func aBoxOverTheDateLineIsFittedAsItStands() throws {
        let box = BoundingBox(west: 177, south: -19, east: -179, north: -16)
        let frame = try MapFrame(fitting: box, width: 500, height: 500)
        #expect(frame.zoom > 6 && abs(frame.center.longitude - 179) < 1e-9)
    }

    @Test func aPointGivesTheLargestZoom() throws {
        #expect(try MapFrame(fitting: BoundingBox(helsinki), width: 100, height: 100, maximumZoom: 16).zoom == 16)
    }

    @Test(arguments: [(0.0, 10.0), (-5, 10), (.nan, 10), (10, .infinity), (1e9, 10), (16000, 16000)])
    func sizesThatCannotBeDrawnAreRefused(size: (Double, Double)) {
        #expect(throws: CartographyError.self) {
            try MapFrame(center: helsinki, zoom: 3, width: size.0, height: size.1)
        }
    }

    @Test func placesOffTheGlobeAreRefused() {
        for place in [(91.0, 0.0), (0, 181), (.nan, 0)] {
            #expect(throws: CartographyError.self) {
                try MapFrame(center: Coordinate(latitude: place.0, longitude: place.1), zoom: 3, width: 9, height: 9)
            }
        }
        #expect(throws: CartographyError.self) {
            try MapFrame(fitting: BoundingBox(west: 0, south: 9, east: 1, north: 8), width: 9, height: 9)
        }
    }
}
