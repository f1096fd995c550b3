import AddressBook
import Contacts
@testable import MapKit
import Sextant
import Locking
import TestAtlases
import Testing

/// Takes what is handed over and opens nothing.
private final class Recorder: MKMapOpener {
    private let state = Mutex<(links: [String], counts: [Int])>(([], []))
    let opens: Bool

    init(opens: Bool = true) { self.opens = opens }

    var links: [String] { state.withLock { $0.links } }
    var counts: [Int] { state.withLock { $0.counts } }

    func open(_ link: URL, items: [MKMapItem]) -> Bool {
        state.withLock {
            $0.links.append(link.absoluteString)
            $0.counts.append(items.count)
        }
        return opens
    }
}

/// The opener belongs to the process: one test at a time.
@Suite(.serialized) struct ScenarioHandOverTests {
    private let driving = [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving]

    private func item(_ latitude: Double, _ longitude: Double, _ name: String? = nil) -> MKMapItem {
        let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate(latitude, longitude)))
        item.name = name
        return item
    }

    private func recording(opens: Bool = true, _ body: (Recorder) throws -> Void) rethrows {
        let before = MKMapItem.opener
        defer { MKMapItem.opener = before }
        let recorder = Recorder(opens: opens)
        MKMapItem.opener = recorder
        try body(recorder)
    }

    @Test func scenario0_10TheWayToASiteIsHandedToTheMapApplication() throws {
        let address: [String: Any] = [
            kABPersonAddressStreetKey as String: "Domkloster 4", kABPersonAddressCityKey as String: "Köln",
            kABPersonAddressZIPKey as String: "50667", kABPersonAddressCountryCodeKey as String: "de",
        ]
        let placemark = MKPlacemark(coordinate: coordinate(50.941302, 6.957189), addressDictionary: address)
        #expect(placemark.locality == "Köln" && placemark.postalCode == "50667")
        #expect(placemark.isoCountryCode == "DE" && placemark.countryCode == "DE")
        let site = MKMapItem(placemark: placemark)
        site.name = "Cathedral"
        try recording { recorder in
            let options: [String: Any] = [
                MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving,
                MKLaunchOptionsShowsTrafficKey: true,
            ]
            #expect(site.openInMaps(launchOptions: options))
            #expect(site.openInMaps())
            let spot = Coordinate(latitude: 50.941302, longitude: 6.957189)
            let way = try MapLink(reading: recorder.links[0])
            #expect(way.purpose == .route(from: nil, to: .coordinate(spot), mode: .driving))
            #expect(try MapLink(reading: recorder.links[1]).purpose == .show(.coordinate(spot), label: "Cathedral"))
        }
    }

    @Test func scenario0_11SeveralItems() throws {
        let (a, b, c) = (item(60.17, 24.94, "A"), item(60.18, 24.95, "B"), item(60.19, 24.96, "C"))
        try recording { recorder in
            #expect(MKMapItem.openMaps(with: [a, b], launchOptions: driving))
            #expect(!MKMapItem.openMaps(with: [a, b, c], launchOptions: driving))
            #expect(MKMapItem.openMaps(with: [a, b, c]))
            #expect(!MKMapItem.openMaps(with: []))
            #expect(MKMapItem.openMaps(with: [.forCurrentLocation(), b], launchOptions: driving))
            #expect(MKMapItem.openMaps(with: [a, .forCurrentLocation()], launchOptions: driving))
            #expect(recorder.counts == [2, 3, 2, 2])
            let ways = try recorder.links.map { try MapLink(reading: $0).purpose }
            let (from, to) = (
                Coordinate(latitude: 60.17, longitude: 24.94), Coordinate(latitude: 60.18, longitude: 24.95)
            )
            #expect(ways[0] == .route(from: .coordinate(from), to: .coordinate(to), mode: .driving))
            #expect(ways[2] == .route(from: nil, to: .coordinate(to), mode: .driving))
            // Together, framed around all.
            let shown = try MapLink(reading: recorder.links[1])
            #expect(abs((shown.center?.latitude ?? 0) - 60.18) < 1e-6 && abs((shown.span?.latitude ?? 0) - 0.02) < 1e-6)
        }
        recording(opens: false) { _ in #expect(!a.openInMaps()) }
    }

    @Test func scenario0_11WithoutADesktopTheAnswerIsFalse() {
        #expect(DesktopMapOpener.program(["PATH": "/usr/bin"]) == nil)
        #expect(DesktopMapOpener.program(["DISPLAY": ":0", "PATH": "/nowhere"]) == nil)
    }

    /// A desktop whose opener writes down what it is given, and how to wait for that.
    private func withDesktop(
        _ body: (_ desktop: DesktopMapOpener, _ opened: () async throws -> String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (program, note) = (folder.appendingPathComponent("xdg-open"), folder.appendingPathComponent("opened"))
        try Data("#!/bin/sh\necho \"$1\" > '\(note.path)'.new && mv '\(note.path)'.new '\(note.path)'\n".utf8)
            .write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try await body(DesktopMapOpener(environment: ["DISPLAY": ":0", "PATH": "\(folder.path):/usr/bin:/bin"])) {
            for _ in 0..<2_000 where !FileManager.default.fileExists(atPath: note.path) {
                try await Task.sleep(for: .milliseconds(5))
            }
            defer { try? FileManager.default.removeItem(at: note) }
            return try String(contentsOf: note, encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }

    @Test func scenario0_10TheDesktopIsGivenThePageOfTheServerOrAPicture() async throws {
        try #require(Everything.isOpen)
        try await withDesktop { desktop, opened in
            let link = try #require(MapLink(to: [item(43.7394, 7.4275, "Casino & more")], options: [:]))
            let url = try #require(URL(string: link.text))
            var served = desktop
            served.environment["SEXTANT_SERVER"] = "http://127.0.0.1:8080/"
            #expect(served.open(url, items: [item(43.7394, 7.4275)]))
            #expect(
                try await opened() == "http://127.0.0.1:8080/?ll=43.739400%2C7.427500&q=Casino%20%26%20more")
            #expect(desktop.open(url, items: [item(43.7394, 7.4275)]))
            let file = try await opened()
            #expect(UIImage(contentsOfFile: file)?.size.width == 1024)
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test func aPositionThatIsNotKnownYetIsNotWaitedFor() async throws {
        try #require(Everything.isOpen)
        try await withDesktop { desktop, opened in
            let player = HeldPlayer()
            let source = CLPositionSource(player: player)
            var desktop = desktop
            desktop.positions = { source }
            let site = item(43.7308, 7.4256)
            let link = try #require(MapLink(to: [site], options: driving))
            // It would be told false if it waited: nothing comes before the player is let go.
            #expect(desktop.open(try #require(URL(string: link.text)), items: [site]))
            player.release()
            #expect(UIImage(contentsOfFile: try await opened())?.size.width == 1024)
            let isOpen = await withCheckedContinuation { done in
                desktop.open(link, items: [ItemFacts(site)]) { done.resume(returning: $0) }
            }
            #expect(isOpen)
            desktop.positions = { nil }
            #expect(!desktop.open(try #require(URL(string: link.text)), items: [site]))
        }
    }

    @Test func theAnswerOfAHandOverIsToldLaterOnTheMainThread() async {
        let before = MKMapItem.opener
        defer { MKMapItem.opener = before }
        MKMapItem.opener = Recorder()
        let log = Log<Bool>()
        await withCheckedContinuation { done in
            item(1, 2).openInMaps(launchOptions: nil) { isOpen in
                log.append(isOpen && MainQueue.isCurrent)
                done.resume()
            }
        }
        #expect(log.all == [true])
        #expect(await item(1, 2).openInMaps())
        #expect(await MKMapItem.openMaps(with: [item(1, 2)]))
    }

    @Test func launchOptionsFrameTheMapAndUnknownOnesAreIgnored() throws {
        let center = coordinate(43.7, 7.4)
        let options: [String: Any] = [
            MKLaunchOptionsMapCenterKey: NSValue(mkCoordinate: center),
            MKLaunchOptionsMapSpanKey: NSValue(
                mkCoordinateSpan: MKCoordinateSpan(latitudeDelta: 0.02, longitudeDelta: 0.03)),
            MKLaunchOptionsMapTypeKey: NSNumber(value: MKMapType.hybrid.rawValue), "Planet": "Earth",
            MKLaunchOptionsDirectionsModeKey: 17, MKLaunchOptionsCameraKey: "no camera",
        ]
        try recording { recorder in
            #expect(MKMapItem.openMaps(with: [item(43.70, 7.41), item(43.71, 7.42)], launchOptions: options))
            let link = try MapLink(reading: recorder.links[0])
            #expect(link.center == Coordinate(latitude: 43.7, longitude: 7.4) && link.kind == .hybrid)
            #expect(link.span == .init(latitude: 0.02, longitude: 0.03))
        }
        #expect(NSValue(mkCoordinate: center).mkCoordinateValue.latitude == 43.7)
        #expect(NSValue(mkCoordinate: center) == NSValue(mkCoordinate: center))
        #expect(!CLLocationCoordinate2DIsValid(NSNumber(value: 1).mkCoordinateValue))
    }

    @Test func scenario0_12TheSameByLink() throws {
        try recording { recorder in
            #expect(item(50.941302, 6.957189).openInMaps())
            #expect(recorder.links[0].contains("50.941302%2C6.957189"))
            guard case .show(.coordinate(let back)?, _) = try MapLink(reading: recorder.links[0]).purpose else {
                Issue.record("not a place")
                return
            }
            #expect(abs(back.latitude - 50.941302) < 1e-6 && abs(back.longitude - 6.957189) < 1e-6)
        }
        let way = MapLink(
            .route(
                from: .coordinate(Coordinate(latitude: 50.9, longitude: 6.9)),
                to: .coordinate(Coordinate(latitude: 50.941302, longitude: 6.957189))))
        #expect(way.text == "https://maps.apple.com/?saddr=50.900000%2C6.900000&daddr=50.941302%2C6.957189")
        let url = try #require(URL(string: way.text))
        #expect(MKDirections.Request.isDirectionsRequest(url))
        #expect(
            abs((MKDirections.Request(contentsOf: url).destination?.placemark.coordinate.latitude ?? 0) - 50.941302)
                < 1e-9)
        let other = try #require(URL(string: "https://maps.apple.com/?q=cafe"))
        #expect(
            !MKDirections.Request.isDirectionsRequest(other)
                && MKDirections.Request(contentsOf: other).destination == nil)
    }

    @Test func scenario0_13TheModernWayAndTheLinkLeadToTheSamePlace() throws {
        #if canImport(MapKit)
            recording { recorder in
                #expect(item(50.941302, 6.957189).openInMaps(launchOptions: driving))
                let byLink = MapLink(
                    .route(
                        from: nil, to: .coordinate(Coordinate(latitude: 50.941302, longitude: 6.957189)), mode: .driving
                    ))
                #expect(recorder.links == [byLink.text])
            }
        #else
            Issue.record("MapKit cannot be imported")
        #endif
    }

    @Test func textOfAnyKindMakesAPlacemark() {
        let address: [String: Any] = [
            "Street": NSString(string: "Domkloster 4"), "City": "Köln am Rhein".prefix(4), "ZIP": 50667, "State": " ",
            "Country": ["Germany"],
        ]
        let placemark = MKPlacemark(coordinate: coordinate(50.941302, 6.957189), addressDictionary: address)
        #expect(placemark.locality == "Köln" && placemark.postalCode == "50667" && placemark.name == "Domkloster 4")
        #expect(placemark.administrativeArea == nil && placemark.country == nil)
    }

    @Test func itemsAndAddressesOfTheNewKind() throws {
        #expect(MKAddress(fullAddress: "", shortAddress: nil) == nil)
        let address = try #require(MKAddress(fullAddress: "Domkloster 4\n50667 Köln", shortAddress: "Domkloster 4"))
        let item = MKMapItem(location: CLLocation(latitude: 50.94, longitude: 6.957), address: address)
        #expect(item.address?.shortAddress == "Domkloster 4" && item.location.coordinate.latitude == 50.94)
        #expect(
            item.addressRepresentations?.fullAddress(includingRegion: true, singleLine: true)
                == "Domkloster 4, 50667 Köln")
        let postal = CNMutablePostalAddress()
        postal.street = "990 Gravenstein Hwy"
        postal.city = "Sebastopol"
        postal.state = "CA"
        postal.postalCode = "95472"
        postal.country = "United States"
        postal.isoCountryCode = "us"
        let place = MKMapItem(placemark: MKPlacemark(coordinate: coordinate(38.4, -122.8), postalAddress: postal))
        let forms = try #require(place.addressRepresentations)
        #expect(forms.cityName == "Sebastopol" && forms.cityWithContext == "Sebastopol, CA")
        #expect(forms.cityWithContext(.full) == "Sebastopol, CA, United States")
        #expect(forms.regionName == "United States" && forms.region?.identifier == "US")
        let line = try #require(forms.fullAddress(includingRegion: false, singleLine: true))
        #expect(line.contains("95472") && !line.contains("United States"))
    }
}
