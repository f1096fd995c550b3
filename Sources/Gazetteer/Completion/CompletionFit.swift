import Foundation
import Geometry

/// A row of the table `completion`.
struct CompletionRow {
    var name: Int64
    var feature: Int64
    var kind: FeatureKind
    var sort: TextIndexBuilder.Sort
    var importance: Double
    var isTranslated: Bool
    var location: Coordinate
    var context: Int64?
    var written: [ArraySlice<UInt8>]
    var others: [ArraySlice<UInt8>]
    var around: [ArraySlice<UInt8>]

    static let columns = "c.id, c.feature, c.meta, c.x, c.y, c.context, c.words"

    /// Reads the current row of a statement that selects `columns`; nil where it is damaged.
    init?(_ row: Statement) {
        let meta = row.int(2)
        guard let kind = FeatureKind(rawValue: meta & 0xff),
            let sort = TextIndexBuilder.Sort(rawValue: meta >> 8 & 0xff)
        else { return nil }
        name = row.int64(0)
        feature = row.int64(1)
        self.kind = kind
        self.sort = sort
        isTranslated = meta >> 32 & 1 == 1
        importance = Double(meta >> 16 & 0xffff) / 65535
        location = Coordinate(latitude: Double(row.int(4)) / 1e6, longitude: Double(row.int(3)) / 1e6)
        context = row.isNull(5) ? nil : row.int64(5)
        guard let text = row.withText(6, { [UInt8]($0) }) else { return nil }
        let parts = text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        func words(_ index: Int) -> [ArraySlice<UInt8>] {
            index < parts.count ? parts[index].split(separator: UInt8(ascii: " ")) : []
        }
        written = words(0)
        others = words(1)
        around = words(2)
    }
}

/// How well typed words fit a name, and how high it stands for them.
struct CompletionFit {
    var score: Double
    var edits: Int

