import Gazetteer
import Geometry
import Tables

/// Which columns of a table make the question of a row.
struct ColumnPlan: Sendable, Equatable {
    /// What stands for a part of the question.
    enum Source: Sendable, Equatable {
        /// The column of that number, counted from 0, in a table of cells.
        case column(Int)
        /// The member of that name in an object.
        case member(String)
        /// The same text in all rows.
        case text(String)
    }

    private(set) var sources: [ColumnMeaning: Source] = [:]

    /// The options that name columns, and what each stands for.
    static let options: [(option: String, meaning: ColumnMeaning)] = [
        ("--address", .address), ("--name", .name), ("--street", .street), ("--housenumber", .number),
        ("--postcode", .postcode), ("--city", .city), ("--county", .county), ("--state", .state),
        ("--country", .country), ("--lat", .latitude), ("--lon", .longitude), ("--position", .position),
    ]

    /// - Parameters:
    ///   - columns: names of the columns, or of an object's members.
    ///   - named: what the arguments name; `=TEXT` is the same text in all rows. Where they name the column of the whole
    ///     question, no other is guessed.
    ///   - isReverse: whether points are looked up, rather than addresses.
    ///   - hasMembers: whether the table is one of objects.
    ///   - count: how many cells a row has, where the table has no line of columns.
    init(
        columns: [String], named: [ColumnMeaning: String], isReverse: Bool, hasMembers: Bool, count: Int
    ) throws {
        let wanted: Set<ColumnMeaning> = [.latitude, .longitude, .position]
        let guesses = [.address, .name, .position].allSatisfy { named[$0]?.hasPrefix("=") ?? true }
        if guesses {
            let meanings = columns.map { ColumnMeaning(columnName: String($0.split(separator: ".").last ?? "")) }
            for (index, meaning) in meanings.enumerated() {
                guard let meaning, wanted.contains(meaning) == isReverse, sources[meaning] == nil else { continue }
                // "No" is a house number behind a street; elsewhere it numbers the rows.
                if meaning == .number, !hasMembers, Self.isDoubtful(columns[index]),
                    index == 0 || meanings[index - 1] != .street
                {
                    continue
                }
                sources[meaning] = hasMembers ? .member(columns[index]) : .column(index)
            }
            // A street is called "address" where other columns hold the rest; beside a street it repeats the whole.
            if let address = sources[.address],
                [.street, .number, .city, .postcode].contains(where: { sources[$0] != nil })
            {
                if sources[.street] == nil { sources[.street] = address }
                sources[.address] = nil
            }
            // The name of a customer is on no map.
            if sources[.address] != nil || sources[.street] != nil { sources[.name] = nil }
        }
        for (meaning, name) in named {
            if name.hasPrefix("=") {
                sources[meaning] = .text(String(name.dropFirst()))
            } else if hasMembers {
                sources[meaning] = .member(name)
            } else if let index = Self.index(of: name, in: columns, count: count) {
                sources[meaning] = .column(index)
            } else {
                throw UsageError(
                    "the table has no column \"\(name)\""
                        + (columns.isEmpty ? "; it has \(count)" : "; it has \(Self.list(columns))"))
            }
        }
        if isReverse {
            guard sources[.position] != nil || (sources[.latitude] != nil && sources[.longitude] != nil) else {
                throw Self.unclear(columns, "a point", "--lat COLUMN --lon COLUMN, or --position COLUMN")
            }
        } else if sources.allSatisfy({ source in if case .text = source.value { true } else { false } }) {
            throw Self.unclear(
                columns, "an address", "--address COLUMN, or --street, --housenumber, --postcode, --city ...")
        }
    }

    /// For features that carry their points themselves.
    private init() {}
    static let geometry = ColumnPlan()

    private static func isDoubtful(_ column: String) -> Bool {
        ["no", "no.", "nr", "nr.", "n°", "num", "number", "numero", "número", "numéro", "numer", "číslo"].contains(
            column.lowercased())
    }

