import MapKit
import Testing

@Suite struct ShapeTests {
    private let corners = [
        CLLocationCoordinate2D(latitude: 43.73, longitude: 7.41),
        CLLocationCoordinate2D(latitude: 43.74, longitude: 7.42),
        CLLocationCoordinate2D(latitude: 43.73, longitude: 7.43),
    ]

    @Test func aLineCopiesItsPointsAndGivesThemBack() {
        var given = corners
        let line = MKPolyline(coordinates: &given, count: given.count)
        given[0].latitude = 0
        #expect(line.pointCount == 3)
        #expect(abs(line.points()[0].coordinate.latitude - 43.73) < 1e-12)
        var back = [CLLocationCoordinate2D](repeating: .init(), count: 2)
        line.getCoordinates(&back, range: NSRange(location: 1, length: 2))
        #expect(abs(back[1].longitude - 7.43) < 1e-12)
        line.getCoordinates(&back, range: NSRange(location: 2, length: 99))
        #expect(abs(back[0].longitude - 7.43) < 1e-12)
        line.getCoordinates(&back, range: NSRange(location: 7, length: 1))
    }

    @Test func theMiddleOfALineIsThatOfItsRectangle() {
        let line = MKPolyline(coordinates: corners, count: 3)
        #expect(abs(line.coordinate.longitude - 7.42) < 1e-12)
        #expect(line.boundingMapRect.contains(line.points()[1]))
        let area = MKPolygon(coordinates: corners, count: 3)
        #expect(abs(area.coordinate.latitude - 43.735) < 1e-4)
        #expect(MKMapRectEqualToRect(area.boundingMapRect, line.boundingMapRect))
    }

    @Test func noPointsMakeANullRectangle() {
        let nothing = MKPolyline(coordinates: [], count: 0)
        #expect(nothing.pointCount == 0 && nothing.boundingMapRect.isNull)
        #expect(!CLLocationCoordinate2DIsValid(nothing.coordinate))
        #expect(!nothing.intersects(.world) && MKPolygon().boundingMapRect.isNull)
        #expect(MKMultiPolygon([]).boundingMapRect.isNull && MKMultiPolyline([]).boundingMapRect.isNull)
        _ = nothing.points()
    }

    @Test func placesAlongALineAreSharesOfItsLength() {
        let points = [MKMapPoint(x: 0, y: 0), MKMapPoint(x: 30, y: 0), MKMapPoint(x: 30, y: 10)]
        let line = MKPolyline(points: points, count: 3)
        #expect(line.location(atPointIndex: 1) == 0.75)
        #expect(line.locations(at: [0, 1, 2, 9]) == [0, 0.75, 1, 1])
    }

    @Test func aLineThatRunsLevelStillMeetsARectangle() {
        let level = MKPolyline(points: [MKMapPoint(x: 0, y: 5), MKMapPoint(x: 10, y: 5)], count: 2)
        #expect(level.intersects(MKMapRect(x: 4, y: 0, width: 2, height: 10)))
        #expect(!level.intersects(MKMapRect(x: 4, y: 6, width: 2, height: 10)))
        let bent = MKPolyline(points: [MKMapPoint(), MKMapPoint(x: 10, y: 0), MKMapPoint(x: 10, y: 10)], count: 3)
        #expect(!bent.intersects(MKMapRect(x: 1, y: 5, width: 2, height: 2)))
    }

    @Test func anAreaMeetsWhatLiesInsideButNotInItsHole() {
        func square(_ from: Double, _ to: Double) -> [MKMapPoint] {
            [(from, from), (to, from), (to, to), (from, to)].map { MKMapPoint(x: $0.0, y: $0.1) }
        }
        let hole = MKPolygon(points: square(4, 8), count: 4)
        let area = MKPolygon(points: square(0, 12), count: 4, interiorPolygons: [hole])
        #expect(area.intersects(MKMapRect(x: 1, y: 1, width: 1, height: 1)))
        #expect(!area.intersects(MKMapRect(x: 5, y: 5, width: 1, height: 1)))
        #expect(area.interiorPolygons?.count == 1)
    }

    @Test func aGeodesicLineHasAPointForEachKilometre() {
        let ends = [
            CLLocationCoordinate2D(latitude: 60.17, longitude: 24.94),
            CLLocationCoordinate2D(latitude: 43.73, longitude: 7.42),
        ]
        let line = MKGeodesicPolyline(coordinates: ends, count: 2)
        let metres = MKMapPoint(ends[0]).distance(to: MKMapPoint(ends[1]))
        #expect(line.pointCount == Int((metres / 1000).rounded(.up)) + 1)
        let last = line.points()[line.pointCount - 1].coordinate
        #expect(abs(last.latitude - 43.73) < 1e-9)
        // The shortest way between places of the north bends northwards of the straight line on the map.
        let chord = MKPolyline(coordinates: ends, count: 2).boundingMapRect
        let middle = line.points()[line.pointCount / 2]
        let share = (middle.x - chord.minX) / chord.width
        #expect(middle.y < chord.maxY - share * chord.height)
        #expect(MKGeodesicPolyline(coordinates: [ends[0], ends[0]], count: 2).pointCount == 2)
    }

    @Test func aCircleIsAsWideAsTheScaleAtItsCentreSays() {
        let circle = MKCircle(center: corners[0], radius: 100)
        let width = 200 * MKMapPointsPerMeterAtLatitude(43.73)
        #expect(abs(circle.boundingMapRect.width - width) < 1e-6)
        #expect(circle.coordinate.latitude == 43.73 && circle.radius == 100)
        let again = MKCircle(mapRect: circle.boundingMapRect)
        #expect(abs(again.radius - 100) < 0.001)
        let corner = MKMapRect(
            origin: circle.boundingMapRect.origin, size: MKMapSize(width: width / 20, height: width / 20))
        #expect(!circle.intersects(corner) && circle.intersects(circle.boundingMapRect))
    }

