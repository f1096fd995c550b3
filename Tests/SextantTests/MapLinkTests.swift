import Foundation
import Geometry
import Sextant
import Testing

private let signs = "!*'();:@&=+$,/?%#[]"

@Suite struct MapLinkTests {
    @Test func aCoordinateHasSixPlacesAPointAndAnEscapedComma() throws {
        let point = Coordinate(latitude: 50.9413024, longitude: 6.957189)
        let link = MapLink(.show(.coordinate(point)))
        #expect(link.text == "https://maps.apple.com/?ll=50.941302%2C6.957189")
        guard case .show(.coordinate(let back)?, nil) = try MapLink(reading: link.text).purpose else {
            Issue.record("not a place")
            return
        }
        #expect(abs(back.latitude - point.latitude) < 1e-6 && abs(back.longitude - point.longitude) < 1e-6)
        #expect(link.geo == "geo:50.941302,6.957189")
        #expect(try MapLink(reading: "geo:50.941302,6.957189").purpose == .show(.coordinate(back)))
    }

    @Test func everySignSurvivesBeingWrittenAndRead() throws {
        let text = "Größe 4, \(signs) 東京"
        let link = MapLink(.route(from: .text(text), to: .text("x&y=z"), mode: .walking))
        for sign in signs where !"/:?&=%".contains(sign) { #expect(!link.text.contains(sign)) }
        #expect(try MapLink(reading: link.text) == link)
    }

    @Test func routesSearchesAndViewsComeBackAsTheyWere() throws {
        let here = Coordinate(latitude: 43.738, longitude: 7.424)
        let span = MapLink.Span(latitude: 0.01, longitude: 0.02)
        let links = [
            MapLink(.show(.coordinate(here), label: "Casino"), center: here, span: span, kind: .hybrid),
            MapLink(.show(.coordinate(here)), center: here, zoom: 15, kind: .transit),
            MapLink(.show(.text("Domkloster 4, Köln"))),
            MapLink(.search("restaurants", near: .text("Monaco"))),
            MapLink(.search("pizza"), center: here, span: span),
            MapLink(.route(from: nil, to: .coordinate(here))),
            MapLink(.route(from: .coordinate(here), to: .text("Nice"), mode: .transit)),
            MapLink(
                .route(from: nil, via: [.text("a,b"), .coordinate(here)], to: .text("c"), mode: .cycling),
                avoids: ["tolls"]),
        ]
        for link in links { #expect(try MapLink(reading: link.text) == link, "\(link.text)") }
    }

    @Test(arguments: [
        "http://maps.apple.com/?q=cafe", "maps.apple.com?q=cafe", "maps:q=cafe", "maps://?q=cafe", "MAPS:?q=cafe",
        "comgooglemaps://?q=cafe", "https://maps.google.com/maps?q=cafe", "maps.google.de/maps?q=cafe&hl=de",
        "https://www.google.com/maps?q=cafe", "https://maps.apple.com/search?query=cafe", "geo:0,0?q=cafe",
        "  https://maps.apple.com/?Q=cafe#top  ",
    ])
    func everyHostAndSchemeIsReadAlike(_ text: String) throws {
        #expect(try MapLink(reading: text).purpose == .search("cafe"))
    }

    @Test func linksWhosePathTellsWhatIsAskedForAreRead() throws {
        let spot = Coordinate(latitude: 60.17, longitude: 24.94)
        let google = "https://www.google.com/maps/"
        let links = [
            "search/?api=1&query=pizza": MapLink(.search("pizza")),
            "search/?api=1&query=60.17%2C24.94": MapLink(.show(.coordinate(spot)), center: spot),
            "search/vegan+pizza/@60.17,24.94,15z": MapLink(.search("vegan pizza"), center: spot, zoom: 15),
            "dir/?api=1&origin=A&destination=B&travelmode=walking": MapLink(
                .route(from: .text("A"), to: .text("B"), mode: .walking)),
            "dir/?api=1&destination=B&waypoints=C%7CD&travelmode=bicycling": MapLink(
                .route(from: nil, via: [.text("C"), .text("D")], to: .text("B"), mode: .cycling)),
            "dir//60.17,24.94/": MapLink(.route(from: nil, to: .coordinate(spot))),
            "dir/Rue+1,+Nice/C/B/@43.7,7.2,12z/data=!3m1": MapLink(
                .route(from: .text("Rue 1, Nice"), via: [.text("C")], to: .text("B"))),
            "@60.17,24.94,15z": MapLink(.show(nil), center: spot, zoom: 15),
            "@60.17,24.94,1200m/data=!3m1!1e3": MapLink(.show(nil), center: spot),
            "@?api=1&map_action=map&center=60.17,24.94&zoom=12": MapLink(.show(nil), center: spot, zoom: 12),
            "place/Caf%C3%A9+Engel/@60.17,24.94,17z": MapLink(
                .show(.coordinate(spot), label: "Café Engel"), center: spot, zoom: 17),
            "place/X/@60,24,17z/data=!4m6!3d60.17!4d24.94": MapLink(
                .show(.coordinate(spot), label: "X"), center: Coordinate(latitude: 60, longitude: 24), zoom: 17),
            "place/Café": MapLink(.search("Café")),
        ]
        for (path, link) in links { #expect(try MapLink(reading: google + path) == link, "\(path)") }
        for path in ["search/", "dir/?api=1&origin=A", "dir/A", "place/", "@91,0,15z", "@", "", "place/%ZZ"] {
            #expect(throws: MapLinkError.self, "\(path)") { try MapLink(reading: google + path) }
        }
    }

    @Test func aLinkWithoutASchemeIsAccepted() throws {
        let link = try MapLink(reading: "maps.google.com/maps?daddr=Main+St+1%2C%20Town&saddr=43.7,7.4")
        let start = Coordinate(latitude: 43.7, longitude: 7.4)
        #expect(link.purpose == .route(from: .coordinate(start), to: .text("Main St 1, Town")))
    }

    @Test func whatQueriesMeanDependsOnWhatStandsBeside() throws {
        let point = Coordinate(latitude: 1.5, longitude: 2.5)
        #expect(try MapLink(reading: "maps.apple.com/?q=1.5,2.5").purpose == .show(.coordinate(point)))
        #expect(
            try MapLink(reading: "maps.apple.com/?ll=1.5,2.5&q=Hut").purpose == .show(.coordinate(point), label: "Hut"))
        #expect(
            try MapLink(reading: "maps.apple.com/?address=Pizza+1&q=Hut").purpose
                == .show(.text("Pizza 1"), label: "Hut"))
        let search = try MapLink(reading: "maps.apple.com/?q=bar&sll=1.5,2.5&sspn=0.1,0.2&z=12&t=k")
        #expect(search.center == point && search.span == .init(latitude: 0.1, longitude: 0.2))
        #expect(search.zoom == nil && search.kind == .satellite)
        #expect(try MapLink(reading: "maps.apple.com/?ll=1.5,2.5&z=99").zoom == 21)
    }

    @Test func thePresentFormIsRead() throws {
        let point = Coordinate(latitude: 1.5, longitude: 2.5)
        #expect(
            try MapLink(reading: "https://maps.apple.com/frame?center=1.5,2.5&span=0.1,0.1&map=hybrid").center == point)
        #expect(
            try MapLink(reading: "https://maps.apple.com/place?coordinate=1.5,2.5&name=Hut&place-id=I1").purpose
                == .show(.coordinate(point), label: "Hut"))
        let way = try MapLink(
            reading:
                "https://maps.apple.com/directions?source=A&waypoint=B&waypoint=1.5,2.5&destination=C&mode=cycling&avoid=tolls,highways"
        )
        #expect(
            way.purpose
                == .route(from: .text("A"), via: [.text("B"), .coordinate(point)], to: .text("C"), mode: .cycling))
        #expect(way.avoids == ["tolls", "highways"])
    }

    @Test func geoLinksHaveLabelsAndHeights() throws {
        let point = Coordinate(latitude: 1.5, longitude: 2.5)
        #expect(try MapLink(reading: "geo:1.5,2.5,100;crs=wgs84;u=35?z=15").zoom == 15)
        #expect(try MapLink(reading: "geo:0,0?q=1.5,2.5(A%20hut)").purpose == .show(.coordinate(point), label: "A hut"))
        #expect(try MapLink(reading: "geo:1.5,2.5?q=Hut").purpose == .show(.coordinate(point), label: "Hut"))
    }

    @Test(arguments: [
        "", "https://example.org/?q=cafe", "https://maps.apple.com/", "maps.apple.com/?z=4", "maps.apple.com/?saddr=A",
        "maps.apple.com/?saddr=A&daddr=", "maps.apple.com/?ll=91,0", "maps.apple.com/?ll=0,181",
        "maps.apple.com/?ll=nan,0",
        "maps.apple.com/?ll=50,94,6,95", "maps.apple.com/?q=50,94,6,95", "maps.apple.com/?q=91.0,0",
        "maps.apple.com/?ll=x",
        "maps.apple.com/?q=%FF", "maps.apple.com/?q=%zz", "geo:1", "geo:1,2,3,4", "geo:1,2;crs=nad27", "geo:200,0",
        "maps.apple.com/?ll=1,2&spn=0,1", "maps.apple.com/?ll=1,2&z=near", "maps.apple.com/place?place-id=I1",
        "maps.apple.com/directions?source=A", "maps.apple.com/search", "maps.apple.com/frame",
        "google.com/search?q=cafe",
    ])
    func whatNamesNothingIsRefusedWithTheReason(_ text: String) {
        #expect { try MapLink(reading: text) } throws: { ("\($0)").hasPrefix("this is no map link: ") }
    }

    @Test func aLinkWithoutEndIsRefused() {
        #expect(throws: MapLinkError.self) {
            try MapLink(reading: "maps.apple.com/?q=" + String(repeating: "a", count: 70_000))
        }
    }
}