    private static func index(of name: String, in columns: [String], count: Int) -> Int? {
        if let index = columns.firstIndex(of: name) { return index }
        if let index = columns.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return index }
        guard let number = Int(name), (1...max(columns.count, count, 1)).contains(number) else { return nil }
        return number - 1
    }

    private static func list(_ columns: [String]) -> String {
        columns.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ") + (columns.count > 20 ? " ..." : "")
    }

    private static func unclear(_ columns: [String], _ what: String, _ options: String) -> UsageError {
        UsageError(
            "which column holds \(what)? Name it: \(options)"
                + (columns.isEmpty ? "" : ". The columns are \(list(columns))"))
    }

    /// What is asked of where, in a line: `street "Strasse", city "Ort"`.
    func description(_ columns: [String]) -> String {
        ColumnMeaning.allCases.compactMap { meaning in
            switch sources[meaning] {
            case .column(let index)?:
                "\(meaning.rawValue) from "
                    + (columns.indices.contains(index) ? "\"\(columns[index])\"" : "column \(index + 1)")
            case .member(let name)?: "\(meaning.rawValue) from \"\(name)\""
            case .text(let text)?: "\(meaning.rawValue) always \"\(text)\""
            case nil: nil
            }
        }.joined(separator: ", ")
    }

    /// The values of a row by what they mean; those that are empty are left out.
    func values(_ read: (Source) -> String?) -> [ColumnMeaning: String] {
        var values: [ColumnMeaning: String] = [:]
        for (meaning, source) in sources {
            let value = if case .text(let text) = source { text } else { read(source) }
            if let value = value?.trimmed, !value.isEmpty { values[meaning] = value }
        }
        return values
    }
}

/// The question that a row asks.
enum RowQuestion: Hashable {
    case text(String)
    case fields([ColumnMeaning: String])
    case point(latitude: Double, longitude: Double)
    /// Why it asks nothing.
    case none(String)

    /// The question of an address.
    init(address values: [ColumnMeaning: String], texts: Set<ColumnMeaning>) {
        guard values.keys.contains(where: { !texts.contains($0) }) else {
            self = .none("no address in this row")
            return
        }
        let parts: [ColumnMeaning] = [.street, .number, .postcode, .city, .county, .state, .country]
        if values[.address] != nil || values[.name] != nil {
            let rest = parts.compactMap { values[$0] }
            self = .text(([values[.address], values[.name]].compactMap { $0 } + rest).joined(separator: ", "))
        } else {
            self = .fields(values)
        }
    }

    /// The question of a point.
    init(point values: [ColumnMeaning: String]) {
        let written: String
        if let latitude = values[.latitude], let longitude = values[.longitude] {
            if let y = Self.degrees(latitude), let x = Self.degrees(longitude) {
                self.init(latitude: y, longitude: x)
                return
            }
            written = "\(latitude), \(longitude)"
        } else if let position = values[.position] {
            written = position
        } else {
            self = .none("no point in this row")
            return
        }
        guard let point = Coordinate(written: written) else {
            self = .none("\"\(written)\" is no point")
            return
        }
        self.init(latitude: point.latitude, longitude: point.longitude)
    }

    /// The question of a point, where it lies on the globe.
    init(latitude: Double, longitude: Double) {
        let isValid = Coordinate(latitude: latitude, longitude: longitude).isValid
        self =
            isValid
            ? .point(latitude: latitude, longitude: longitude)
            : .none("\(latitude), \(longitude) lies off the globe")
    }

    /// A number with a decimal point or comma.
    private static func degrees(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ "+-.,eE0123456789".utf8.contains($0) }) else { return nil }
        return Double(text.replacing(",", with: "."))
    }
}

extension ColumnPlan {
    /// The parts of the question that are the same in all rows.
    var texts: Set<ColumnMeaning> {
        Set(sources.filter { if case .text = $0.value { true } else { false } }.keys)
    }
}
