import Foundation
import Testing

@testable import Gazetteer

@Suite struct VocabularyTests {
    /// The distance of optimal string alignment by its definition, without bands or bounds.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { table[i][0] = i }
        for j in 0...b.count { table[0][j] = j }
        for i in 0..<a.count {
            for j in 0..<b.count {
                var best = min(table[i][j + 1] + 1, table[i + 1][j] + 1, table[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, table[i - 1][j - 1] + 1) }
                table[i + 1][j + 1] = best
            }
        }
        return table[a.count][b.count]
    }

    /// Words of few letters, so that many are near to each other.
    private static func word(_ random: inout SeededNumbers, longest: Int = 9) -> String {
        let letters = Array("abes")
        return String(
            (0..<Int.random(in: 1...longest, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    private static func vocabulary(_ random: inout SeededNumbers, count: Int) throws -> ([Vocabulary.Term], Vocabulary)
    {
        var words: Set<String> = []
        for _ in 0..<count { words.insert(word(&random)) }
        words.insert(String(repeating: "ab", count: 32))
        words.insert("東")
        let terms = words.sorted().map {
            Vocabulary.Term(
                word: $0, frequency: Int.random(in: 1...300, using: &random), isDerived: Bool.random(using: &random))
        }
        return (terms, try Vocabulary(bytes: VocabularyBuilder.bytes(terms)))
    }

    private static func comesFirst(_ a: Vocabulary.Term, _ b: Vocabulary.Term) -> Bool {
        a.frequency != b.frequency ? a.frequency > b.frequency : a.word < b.word
    }

    @Test func nearWordsAreThoseThatAScanFinds() throws {
        let seed = UInt64.random(in: 0...1_000_000)
        print("seed \(seed)")
        var random = SeededNumbers(state: seed)
        for _ in 0..<20 {
            let (terms, vocabulary) = try Self.vocabulary(&random, count: 400)
            #expect(vocabulary.count == terms.count)
            for _ in 0..<40 {
                let asked = Self.word(&random)
                let bound = Int.random(in: 0...3, using: &random)
                var nodesLeft = Int.max
                let found = try vocabulary.neighbours(of: asked, within: bound, nodesLeft: &nodesLeft)
                let expected = terms.map { ($0, Self.distance(Array($0.word.utf8), Array(asked.utf8))) }
                    .filter { $0.1 <= bound }
                    .sorted { $0.1 != $1.1 ? $0.1 < $1.1 : Self.comesFirst($0.0, $1.0) }
                #expect(found.map(\.term) == expected.map(\.0), "\(asked) within \(bound)")
                #expect(found.map(\.distance) == expected.map(\.1), "\(asked) within \(bound)")
            }
        }
    }

    @Test func nearPrefixesLeadToAllWordsThatAScanFinds() throws {
        let seed = UInt64.random(in: 0...1_000_000)
        print("seed \(seed)")
        var random = SeededNumbers(state: seed)
        for _ in 0..<20 {
            let (terms, vocabulary) = try Self.vocabulary(&random, count: 300)
            for _ in 0..<20 {
                let asked = Self.word(&random, longest: 6)
                let bound = Int.random(in: 0...2, using: &random)
                var nodesLeft = Int.max
                let prefixes = try vocabulary.prefixes(near: asked, within: bound, nodesLeft: &nodesLeft)
                for term in terms {
                    let nearest =
                        term.word.indices.map { Self.distance(Array(term.word[...$0].utf8), Array(asked.utf8)) }.min()
                        ?? 9
                    let found = prefixes.filter { term.word.utf8.starts(with: $0.letters.utf8) }.map(\.distance).min()
                    #expect(found == (nearest <= bound ? nearest : nil), "\(asked) within \(bound): \(term.word)")
                }
            }
        }
    }

    @Test func wordsWithAPrefixComeTheMostFrequentFirst() throws {
        let seed = UInt64.random(in: 0...1_000_000)
        print("seed \(seed)")
        var random = SeededNumbers(state: seed)
        let (terms, vocabulary) = try Self.vocabulary(&random, count: 500)
        for _ in 0..<200 {
            let prefix = Bool.random(using: &random) ? Self.word(&random, longest: 4) : ""
            let includingDerived = Bool.random(using: &random)
            let limit = Int.random(in: 1...30, using: &random)
            var nodesLeft = Int.max
            let found = try vocabulary.terms(
                withPrefix: prefix, limit: limit, includingDerived: includingDerived, nodesLeft: &nodesLeft)
            let expected = terms.filter { $0.word.hasPrefix(prefix) && (includingDerived || !$0.isDerived) }
                .sorted(by: Self.comesFirst)
            #expect(found == Array(expected.prefix(limit)), "\(prefix)")
        }
        for term in terms { #expect(try vocabulary.term(term.word.utf8) == term) }
        #expect(try !vocabulary.contains("x"))
        #expect(try !vocabulary.contains(""))
    }

    @Test func aWalkEndsWhereItsNodesRunOut() throws {
        var random = SeededNumbers(state: 7)
        let (_, vocabulary) = try Self.vocabulary(&random, count: 2000)
        var nodesLeft = 50
        _ = try vocabulary.neighbours(of: "abeseba", within: 3, nodesLeft: &nodesLeft)
        #expect(nodesLeft == 0)
        nodesLeft = 50
        _ = try vocabulary.prefixes(near: "abeseba", within: 3, nodesLeft: &nodesLeft)
        #expect(nodesLeft == 0)
        nodesLeft = 50
        _ = try vocabulary.terms(withPrefix: "", limit: 1000, nodesLeft: &nodesLeft)
        #expect(nodesLeft == 0)
    }

    @Test func damagedBytesAreAnErrorOrOtherWordsButNoTrap() throws {
        let seed = UInt64.random(in: 0...1_000_000)
        print("seed \(seed)")
        var random = SeededNumbers(state: seed)
        let (_, vocabulary) = try Self.vocabulary(&random, count: 200)
        let whole = vocabulary.bytes
        var refused = 0
        for round in 0..<3000 {
            var bytes = whole
            switch round % 3 {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case 1:
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            default:
                let start = Int.random(in: 16..<bytes.count, using: &random)
                bytes[start...].shuffle(using: &random)
            }
            do {
                let damaged = try Vocabulary(bytes: bytes)
                var nodesLeft = 100_000
                _ = try damaged.neighbours(of: "abese", within: 3, nodesLeft: &nodesLeft)
                _ = try damaged.prefixes(near: "abes", within: 2, nodesLeft: &nodesLeft)
                _ = try damaged.terms(withPrefix: "a", limit: 100, nodesLeft: &nodesLeft)
                _ = try damaged.term("abes".utf8)
            } catch let error as DatabaseError {
                #expect(error.isDamage)
                refused += 1
            }
        }
        #expect(refused > 1000)
    }

    @Test func compoundsAreKnownByTheirStemAndTheirShortForm() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Hauptstraße", (1, 5), (9, 5))
        world.street("Lange Gasse", (1, 6), (9, 6))
        let gazetteer = try world.open()
        try gazetteer.withDatabase { database in
            let vocabulary = try gazetteer.text(database).vocabulary(database)
            let known = try ["hauptstrasse", "haupt", "hauptstr", "lange", "gasse", "langegasse", "oberfeld"].map {
                try vocabulary.term($0.utf8)?.isDerived
            }
            #expect(known == [false, true, true, false, false, true, false])
            #expect(try vocabulary.term("haupt strasse".utf8) == nil)
        }
    }
}
