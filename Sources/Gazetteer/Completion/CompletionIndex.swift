import Geometry

/// The tables by which completion finds names from their first letters.
///
///     completion       one row for each row of `name`, with the same number: what ranking needs, so that a candidate costs
///                      one look-up. `meta` holds the kind in bits 0...7, `name.sort` in 8...15, the importance times 65,535
///                      in 16...31, and 1 in bit 32 for a name in another language than the place's own; x and y are millionths of a degree. `words` are the written words, folded, in
///                      their order; after `|` other forms (canonical tokens, compounds joined); after a second `|` words
///                      of the address that no containing place bears (post towns, the postcode)
///     completion_text  FTS5 over the same, contentless, with an index of each prefix of one to five letters, so that the
///                      best-known names that begin with "s" are the first rows of one list; `@word` for the words of the
///                      places around
///     completion_near  the words of the names in each cell of some grids, for the beginning of a name near a point
///
/// Rows are numbered by importance within three bands: places, streets, all else. The setting `completion.bands` holds the
/// last number of the first two.
enum CompletionIndex {
    static let tables = """
        DROP TABLE IF EXISTS completion;
        DROP TABLE IF EXISTS completion_text;
        DROP TABLE IF EXISTS completion_near;
        DROP TABLE IF EXISTS temp.completion_cell;
        CREATE TABLE completion(
          id INTEGER PRIMARY KEY, feature INTEGER NOT NULL, meta INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
          context INTEGER, words TEXT NOT NULL);
        CREATE VIRTUAL TABLE completion_text USING fts5(
          words, content='', detail=none, columnsize=0, prefix='1 2 3 4 5',
          tokenize="unicode61 remove_diacritics 0 tokenchars '@'");
        CREATE TABLE completion_near(
          cell INTEGER NOT NULL, word TEXT NOT NULL, name INTEGER NOT NULL, PRIMARY KEY(cell, word, name)) WITHOUT ROWID;
        CREATE TEMP TABLE completion_cell(cell INTEGER NOT NULL, word TEXT NOT NULL, name INTEGER NOT NULL);
        """

    /// The words of one name, as they are stored.
    struct Words: Sendable {
        /// Folded words in their order.
        var written: [String]
        /// Other forms under which it is found.
        var others: [String] = []
        /// Words of its address.
        var around: [String] = []
        /// Whether it is the name in another language than the place's own.
        var isTranslated = false

        /// - Parameters:
        ///   - text: the name.
        ///   - words: its words as they are written (`TextNormalizer.written`).
        ///   - tokens: its canonical tokens.
        init(_ text: String, _ words: [TextFold.Word], tokens: [String]) {
            written = words.prefix(16).map(\.text)
            func add(_ form: String) {
                if !form.isEmpty, !written.contains(form), !others.contains(form), others.count < 12 {
                    others.append(form)
                }
            }
            for token in tokens { add(token) }
            // "oe" begins "Ö", which is folded to "o"; from the third letter on both are folded alike.
            for word in words {
                if let digraph = Digraph.begins(word, of: text) { add(digraph + word.text.dropFirst()) }
            }
            // "saintdenis", as it is typed; and "connell" where "oconnell" is written.
            for index in words.indices.dropFirst() where words[index].separator == .hyphen {
                add(words[index - 1].text + words[index].text)
            }
            if text.contains(where: { $0 == "'" || $0 == "\u{2019}" }) {
                for word in TextFold.words(text) where word.text.utf8.count > 1 { add(word.text) }
            }
        }

        /// The text of the column `words`.
        var column: String {
            var text = written.joined(separator: " ")
            if !others.isEmpty || !around.isEmpty { text += "|" + others.joined(separator: " ") }
            if !around.isEmpty { text += "|" + around.joined(separator: " ") }
            return text
        }

        /// The text of the full-text index; `places` are ` @word` for the words of the places around.
        func document(places: String) -> String {
            var text = (written + others).joined(separator: " ")
            for word in around { text += " @" + word }
            return text + places
        }
    }

    /// The columns of a grid of cells, as fine as 2^level cells around the globe. A cell is twice as many degrees wide as
    /// it is high.
    enum Grid: Int, CaseIterable {
        /// Some 30 km: for towns and larger places.
        case region = 10
        /// Some 7 km: for all else.
        case town = 12
        /// Some 1 km: the same again, for short beginnings in crowded towns.
        case quarter = 15

        func cell(of point: Coordinate) -> Int64 {
            let (x, y) = column(of: point)
            return number(x, y)
        }

        /// The cell of the point and those around it, nearest first as a whole ring.
        func cells(around point: Coordinate) -> [Int64] {
            let (x, y) = column(of: point)
            let size = 1 << rawValue
            var result: [Int64] = []
            for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                guard (0..<size).contains(y + dy) else { continue }
                result.append(number((x + dx + size) % size, y + dy))
            }
            return result
        }

