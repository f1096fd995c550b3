import Sextant
import TestAtlases
import Testing

@testable import SextantCommand

@Suite struct CompleteCommandTests {
    private func parsed(_ words: String...) throws -> Arguments {
        try Arguments(words, options: Subcommand.complete.options)
    }

    @Test func theArgumentsAreRead() throws {
        let query = try CompleteCommand.query(parsed("domkl", "4", "--near", "50.94,6.95", "-n", "3", "-l", "de,en"))
        #expect(query.text == "domkl 4" && query.limit == 3 && query.languages == ["de", "en"])
        #expect(query.near == Coordinate(latitude: 50.94, longitude: 6.95))
        #expect(throws: UsageError.self) { try CompleteCommand.query(parsed()) }
        #expect(throws: UsageError.self) { try CompleteCommand.query(parsed("a", "--near", "here")) }
    }

    @Test func completionsArePrintedAsATableAndAsJSON() throws {
        let near = Coordinate(latitude: 50.941302, longitude: 6.957189)
        let found = try TestAtlas.cologne.complete(CompletionQuery("domk", near: near, offersCategories: false))
        #expect(
            CompleteCommand.table(found).lines.first.map { $0.hasPrefix("Domkloster  ") && $0.contains("  street  ") }
                == true)
        let json = CompleteCommand.json(Array(found.prefix(1)))
        #expect(json.hasPrefix("{\"completions\":[{\"title\":\"Domkloster\",\"subtitle\":\""))
        #expect(
            json.contains("\"kind\":\"street\",\"titleHighlights\":[[0,4]],\"subtitleHighlights\":[],\"latitude\":50.9")
        )
        #expect(json.contains("\"edits\":0}]}"))
    }
}
