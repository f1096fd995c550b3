@testable import Gazetteer
@testable import Sextant
import Testing

@testable import SextantCommand

@Suite struct ExplanationTextTests {
    private func explanation() -> GeocodeExplanation {
        var explanation = GeocodeExplanation()
        explanation.words = [
            .init(
                written: "Buchgsse", canonical: ["buch", "gasse"], meaning: .name,
                explainedBy: "the name of the street", isKnown: false),
            .init(written: "77", canonical: ["77"], meaning: .number, explainedBy: nil, isKnown: true),
            .init(
                written: "Oberfeld", canonical: ["oberfeld"], meaning: .name, explainedBy: "Oberfeld, where it lies",
                isKnown: true),
        ]
        explanation.houseNumbers = ["77"]
        explanation.corrections = [SpellingCorrection(written: "Buchgsse", read: "Buchgasse", edits: 1)]
        explanation.candidates = [
            .init(
                name: "Buchgasse", kind: .street, feature: 1, score: 0.65, explained: 0.7, nameCoverage: 1,
                importance: 0.1, matched: ["Buchgsse", "Oberfeld"], unmatched: ["77"], corrections: []),
            .init(
                name: "Oberfeld", kind: .municipality, feature: 2, score: 0.3, explained: 0.3, nameCoverage: 1,
                importance: 0.42, matched: ["Oberfeld"], unmatched: ["Buchgsse", "77"], corrections: [],
                refusal: "the street is left over"),
        ]
        explanation.candidates[0].surroundings = "Oberfeld"
        explanation.considered = 12
        explanation.decision = "Buchgasse explains the most, though it leaves over \"77\"."
        explanation.effort.statements = 1083
        explanation.effort.rows = 54
        explanation.effort.nodes = 5474
        explanation.effort.readings = 2
        return explanation
    }

    @Test func anExplanationReadsLikeThis() {
        let entry = AtlasExplanation(atlas: "Village", explanation: explanation())
        let lines = ExplanationText.lines([entry], width: 80, console: Console())
        let expected = """
            How it was read
              Buchgsse  buch gasse  name    the name of the street
              77        77          number  nothing explains it
              Oberfeld  oberfeld    name    Oberfeld, where it lies
              "Buchgsse" was read as "Buchgasse", one letter away.
              May be a house number: 77.

            What was considered
              score  place                kind          text   name  rank
               0.65  Buchgasse, Oberfeld  street        70 %  100 %  0.10
                     leaves over 77
               0.30  Oberfeld             municipality  30 %  100 %  0.42
                     leaves over Buchgsse, 77; no answer, the street is left over
              text: how much of the query it explains; name: how much of its name was asked
              for; rank: how well known it is.

            Why
              Buchgasse explains the most, though it leaves over "77".
              12 possible meanings weighed in 2 spellings of the text, with 1,083 questions
              to the atlas that gave 54 rows and 5,474 looks for words spelled alike.
            """
        #expect(lines.joined(separator: "\n") == expected)
        #expect(lines.allSatisfy { displayWidth($0) <= 80 })
    }

    @Test func longNamesKeepToTheWidth() {
        var long = explanation()
        long.candidates[0].name = String(repeating: "Gasse ", count: 40)
        long.candidates[1].unmatched = Array(repeating: "Buchgsse", count: 40)
        long.words[0].explainedBy = String(repeating: "lang ", count: 40)
        long.decision = String(repeating: "Wort ", count: 60)
        let entry = AtlasExplanation(atlas: "Village", explanation: long)
        for width in [60, 80] {
            let lines = ExplanationText.lines([entry], width: width, console: Console())
            #expect(lines.allSatisfy { displayWidth($0) <= width })
        }
    }

    @Test func ofSeveralAtlasesThoseThatFoundAnythingAreTold() {
        let silent = AtlasExplanation(atlas: "World", explanation: GeocodeExplanation())
        let entry = AtlasExplanation(atlas: "Village", explanation: explanation())
        let both = ExplanationText.lines([silent, entry], width: 80, console: Console())
        #expect(both.first == "How it was read, in Village")
        #expect(!both.contains { $0.contains("World") })
        #expect(
            ExplanationText.lines([silent, silent], width: 80, console: Console()).first?.hasSuffix("World") == true)
        #expect(ExplanationText.lines([], width: 80, console: Console()).isEmpty)
    }
}