        private func column(of point: Coordinate) -> (Int, Int) {
            let size = Double(1 << rawValue)
            func index(_ share: Double) -> Int { Int(min(max(share * size, 0), size - 1)) }
            return (index((point.longitude + 180) / 360), index((90 - point.latitude) / 180))
        }

        private func number(_ x: Int, _ y: Int) -> Int64 { Int64(rawValue) << 48 | Int64(y) << 24 | Int64(x) }
    }

    /// Writes the rows of names, in the order of their numbers.
    final class Writer {
        private let database: Database
        private let insertRow: Statement
        private let insertText: Statement
        private let insertCell: Statement
        private var lastOfPlaces = 0
        private var lastOfStreets = 0

        init(_ database: Database) throws {
            self.database = database
            try database.execute(CompletionIndex.tables)
            try database.execute(
                "INSERT INTO completion_text(completion_text, rank) VALUES('hashsize', \(64 << 20))")
            insertRow = try database.prepare(
                "INSERT INTO completion(id, feature, meta, x, y, context, words) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            insertText = try database.prepare("INSERT INTO completion_text(rowid, words) VALUES(?1, ?2)")
            insertCell = try database.prepare("INSERT INTO temp.completion_cell(cell, word, name) VALUES(?1, ?2, ?3)")
        }

        func add(
            _ number: Int, feature: Int64, kind: FeatureKind, sort: TextIndexBuilder.Sort, importance: Double,
            location: Coordinate, context: Int64?, words: Words, places: String
        ) throws {
            if CompletionBand(kind) == .places { lastOfPlaces = number }
            if CompletionBand(kind) != .others { lastOfStreets = number }
            let weight = Int((min(max(importance, 0), 1) * 65535).rounded())
            insertRow.bind(1, number)
            insertRow.bind(2, feature)
            insertRow.bind(
                3, kind.rawValue | sort.rawValue << 8 | weight << 16 | (words.isTranslated ? 1 << 32 : 0))
            insertRow.bind(4, Int((location.longitude * 1e6).rounded()))
            insertRow.bind(5, Int((location.latitude * 1e6).rounded()))
            insertRow.bind(6, context)
            insertRow.bind(7, words.column)
            try insertRow.run()
            insertText.bind(1, number)
            insertText.bind(2, words.document(places: places))
            try insertText.run()
            // Other names of towns are too many, and found without this where they matter.
            if CompletionBand(kind) == .places, sort != .name || words.isTranslated { return }
            let grids: [Grid] = CompletionBand(kind) == .places ? [.region] : [.town, .quarter]
            let all = Array((words.written + words.others).prefix(16))
            for grid in grids {
                let cell = grid.cell(of: location)
                for (index, word) in all.enumerated() where !all[..<index].contains(word) {
                    insertCell.bind(1, cell)
                    insertCell.bind(2, word)
                    insertCell.bind(3, number)
                    try insertCell.run()
                }
            }
        }

        /// Sorts the cells into their places and merges the index.
        func finish() throws {
            try database.execute(
                """
                INSERT INTO completion_near SELECT cell, word, name FROM temp.completion_cell ORDER BY cell, word, name;
                DROP TABLE temp.completion_cell;
                INSERT INTO completion_text(completion_text) VALUES('optimize');
                INSERT INTO completion_text(completion_text, rank) VALUES('hashsize', \(1 << 20));
                INSERT OR REPLACE INTO setting(name, value)
                  VALUES('completion.bands', '\(lastOfPlaces) \(max(lastOfStreets, lastOfPlaces))');
                """)
        }
    }
}

/// The parts of the names by the order in which they are numbered.
enum CompletionBand: Int, CaseIterable {
    case places, streets, others

    init(_ kind: FeatureKind) {
        self = kind.rawValue <= FeatureKind.suburb.rawValue ? .places : kind == .street ? .streets : .others
    }
}

/// The two letters in which an umlaut may be typed. A word of two letters is not folded to the umlaut's vowel.
enum Digraph {
    static let all: Set<String> = ["ae", "oe", "ue", "aa"]

    /// The two letters that stand for how a word of the text begins; nil where it begins otherwise.
    static func begins(_ word: TextFold.Word, of text: String) -> String? {
        let utf8 = text.utf8
        guard word.text.utf8.count > 1,
            let start = utf8.index(utf8.startIndex, offsetBy: word.start, limitedBy: utf8.endIndex),
            start < utf8.endIndex
        else { return nil }
        let beginning = text[start...].prefix(2).lowercased()
        if all.contains(beginning) { return beginning }
        switch beginning.first {
        case "ä", "æ": return "ae"
        case "ö", "ø", "œ": return "oe"
        case "ü": return "ue"
        case "å": return "aa"
        default: return nil
        }
    }
}
