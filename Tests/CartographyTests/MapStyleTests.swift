import Foundation
import Gazetteer
import Testing

@testable import Cartography

struct MapStyleTests {
    private func style(_ change: (inout [String: Any]) -> Void) throws -> MapStyle {
        let url = try GazetteerStyleFile.url()
        var object = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        change(&object)
        return try MapStyle(contentsOf: JSONSerialization.data(withJSONObject: object), file: "style.json")
    }

    private func message(_ change: (inout [String: Any]) -> Void) -> String {
        do {
            _ = try style(change)
            return ""
        } catch { return "\(error)" }
    }

    @Test func theStandardStyleDrawsOrOmitsEveryKind() throws {
        let style = try MapStyle.standard()
        let drawn = Set(
            GroundDrawing.orderedKinds + (style.ground + style.ways + style.top).flatMap(\.kinds)
                + style.labels.flatMap(\.kinds))
        for kind in MapKind.allCases { #expect(drawn.contains(kind) != style.undrawn.contains(kind), "\(kind)") }
    }

    @Test func everyLookHasTheSameColours() throws {
        let style = try MapStyle.standard()
        let names = Set(try #require(style.palettes[.light]).keys)
        for look in MapLook.allCases { #expect(Set(try #require(style.palettes[look]).keys) == names) }
    }

    @Test func everyCategoryOfTheLexiconWithAnIconOfItsOwnIsKnown() throws {
        let style = try MapStyle.standard()
        for category in ["restaurant", "cafe", "pharmacy", "hotel", "museum", "station"] {
            #expect(style.categories[category] != nil)
        }
    }

    @Test func aWrongColourIsNamed() {
        #expect(
            message {
                $0["palettes"] =
                    ["light": ["land": "greenish"], "dark": [:], "muted": [:]] as [String: [String: String]]
            }
                == "style.json: palettes.light.land: \"greenish\" is no colour like #4a90d9")
    }

    @Test func anUnknownKindIsNamed() {
        #expect(message { $0["undrawn"] = ["unicorn"] } == "style.json: undrawn: there is no kind \"unicorn\"")
    }

    @Test func aKindThatNothingDrawsIsNamed() {
        #expect(
            message { $0["top"] = [] as [String] }
                == "style.json: undrawn: nothing draws \"powerLine\", nor is it named here")
    }

    @Test func linesOfNoWidthAreRefused() {
        let told = message {
            var labels = $0["labels"] as? [[String: Any]] ?? []
            if !labels.isEmpty { labels[0]["wrap"] = 0 }
            $0["labels"] = labels
        }
        #expect(told == "style.json: labels[0]: \"wrap\" is the ems of a line, more than 0")
    }

    @Test func aMissingPartIsNamed() {
        #expect(message { $0["ways"] = nil } == "style.json: \"ways\" is missing")
    }

    @Test func stopsThatFallAreRefused() {
        let rule: [String: Any] = ["kinds": ["rail"], "line": "rail", "width": [[5, 1], [4, 2]]]
        #expect(
            message { $0["top"] = [rule] }
                == "style.json: top[0].width: stops are pairs [zoom, value] with rising zooms")
    }

    @Test func textThatIsNoJSONIsRefused() {
        do {
            _ = try MapStyle(contentsOf: Data("not json".utf8), file: "x.json")
            Issue.record("no error")
        } catch { #expect("\(error)".hasPrefix("x.json: not JSON")) }
    }

    @Test func coloursAreReadInEveryForm() {
        #expect(MapColour("#fff") == MapColour(red: 1, green: 1, blue: 1))
        #expect(MapColour("#00000080")?.alpha == 128.0 / 255)
        for text in ["", "#", "#12", "#ggg", "fff", "#1234567", "#１２３"] { #expect(MapColour(text) == nil) }
    }

    @Test func valuesGrowEvenlyBetweenStops() {
        let stops = MapStyle.Stops([(10, 2), (12, 6)])
        #expect(stops(9) == 2 && stops(11) == 4 && stops(20) == 6)
    }
}
