extension DrawnWorld {
    /// Some streets between the cathedral of Cologne and its southern quay, drawn by hand.
    public static var cologne: DrawnWorld {
        var world = DrawnWorld()
        world.area(
            south: 50.85, west: 6.80, north: 51.05, east: 7.15,
            [
                "type": "boundary", "boundary": "administrative", "admin_level": "6", "name": "Köln",
                "name:en": "Cologne",
                "place": "city",
            ])
        world.area(
            south: 50.3, west: 5.9, north: 52.5, east: 9.4,
            [
                "type": "boundary", "boundary": "administrative", "admin_level": "4", "name": "Nordrhein-Westfalen",
                "name:en": "North Rhine-Westphalia", "ISO3166-2": "DE-NW",
            ])
        world.area(
            south: 50.930, west: 6.940, north: 50.950, east: 6.970,
            ["type": "boundary", "boundary": "postal_code", "postal_code": "50667"])
        world.area(
            south: 50.915, west: 6.940, north: 50.930, east: 6.970,
            ["type": "boundary", "boundary": "postal_code", "postal_code": "50678"])
        world.area(
            south: 50.9405, west: 6.9560, north: 50.9420, east: 6.9590,
            [
                "type": "multipolygon", "amenity": "place_of_worship", "building": "cathedral", "name": "Kölner Dom",
                "name:en": "Cologne Cathedral",
            ])
        let domkloster = world.street("Domkloster", [(50.9410, 6.9560), (50.9410, 6.9570), (50.9410, 6.9580)])
        let platz = world.street("Heinrich-Böll-Platz", [(50.9408, 6.9600), (50.9408, 6.9610)])
        world.way([domkloster[2], platz[0]], ["highway": "residential", "name": "Roncalliplatz"])
        let quay = world.street(
            "Rheinuferstraße", [(50.9350, 6.9612), (50.9280, 6.9630), (50.9210, 6.9640)], "primary")
        world.way([platz[1], quay[0]], ["highway": "residential", "name": "Bischofsgartenstraße"])
        let ring = world.street("Ubierring", [(50.9206, 6.9600), (50.9204, 6.9560)], "secondary")
        world.way([quay[2], ring[0]], ["highway": "secondary", "name": "Ubierring"])
        world.house("4", "Domkloster", (50.941302, 6.957189), postcode: "50667")
        world.house("1", "Heinrich-Böll-Platz", (50.94083, 6.96030), postcode: "50667")
        world.house("40", "Ubierring", (50.9206, 6.9601), postcode: "50678")
        // A name that two streets of the town bear.
        world.street("Gartenweg", [(50.8800, 6.9000), (50.8800, 6.9020)])
        world.house("3", "Gartenweg", (50.8801, 6.9010))
        world.street("Gartenweg", [(51.0300, 7.1000), (51.0300, 7.1020)])
        world.house("3", "Gartenweg", (51.0301, 7.1010))
        return world
    }

    /// The sea front of Brighton at the pier.
    public static var brighton: DrawnWorld {
        var world = DrawnWorld()
        world.area(
            south: 50.80, west: -0.25, north: 50.90, east: 0.0,
            [
                "type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Brighton and Hove",
                "place": "city",
            ])
        world.street("Kings Road", [(50.8219, -0.1480), (50.8217, -0.1381), (50.8200, -0.1360)], "primary")
        world.street("East Street", [(50.8217, -0.1381), (50.8235, -0.1395)])
        world.house("12", "East Street", (50.8225, -0.1388), postcode: "BN1 1HP")
        return world
    }

    /// A street of Sebastopol in California, with the postcode's outline.
    public static var sebastopol: DrawnWorld {
        var world = DrawnWorld()
        world.area(
            south: 38.38, west: -122.86, north: 38.43, east: -122.80,
            [
                "type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Sebastopol",
                "place": "city",
            ])
        world.area(
            south: 38.0, west: -123.6, north: 38.9, east: -122.3,
            [
                "type": "boundary", "boundary": "administrative", "admin_level": "6", "name": "Sonoma County",
            ])
        world.area(
            south: 37.0, west: -124.5, north: 42.0, east: -114.1,
            [
                "type": "boundary", "boundary": "administrative", "admin_level": "4", "name": "California",
                "name:de": "Kalifornien", "ISO3166-2": "US-CA",
            ])
        world.area(
            south: 38.35, west: -122.90, north: 38.45, east: -122.78,
            ["type": "boundary", "boundary": "postal_code", "postal_code": "95472"])
        world.street(
            "Gravenstein Highway North", [(38.4090, -122.8390), (38.4113, -122.8410), (38.4140, -122.8430)], "primary")
        world.house("990", "Gravenstein Highway North", (38.411281, -122.840978))
        return world
    }
}
