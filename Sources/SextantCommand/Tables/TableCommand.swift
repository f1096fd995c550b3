import Foundation
import Gazetteer
import Sextant
import Tables

/// `sextant geocode --input TABLE` and `sextant reverse --input TABLE`.
struct TableCommand {
    /// Whether points are looked up, rather than addresses.
    var isReverse: Bool
    var input: String
    /// Nil for standard output.
    var output: String?
    var form: TableForm
    var encoding: TableEncoding?
    var hasHeader: Bool
    var prefix: String
    var restarts: Bool
    /// Nil for as many threads as there are cores.
    var workers: Int?
    var named: [ColumnMeaning: String]
    var template: GeocodeQuery
    var options: ReverseOptions
    /// Tests and fault points end the run after a row.
    var reached: (Int) throws -> Void = FaultPoint.row
    var rowsBetweenStates: Int?

    /// What the arguments say of a table; nil where they name none.
    init?(_ arguments: Arguments, isReverse: Bool) throws {
        guard let input = arguments["--input"] else {
            let alone = [
                "--output", "--format", "--encoding", "--no-header", "--prefix", "--restart", "--jobs", "--address",
                "--number",
                "--name",
                "--lat", "--lon", "--position",
            ].first { arguments.has($0) }
            if let alone { throw UsageError("\(alone) goes with a table: --input FILE") }
            return nil
        }
        if let word = arguments.words.first {
            throw UsageError("either a table or a question, not both: \"\(word)\" stands beside --input")
        }
        for option in ["--json", "--geojson", "--map", "--explain", "--limit"] where arguments.has(option) {
            throw UsageError("\(option) is not for tables: the output has the form of the input, with a row a row")
        }
        self.isReverse = isReverse
        self.input = input
        output = arguments["--output"].flatMap { $0 == "-" ? nil : $0 }
        if output == "" { throw UsageError("--output wants a file's name, or - for standard output") }
        form = try Self.form(arguments, input: input, output: output)
        encoding = try arguments["--encoding"].map { word in
            let known = ["latin1": "windows-1252", "iso-8859-1": "windows-1252", "utf8": "utf-8", "utf16": "utf-16"]
            guard let encoding = TableEncoding(rawValue: known[word.lowercased()] ?? word.lowercased()) else {
                throw UsageError("--encoding wants utf-8, utf-16 or windows-1252, not \"\(word)\"")
            }
            return encoding
        }
        hasHeader = !arguments.has("--no-header")
        prefix = arguments["--prefix"] ?? "found_"
        restarts = arguments.has("--restart")
        workers = try arguments.whole("--jobs", in: 1...256)
        named = [:]
        for (option, meaning) in ColumnPlan.options {
            if let name = arguments[option] { named[meaning] = name }
            if option == "--housenumber", let name = arguments["--number"] { named[meaning] = name }
        }
        template = GeocodeQuery(limit: 2)
        options = ReverseOptions()
        if isReverse {
            options = try ReverseCommand.options(arguments)
        } else {
            template = try GeocodeCommand.template(arguments)
            template.limit = 2
        }
    }

    private static func form(_ arguments: Arguments, input: String, output: String?) throws -> TableForm {
        if let word = arguments["--format"] {
            guard let form = TableForm(rawValue: word.lowercased()) else {
                throw UsageError("--format wants csv, tsv, ndjson or geojson, not \"\(word)\"")
            }
            return form
        }
        let forms = [input, output].compactMap { $0 }.map { TableForm(path: $0) }
        if let first = forms[0] {
            if forms.count > 1, let second = forms[1], second != first {
                throw UsageError(
                    "the output has the form of the input, and \(output ?? "") would be another: "
                        + "name it .\(first.rawValue), or say what both are with --format")
            }
            return first
        }
        if input == "-", forms.count > 1, let form = forms[1] { return form }
        if input == "-" { return .csv }
        throw UsageError("the name of \(input) does not tell its form: --format csv, tsv, ndjson or geojson")
    }