    /// Weighs a row; nil where a word fits neither the name nor what is around, or none fits the name.
    ///
    /// Each word is worth 1 where it is a whole word of the name and less where it begins one or stands for a place around.
    /// To their mean comes what the place is worth: places mostly by importance, so that a capital stands before the shop at
    /// the corner; streets, shops and all else mostly by nearness.
    ///
    /// - Parameters:
    ///   - isLastOpen: whether the last word may be unfinished.
    ///   - context: the sorted words of the places around.
    init?(
        _ row: CompletionRow, _ typed: [TypedText.Word], isLastOpen: Bool, near: Coordinate?,
        lexicon: LexiconBeginnings, context: () throws -> [[UInt8]]
    ) rethrows {
        var quality = 0.0
        var weight = 0.0
        var edits = 0
        var used: UInt32 = 0
        var positions: [Int] = []
        var letters = 0
        var isNamed = false
        var places: [[UInt8]]?
        for (index, word) in typed.enumerated() {
            let isOpen = isLastOpen && index == typed.count - 1
            func beginning(_ length: Int) -> Double {
                (isOpen ? 0.8 : 0.6) + 0.19 * Double(word.text.count) / Double(max(length, 1))
            }
            var best = (worth: 0.0, position: -1, edits: 0)
            for (position, known) in row.written.enumerated() {
                let worth: Double
                if known.elementsEqual(word.text) {
                    worth = 1
                } else if known.starts(with: word.text) {
                    worth = beginning(known.count)
                } else {
                    continue
                }
                // A word that stands for another typed one already is worth less.
                let left = used & 1 << UInt32(position) == 0 ? worth : worth - 0.5
                if left > best.worth { best = (left, position, 0) }
            }
            if best.worth < 0.95 {
                for known in row.others {
                    let worth: Double
                    if known.elementsEqual(word.text) {
                        worth = 0.95
                    } else if known.starts(with: word.text) {
                        worth = beginning(known.count) - 0.03
                    } else if word.tokens.contains(where: { known.elementsEqual($0) }) {
                        worth = 0.93
                    } else {
                        continue
                    }
                    if worth > best.worth { best = (worth, best.position, 0) }
                }
                if best.worth < 0.93, !word.tokens.isEmpty,
                    let position = row.written.firstIndex(where: { known in
                        word.tokens.contains { known.elementsEqual($0) }
                    })
                {
                    best = (0.93, position, 0)
                }
                if best.worth < 0.93, !word.compound.isEmpty,
                    word.compound.allSatisfy({ token in
                        row.others.contains { $0.elementsEqual(token) }
                            || row.written.contains { $0.elementsEqual(token) }
                    })
                {
                    best = (0.93, best.position, 0)
                }
            }
            if best.worth > 0 {
                isNamed = true
            } else {
                for known in row.around {
                    if known.elementsEqual(word.text) { best = (0.85, -1, 0) }
                    if best.worth < 0.7, known.starts(with: word.text) { best = (0.7, -1, 0) }
                }
                if best.worth < 0.85 {
                    let words: [[UInt8]]
                    if let places { words = places } else { words = try context() }
                    places = words
                    for form in [word.text] + word.tokens {
                        guard let first = words.firstWord(beginning: form) else { continue }
                        let worth = first.count == form.count ? 0.85 : form == word.text ? 0.7 : 0
                        if worth > best.worth { best = (worth, -1, 0) }
                    }
                }
            }
            if best.worth <= 0 {
                for correction in word.corrections where best.worth <= 0 {
                    if let position = row.written.firstIndex(where: { correction.fits($0) }) {
                        let length = row.written[position].count
                        best = (beginning(max(length, word.text.count)), position, correction.edits)
                        isNamed = true
                    } else if row.others.contains(where: { correction.fits($0) }) {
                        best = (0.7, -1, correction.edits)
                        isNamed = true
                    } else if row.around.contains(where: { correction.fits($0) })
                        || places?.firstWord(beginning: correction.letters).map({ correction.fits($0) }) == true
                    {
                        best = (0.7, -1, correction.edits)
                    }
                }
            }
            guard best.worth > 0 else { return nil }
            edits += best.edits
            let share = Double(min(word.text.count, 8))
            quality += max(best.worth, 0.3) * share
            weight += share
            if best.position >= 0 {
                used |= 1 << UInt32(best.position)
                positions.append(best.position)
                letters += min(word.text.count, row.written[best.position].count)
            }
        }
        guard isNamed, weight > 0 else { return nil }
        quality /= weight
        let typedLetters = typed.reduce(0) { $0 + $1.length }
        // The name begins with what was typed first, but for "rue" and "the". A letter or two say nothing elsewhere.
        if let first = positions.first, row.written[..<first].allSatisfy({ lexicon.isCommon($0) }) {
            quality += 0.12
        } else if typedLetters < 3 {
            quality -= 0.4
        }
        if positions.count == typed.count, zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) {
            quality += 0.04
        }
        let length = row.written.reduce(0) { $0 + $1.count }
        quality += 0.15 * Double(min(letters, length)) / Double(max(length, 1))
        // Other names count where much was typed: hardly anybody means the capital's name in a third language by "v".
        // Letters of another script can only mean a name in that script, which the World has among the other names.
        let isBeyondLatin = typed.contains(where: \.isBeyondLatin)
        let doubt = isBeyondLatin ? 0.1 : typedLetters < 3 ? 0.5 : typedLetters < 5 ? 0.4 : 0.15
        if row.sort == .business || row.sort == .other || row.isTranslated { quality -= doubt }
        if edits > 0 {
            if row.sort != .name || row.isTranslated { quality -= 0.2 }
            // The first letter is seldom wrong.
            if let first = typed.first?.text.first, !row.written.contains(where: { $0.first == first }) {
                quality -= 0.2
            }
        }
        score = quality + Self.worth(row, near: near, isWhole: letters == length)
        self.edits = edits
    }

    /// What a place is worth by itself.
    private static func worth(_ row: CompletionRow, near: Coordinate?, isWhole: Bool) -> Double {
        let nearness = near.map { Self.nearness(of: row.location, to: $0) } ?? 0
        let worthNearBy = 0.05 + 0.3 * row.importance + 0.58 * nearness
        guard row.kind.rawValue <= FeatureKind.suburb.rawValue else { return worthNearBy }
        // A village comes before the stop and the field that are called like it.
        return max(0.9 * row.importance + 0.3 * nearness, isWhole ? worthNearBy + 0.1 : 0)
    }

    /// 1 at the point, 0.9 at 300 m, half at 20 km, nothing from 2,000 km.
    static func nearness(of place: Coordinate, to point: Coordinate) -> Double {
        max(0, 1 - log10(1 + point.distance(to: place) / 200) / 4)
    }
}
