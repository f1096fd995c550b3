internal import Cartography
internal import Sextant

/// Hands maps over to the desktop: the page of the server that `SEXTANT_SERVER` names, else a drawn picture.
///
/// Does nothing without a desktop (`DISPLAY` or `WAYLAND_DISPLAY`) or without its opener, `xdg-open`.
struct DesktopMapOpener: MKMapOpener {
    var environment = ProcessInfo.processInfo.environment
    var positions: @Sendable () -> CLPositionSource? = { CLLocationManager.positionSource }

    /// Draws before it answers, so that a program may end right after. Only a way from a position that is not known yet is
    /// drawn later: nothing is waited for here.
    func open(_ link: URL, items: [MKMapItem]) -> Bool {
        guard let link = try? MapLink(reading: link.absoluteString), let opener = Self.program(environment) else {
            return false
        }
        if let page = page(link) { return Self.run(opener, page) }
        let facts = items.map { ItemFacts($0) }
        var way = Self.way(link, facts)
        if way?.needsPosition == true {
            let source = positions()
            guard let position = CurrentPosition.known(from: source) else {
                guard source != nil, (try? Engine.atlas()) != nil else { return false }
                open(link, items: facts) { _ in }
                return true
            }
            way?.position = position.coordinate
        }
        return Self.show(opener, link, facts) { try way?.answer() }
    }

    /// The same off the calling thread. `answer` is called once, on any thread.
    func open(_ link: MapLink, items: [ItemFacts], then answer: @escaping @Sendable (Bool) -> Void) {
        guard let opener = Self.program(environment) else { return answer(false) }
        if let page = page(link) { return answer(Self.run(opener, page)) }
        guard var way = Self.way(link, items) else {
            return Engine.perform { answer(Self.show(opener, link, items) { nil }) }
        }
        way.positions = positions
        way.begin { found in answer(Self.show(opener, link, items) { try found.get() }) }
    }

    /// The page of the server, which takes the same parameters as the link; nil where no server is named.
    private func page(_ link: MapLink) -> String? {
        guard let server = environment["SEXTANT_SERVER"], !server.isEmpty else { return nil }
        return (server.hasSuffix("/") ? String(server.dropLast()) : server) + "/?"
            + (URL(string: link.text)?.query(percentEncoded: true) ?? "")
    }

    /// Draws a picture and hands it to the desktop.
    private static func show(
        _ opener: String, _ link: MapLink, _ items: [ItemFacts], _ way: () throws -> RouteQuestion.Answer?
    ) -> Bool {
        guard let picture = try? picture(of: link, items: items, way: way()) else { return false }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-\(UUID().uuidString).png")
        guard (try? picture.write(to: file)) != nil else { return false }
        return run(opener, file.path)
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

    /// The way that a link asks for; nil where it asks for none.
    static func way(_ link: MapLink, _ items: [ItemFacts]) -> RouteQuestion? {
        guard case .route(_, _, _, let mode) = link.purpose, let last = items.last else { return nil }
        let types: [MapLink.Mode: MKDirectionsTransportType] = [
            .walking: .walking, .transit: .transit, .cycling: .cycling,
        ]
        return RouteQuestion(
            source: items.count > 1 ? items.first : ItemFacts(.forCurrentLocation()), destination: last,
            transportType: mode.flatMap { types[$0] } ?? .automobile)
    }

    /// A picture of the way, or else of the items.
    static func picture(of link: MapLink, items: [ItemFacts], way: RouteQuestion.Answer?) throws -> Data {
        let atlas = try Engine.atlas()
        var marks = MapMarks()
        if let way {
            marks.routes = [MapMarks.Route(way.route.geometry)]
        } else {
            marks.pins = items.map { MapMarks.Pin(at: $0.coordinate.engine, title: $0.name) }
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