    /// Answers the table.
    func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        try run(console) { try AtlasChoice.open(arguments, console) }
    }

    func run(_ console: Console, atlas openAtlas: () throws -> Atlas) throws -> ExitCode {
        Interruption.watch()
        let name = input == "-" ? "standard input" : input
        let file = input == "-" ? 0 : open(input, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw TableFault("\(input) cannot be read: \(String(cString: strerror(errno)))") }
        defer { if file > 0 { close(file) } }
        var reader = try TableReader(
            file, name: name, form: form, encoding: encoding, hasHeader: hasHeader, check: Interruption.check)
        let (writing, columns) = try writing(&reader, name)
        let atlas = try openAtlas()
        let answers = RowAnswers(atlas, template: template, options: options)
        let output = try TableOutput(path: output, task: task(writing, columns, atlas), restarting: restarts)
        output.reached = reached
        output.rowsBetweenStates = rowsBetweenStates
        let plan = writing.plan == .geometry ? "points from the geometry" : writing.plan.description(columns)
        console.say("\(name): \(plan).")
        do {
            try fill(output, &reader, writing, answers, name, console, size: Self.size(of: file))
        } catch is ReaderGone {
            return .found
        } catch let error as Interrupted {
            guard self.output != nil else { throw Interrupted(signal: error.signal, message: "stopped") }
            try output.save()
            throw Interrupted(
                signal: error.signal,
                message: "stopped after \(countText(output.progress.rows)) rows; the same command goes on from there")
        } catch let error as TableOutputError where self.output != nil {
            throw TableOutputError(
                description: "\(error); what is done is kept: once that is mended, the same command goes on from there")
        }
        report(output, console)
        let rows = output.progress.rows
        let found =
            rows - (output.progress.outcomes[RowAnswer.unmatched] ?? 0)
            - (output.progress.outcomes[RowAnswer.damaged] ?? 0)
        return rows > 0 && found == 0 ? .nothingFound : .found
    }

    private static func size(of file: Int32) -> Int? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// How rows are asked and written, and the names of their columns.
    private func writing(_ reader: inout TableReader, _ name: String) throws -> (RowWriting, [String]) {
        let hasCells = form == .csv || form == .tsv
        var columns = reader.columns
        var count = columns.count
        var plan = ColumnPlan.geometry
        if hasCells {
            let first = try hasHeader ? nil : reader.peek(1).first
            if let first { count = Cells(first.bytes, separator: reader.separator).ranges.count }
            guard count > 0 else { throw TableFault("\(name) is empty: there is no line that names columns") }
        } else {
            var seen: Set<String> = []
            var hasFeatures = false
            for row in try reader.peek(50) {
                guard let object = try? JSONObjectText(row.bytes) else { continue }
                let isFeature = object.value("type") == "Feature"
                if isFeature { hasFeatures = true }
                for path in (isFeature ? object.object("properties") : object)?.paths ?? []
                where seen.insert(path).inserted {
                    columns.append(path)
                }
            }
            let isEmpty = try reader.peek(1).isEmpty
            let isAskedByGeometry = isReverse && hasFeatures && named.isEmpty
            if isEmpty || isAskedByGeometry {
                return (
                    RowWriting(
                        form: form, separator: 0, count: 0, plan: .geometry, isReverse: isReverse, prefix: prefix),
                    columns
                )
            }
        }
        plan = try ColumnPlan(
            columns: columns, named: named, isReverse: isReverse, hasMembers: !hasCells, count: count)
        let writing = RowWriting(
            form: form, separator: reader.separator, count: count, plan: plan, isReverse: isReverse, prefix: prefix)
        if hasCells, let taken = columns.first(where: { writing.names.contains($0) }) {
            throw UsageError("the table has a column \"\(taken)\" already: choose other names with --prefix")
        }
        return (writing, columns)
    }

    /// Everything that decides what is written for a row, a line each.
    private func task(_ writing: RowWriting, _ columns: [String], _ atlas: Atlas) -> String {
        var lines = [
            "command \(isReverse ? "reverse" : "geocode")", "version \(sextantVersion)", "format \(form.rawValue)",
            "encoding \(encoding?.rawValue ?? "found out")", "header \(hasHeader)", "prefix \(prefix)",
            "columns \(columns)",
            "plan \(writing.plan == .geometry ? "geometry" : writing.plan.description(columns))",
        ]
        for part in atlas.parts { lines.append("atlas \(part.name) \(part.manifest.atlasID)") }
        if isReverse {
            lines.append(
                "options \(options.languages) \(options.finestRank) \(options.layers.rawValue) \(options.reach)")
        } else {
            let kinds = template.kinds.map { $0.map { "\($0)" }.sorted() } ?? []
            lines.append("options \(template.languages) \(template.countries) \(kinds) \(template.isBounded)")
            lines.append(
                "place \(template.near.map { "\($0)" } ?? "-") \(template.viewbox.map { "\($0)" } ?? "-")")
        }
        return lines.joined(separator: "\n")
    }

    private func fill(
        _ output: TableOutput, _ reader: inout TableReader, _ writing: RowWriting, _ answers: RowAnswers,
        _ name: String, _ console: Console, size: Int?
    ) throws {
        if output.isContinued, output.progress.rows > 0 {
            let rows = output.progress.rows
            console.say("Going on after \(countText(rows)) rows that an earlier run wrote.")
            var last: TableRow?
            for _ in 0..<rows {
                last = try reader.next()
                if last == nil { break }
            }
            guard last?.sum == output.progress.read else {
                throw UsageError(
                    "\(name) is no longer what the earlier run read; --restart throws its rows away and begins again")
            }
        } else if !output.isContinued || output.progress.bytes == 0 {
            try output.add(writing.head(reader.head))
        }
        let meter = ProgressMeter(console)
        defer { meter.finish() }
        var estimate: Int?
        var asked = output.progress.rows
        let before = asked
        try InOrder.run(
            workers: workers ?? ProcessInfo.processInfo.activeProcessorCount,
            next: {
                try Interruption.check()
                let row = try reader.next()
                if row != nil { asked += 1 }
                if let size, reader.bytesRead > 0 {
                    // As long as the table is not read to its end its rows are guessed from its bytes.
                    estimate = row == nil ? asked : max(asked, asked * size / reader.bytesRead)
                }
                return row
            }, work: { row in try writing.written(row) { try answers.answer($0) } }
        ) { row in
            try output.add(row)
            let done = output.progress.rows
            meter.report(
                phase: isReverse ? "finding addresses" : "finding places", done: done - before,
                total: estimate.map { max($0 - before, 1) }, unit: "rows")
        }
        try output.add(reader.tail)
        try output.finish()
    }

    /// A line of what came of it.
    private func report(_ output: TableOutput, _ console: Console) {
        let progress = output.progress
        let words = [
            "house": "house", "interpolated": "between two houses", "intersection": "crossing", "street": "street",
            "place": "place", "poi": "place of interest", RowAnswer.unmatched: "not found",
            RowAnswer.damaged: "damaged",
        ]
        let order =
            ["house", "interpolated", "intersection", "street", "poi", "place"] + [
                RowAnswer.unmatched, RowAnswer.damaged,
            ]
        let counts = order.compactMap { outcome in
            progress.outcomes[outcome].map { "\(words[outcome] ?? outcome) \(countText($0))" }
        }
        let rate =
            progress.seconds > 0.2 ? ", \(countText(Int(Double(progress.rows) / progress.seconds))) a second" : ""
        console.say(
            "\(countText(progress.rows)) \(progress.rows == 1 ? "row" : "rows") in \(decimalText(progress.seconds, places: 1)) s\(rate)"
                + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")) + "."
                + (self.output.map { " Written to \($0)." } ?? ""))
        if !progress.attributions.isEmpty {
            console.say("Data: " + progress.attributions.sorted().joined(separator: "; "))
        }
    }
}
