internal import Cartography
internal import Sextant

/// Hands maps over to the desktop: the page of the server that `SEXTANT_SERVER` names, else a drawn picture.
///
/// Does nothing without a desktop (`DISPLAY` or `WAYLAND_DISPLAY`) or without its opener, `xdg-open`.
struct DesktopMapOpener: MKMapOpener {
    var environment = ProcessInfo.processInfo.environment

    func open(_ link: URL, items: [MKMapItem]) -> Bool {
        guard let opener = Self.program(environment) else { return false }
        if let server = environment["SEXTANT_SERVER"], !server.isEmpty {
            // The page takes the same parameters as the link.
            let base = server.hasSuffix("/") ? String(server.dropLast()) : server
            return Self.run(opener, base + "/?" + (link.query(percentEncoded: true) ?? ""))
        }
        guard let link = try? MapLink(reading: link.absoluteString),
            let picture = try? Self.picture(of: link, items: items)
        else { return false }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-\(UUID().uuidString).png")
        guard (try? picture.write(to: file)) != nil else { return false }
        return Self.run(opener, file.path)
    }

    /// The path of the desktop's opener; nil where there is no desktop to open anything on.
    static func program(_ environment: [String: String]) -> String? {
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard hasDesktop else { return nil }
        return (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/xdg-open" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func run(_ program: String, _ argument: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [argument]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }

    /// A picture of the items, or of the way that the link asks for.
    static func picture(of link: MapLink, items: [MKMapItem]) throws -> Data {
        let atlas = try Engine.atlas()
        var marks = MapMarks()
        if case .route(_, _, _, let mode) = link.purpose, let last = items.last {
            let first = items.count > 1 ? items.first : .forCurrentLocation()
            var types: [MapLink.Mode: MKDirectionsTransportType] = [.walking: .walking, .transit: .transit]
            types[.cycling] = .cycling
            let answer = try RouteQuestion(
                source: first.map { ItemFacts($0) }, destination: ItemFacts(last),
                transportType: mode.flatMap { types[$0] } ?? .automobile
            ).answer()
            marks.routes = [MapMarks.Route(answer.route.geometry)]
        } else {
            marks.pins = items.map { MapMarks.Pin(at: $0.placemark.coordinate.engine, title: $0.name) }
        }
        let painter = try MapDrawing.painter(for: atlas, .light)
        let (width, height) = (1024.0, 768.0)
        let frame: MapFrame
        if let center = link.center, let span = link.span,
            let box = BoundingBox(
                MKCoordinateRegion(
                    center: CLLocationCoordinate2D(center),
                    span: MKCoordinateSpan(latitudeDelta: span.latitude, longitudeDelta: span.longitude)))
        {
            frame = try MapFrame(fitting: box, width: width, height: height, padding: 0)
        } else if let box = marks.box {
            frame = try MapFrame(fitting: box, width: width, height: height, padding: 60)
        } else {
            frame = try MapFrame(
                center: link.center ?? Coordinate(latitude: 0, longitude: 0), zoom: link.zoom ?? 15, width: width,
                height: height)
        }
        return Data(try painter.png(frame, marks: marks))
    }
}