    // MARK: GeoJSON

    private func decode(_ text: String) throws -> [any MKGeoJSONObject] {
        try MKGeoJSONDecoder().decode(Data(text.utf8))
    }

    @Test func geometriesBecomeShapes() throws {
        let point = try #require(decode(#"{"type":"Point","coordinates":[7.42,43.73]}"#).first as? MKPointAnnotation)
        #expect(point.coordinate.latitude == 43.73 && point.coordinate.longitude == 7.42)
        let line = try decode(#"{"type":"LineString","coordinates":[[0,1],[2,3],[4,5,6]]}"#).first as? MKPolyline
        #expect(line?.pointCount == 3)
        let area =
            try decode(
                #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]],[[1,1],[2,1],[2,2],[1,1]]]}"#
            ).first as? MKPolygon
        #expect(area?.pointCount == 3 && area?.interiorPolygons?.first?.pointCount == 4)
        let lines = try decode(#"{"type":"MultiLineString","coordinates":[[[0,1],[2,3]],[[4,5],[6,7]]]}"#)
        #expect((lines.first as? MKMultiPolyline)?.polylines.count == 2)
        let areas = try decode(#"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9]]]]}"#)
        #expect((areas.first as? MKMultiPolygon)?.polygons.count == 1)
        #expect(try decode(#"{"type":"MultiPoint","coordinates":[[0,1],[2,3]]}"#).count == 2)
    }

    @Test func featuresKeepIdentifierPropertiesAndGeometry() throws {
        let objects = try decode(
            """
            {"type":"FeatureCollection","features":[
              {"type":"Feature","id":17,"properties":{"name":"Café"},"geometry":{"type":"Point","coordinates":[1,2]}},
              {"type":"Feature","id":"a","properties":null,"geometry":null},
              {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[
                {"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[1,2],[3,4]]}]}}]}
            """)
        let features = objects.compactMap { $0 as? MKGeoJSONFeature }
        #expect(features.map(\.identifier) == ["17", "a", nil])
        #expect(features.map(\.geometry.count) == [1, 0, 2])
        let members = try #require(features[0].properties)
        #expect(try JSONDecoder().decode([String: String].self, from: members) == ["name": "Café"])
        #expect(features[1].properties == nil)
    }

    @Test(arguments: [
        "[]", "17", #"{"type":"Sphere","coordinates":[1,2]}"#, #"{"coordinates":[1,2]}"#,
        #"{"type":"Point","coordinates":[1]}"#, #"{"type":"Point","coordinates":["1","2"]}"#,
        #"{"type":"LineString","coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[]}"#,
        #"{"type":"FeatureCollection"}"#, #"{"type":"FeatureCollection","features":[{"type":"Point"}]}"#,
    ])
    func whatIsNotGeoJSONIsRefused(_ text: String) {
        #expect { try decode(text) } throws: { ($0 as? MKError)?.code == .decodingFailed }
    }

    @Test func whatIsNotJSONIsFoundationsError() {
        #expect { try decode("{") } throws: { ($0 as NSError).domain == NSCocoaErrorDomain }
    }

    @Test func nestingWithoutEndIsRefused() {
        var text = #"{"type":"Point","coordinates":[1,2]}"#
        for _ in 0..<100 { text = #"{"type":"GeometryCollection","geometries":[\#(text)]}"# }
        #expect { try decode(text) } throws: { ($0 as? MKError)?.code == .decodingFailed }
        #expect(throws: (any Error).self) { try decode(String(repeating: "[", count: 100_000)) }
    }

    // MARK: Distances in words

    @Test(arguments: [
        (3.2, "3 m"), (12, "10 m"), (13, "15 m"), (340, "350 m"), (974, "950 m"), (999, "1 km"), (1234, "1.2 km"),
        (9960, "10 km"), (12_345, "12 km"), (0, "0 m"),
    ])
    func metricDistances(_ metres: Double, _ text: String) {
        let formatter = MKDistanceFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.units = .metric
        #expect(formatter.string(fromDistance: metres) == text)
    }

    @Test func unitsFollowTheLocaleUnlessTheyAreSet() {
        let formatter = MKDistanceFormatter()
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(fromDistance: 100) == "350 ft")
        #expect(formatter.string(fromDistance: 1609.344 * 2.5) == "2.5 mi")
        formatter.locale = Locale(identifier: "en_GB")
        #expect(formatter.string(fromDistance: 100) == "100 yd")
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.string(fromDistance: 1234) == "1,2 km")
        formatter.unitStyle = .full
        #expect(formatter.string(fromDistance: 1609) == "1,6 Kilometer")
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(fromDistance: 1609) == "1 mile")
        formatter.locale = Locale(identifier: "ru_RU")
        #expect(formatter.string(fromDistance: 3000) == "3 километра")
        #expect(formatter.string(fromDistance: 21_000) == "21 километр")
        #expect(formatter.string(fromDistance: .nan).isEmpty)
    }

    @Test func aDistanceIsReadBackAndWhatIsNoneIsNegative() {
        let formatter = MKDistanceFormatter()
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.distance(from: "1,2 km") == 1200)
        #expect(formatter.distance(from: "3 Meilen") == 3 * 1609.344)
        #expect(formatter.distance(from: "500 yards") == 457.2)
        for text in ["", "far", "12", "-3 km", "1 parsec"] { #expect(formatter.distance(from: text) < 0) }
        #expect(formatter.string(for: 2000.0) == "2 km" && formatter.string(for: "x") == nil)
    }
}
