import Geometry

/// The names of oceans and larger seas, by rough outlines: for points that no land holds.
///
///     Seas.name(at: Coordinate(latitude: 40, longitude: -40))  // "North Atlantic Ocean"
///
/// The outlines are boxes and a few corners drawn for this purpose; they overlap the land, and the borders of seas that have
/// none in nature are right to a degree or so.
public enum Seas {
    private struct Sea {
        var name: String
        /// Longitude and latitude of each corner.
        var corners: [(Double, Double)]
    }

    /// The sea or ocean at a point, whether land or water.
    public static func name(at point: Coordinate) -> String? {
        guard point.isValid else { return nil }
        for sea in seas where contains(sea.corners, point) { return sea.name }
        if point.latitude < -60 { return "Southern Ocean" }
        if point.latitude > 66.5 { return "Arctic Ocean" }
        let (longitude, latitude) = (point.longitude, point.latitude)
        let side = latitude >= 0 ? "North" : "South"
        let america = latitude > 18 ? -98.0 : latitude > 15 ? -92 : latitude > 9 ? -84 : latitude > 7 ? -78 : -70
        if longitude > america, longitude < 20 { return "\(side) Atlantic Ocean" }
        if longitude >= 20, longitude < (latitude > -8 ? 100 : latitude > -32 ? 130 : 147), latitude < 31 {
            return "Indian Ocean"
        }
        return "\(side) Pacific Ocean"
    }

    private static func contains(_ corners: [(Double, Double)], _ point: Coordinate) -> Bool {
        var isInside = false
        var before = corners[corners.count - 1]
        for corner in corners {
            if (corner.1 > point.latitude) != (before.1 > point.latitude),
                point.longitude
                    < (before.0 - corner.0) * (point.latitude - corner.1) / (before.1 - corner.1) + corner.0
            {
                isInside.toggle()
            }
            before = corner
        }
        return isInside
    }

    private static func box(_ name: String, _ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Sea {
        Sea(name: name, corners: [(west, south), (east, south), (east, north), (west, north)])
    }

    /// The smaller first: the first that holds a point names it.
    private static let seas: [Sea] = [
        box("Sea of Marmara", 26.7, 40.25, 29.95, 41.1),
        box("Sea of Azov", 34.8, 45.2, 39.4, 47.4),
        box("Black Sea", 27.3, 40.9, 41.9, 47.0),
        box("Caspian Sea", 46.5, 36.4, 54.9, 47.3),
        box("Aral Sea", 58, 43.3, 62, 46.9),
        Sea(
            name: "Baltic Sea",
            corners: [
                (9.4, 54.2), (11, 53.7), (15, 53.6), (21.2, 54.2), (24.6, 56.9), (30.4, 59.6), (30.4, 60.9), (23, 60.9),
                (22.5, 63), (26, 66), (21, 66), (16.5, 61), (18, 59.3), (15.8, 56.2), (12.9, 56), (12.6, 55.9),
                (10.4, 55.9), (9.4, 55.4),
            ]),
        Sea(
            name: "Irish Sea", corners: [(-6.4, 52.2), (-4.2, 51.9), (-2.7, 53.2), (-3, 55), (-5.4, 55), (-6.4, 53.7)]),
        Sea(name: "English Channel", corners: [(-5.7, 48.6), (1.9, 48.9), (1.9, 51), (-3, 50.8), (-5.7, 50.1)]),
        Sea(
            name: "North Sea",
            corners: [
                (1.4, 50.9), (3.5, 50.9), (9.3, 53), (9.3, 55.4), (10.5, 55.9), (12.7, 56), (11.5, 59.2), (5.5, 62),
                (-1, 61.5), (-3.3, 58.7), (-4.5, 57.5), (-2, 55.6), (0.5, 52.5),
            ]),
        box("Bay of Biscay", -8, 43.2, -0.9, 48),
        Sea(
            name: "Adriatic Sea",
            corners: [(12.1, 45.9), (14, 45.9), (20, 42), (19.5, 40.2), (18.3, 40), (15, 41.8), (13.3, 43.4)]),
        box("Aegean Sea", 22.7, 35.4, 28.2, 41),
        Sea(
            name: "Mediterranean Sea",
            corners: [
                (-5.6, 35.1), (0, 35), (10, 32), (20, 29.8), (34.9, 30.9), (36.5, 37), (26.5, 41), (13, 46),
                (8.5, 44.7),
                (2.5, 43.8), (-2.5, 37.2), (-5.6, 36.3),
            ]),
        Sea(
            name: "Red Sea",
            corners: [
                (32.1, 30.1), (35.3, 29.7), (37, 25), (40, 20), (43.5, 14), (43.4, 12.5), (42, 13), (37, 18), (35, 23),
                (32.3, 29),
            ]),
        Sea(
            name: "Persian Gulf",
            corners: [(47.5, 29.5), (48.5, 30.7), (51.5, 28.5), (56.6, 27.3), (56.3, 25.9), (54, 23.7), (51, 23.8)]),
        box("Gulf of Aden", 43.4, 10.3, 51.2, 15.5),
        box("Arabian Sea", 51.2, 8, 77.3, 26.5),
        box("Andaman Sea", 93, 6, 99, 17),
        box("Bay of Bengal", 79.5, 6, 95, 23),
        box("Gulf of Thailand", 99, 8.5, 104.8, 13.7),
        box("South China Sea", 104, 1, 120.5, 23.6),
        box("Java Sea", 105.8, -8, 118, -2.5),
        box("Yellow Sea", 117.4, 33.3, 126.6, 41),
        box("East China Sea", 118, 24.5, 129.5, 33.3),
        Sea(
            name: "Sea of Japan",
            corners: [
                (127.8, 36), (129.5, 34.5), (136, 35.6), (140.1, 38), (140.6, 42.5), (142, 46), (142, 51.5), (139, 48),
            ]),
        Sea(
            name: "Sea of Okhotsk",
            corners: [
                (142.5, 46), (145, 44), (150, 46), (156.3, 51), (163, 58), (164, 62.6), (143, 59.5), (135.5, 54.5),
            ]),
        box("Bering Sea", 163, 52.5, 180, 66.1),
        box("Bering Sea", -180, 54, -158, 66.1),
        box("Philippine Sea", 125, 6, 142, 31),
        Sea(name: "Coral Sea", corners: [(143, -10), (160, -10), (167, -20), (158, -28), (153, -28), (146, -18)]),
        box("Tasman Sea", 149.5, -46, 171, -29),
        box("Gulf of California", -115, 23.5, -107.5, 32),
        Sea(
            name: "Gulf of Mexico",
            corners: [(-98, 18), (-90.5, 18), (-87, 21.4), (-81, 23.4), (-81.1, 25.4), (-84, 30.5), (-98, 30)]),
        Sea(
            name: "Caribbean Sea",
            corners: [
                (-88.9, 15.5), (-84, 8.5), (-76, 8), (-61.8, 10.6), (-60.8, 14), (-62, 18), (-68, 18.4), (-74, 19.9),
                (-80, 22), (-87, 21.4),
            ]),
        box("Hudson Bay", -95.2, 51, -77, 65),
        box("Baffin Bay", -80, 67, -54, 78),
        box("White Sea", 31.9, 63.7, 41, 68),
        box("Norwegian Sea", -6, 62, 14, 70),
        box("Greenland Sea", -20, 70, 8, 80),
        box("Barents Sea", 16, 66.5, 58, 80),
        box("Kara Sea", 58, 66.5, 96, 80),
    ]
}
