import AtlasFiles
import Foundation
import HTTPServer
import Importing
import Sextant

/// `sextant import`
enum ImportCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard !arguments.words.isEmpty else {
            throw UsageError("which file? sextant import FILE... -o NAME.atlas")
        }
        guard let output = arguments["--output"], !output.isEmpty else {
            throw UsageError("where should the atlas stand? -o NAME.atlas")
        }
        var importer = AtlasImporter()
        if let side = arguments["--driving-side"] {
            guard let known = AtlasImporter.DrivingSide(rawValue: side) else {
                throw UsageError("--driving-side is left or right, not \"\(side)\"")
            }
            importer.drivingSide = known
        }
        if arguments["--admin1"] != nil,
            !arguments.words.contains(where: { (try? SourceKind(path: $0)) == .geoNames })
        {
            throw UsageError("--admin1 goes with a GeoNames table, and none of the files is one")
        }
        importer.regionNames = arguments["--admin1"]
        if let part = arguments["--only"] {
            guard part == "roads" else { throw UsageError("--only is roads, not \"\(part)\"") }
            for path in arguments.words where try SourceKind(path: path) != .openStreetMap {
                throw UsageError("--only roads takes OpenStreetMap files alone, and \(path) is none")
            }
            importer.takesRoadsAlone = true
        }
        importer.descriptions = try SourceOptions.descriptions(arguments)
        let meter = ProgressMeter(console)
        Interruption.watch()
        importer.progress = {
            try Interruption.check()
            meter.report($0)
        }
        importer.reached = FaultPoint.kill
        importer.withoutExchange = FaultPoint.liesWithoutExchange
        defer { meter.finish() }
        let report = try importer.run(files: arguments.words, to: output)
        meter.finish()
        for line in report.columns { console.say(line) }
        for source in report.manifest.sources where source.licence == SourceDescription.unstatedLicence {
            console.say("\(source.name): no licence is stated; --licence and --attribution say what answers must tell.")
        }
        if arguments.has("--json") {
            console.print(json(report))
        } else {
            for line in page(report) { console.print(line) }
        }
        return .found
    }

    private static func page(_ report: ImportReport) -> [String] {
        let size = report.manifest.files.values.reduce(0) { $0 + $1.size }
        var lines = ["\(report.path): \(sizeText(size)), made in \(decimalText(report.seconds, places: 1)) s", ""]
        lines += InfoCommand.counts(report.counts)
        let tables = report.manifest.sources.compactMap { source in
            source.counts.map { "\(source.name): \(InfoCommand.text($0))" }
        }
        if !tables.isEmpty { lines += [""] + tables }
        if !report.skipped.isEmpty {
            lines += ["", "left out or mended:"] + InfoCommand.counts(report.skipped)
        }
        return lines
    }

    private static func json(_ report: ImportReport) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("path", report.path)
            json.member("seconds", report.seconds, decimals: 3)
            json.member("atlas", report.manifest.atlasID)
            json.key("counts")
            InfoCommand.write(report.counts, to: &json)
            json.key("skipped")
            InfoCommand.write(report.skipped, to: &json)
            json.key("sources")
            json.array { array in
                for source in report.manifest.sources {
                    array.object { object in
                        object.member("name", source.name)
                        object.member("licence", source.licence)
                        object.member("attribution", source.attribution)
                        if let counts = source.counts {
                            object.key("counts")
                            InfoCommand.write(counts, to: &object)
                        }
                    }
                }
            }
        }
        return json.text
    }
}

/// `sextant info`
enum InfoCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard arguments.words.count == 1, let word = arguments.words.first else {
            throw UsageError("which atlas? sextant info ATLAS")
        }
        let path = try AtlasChoice.resolved(word, console)
        let folder = try AtlasFolder(path: path)
        // Opening looks into every file; what a manifest cannot tell comes out here.
        _ = try Atlas.open([path])
        if arguments.has("--verify") {
            let meter = ProgressMeter(console)
            let total = folder.manifest.files.values.reduce(0) { $0 + $1.size }
            var done = 0
            defer { meter.finish() }
            try folder.verify {
                done += $0
                meter.report(phase: "verifying", done: done, total: total, unit: "B")
            }
        }
        if arguments.has("--json") {
            console.print(json(folder, isVerified: arguments.has("--verify")))
        } else {
            for line in page(folder, console) { console.print(line) }
            if arguments.has("--verify") {
                console.print()
                console.print("All \(folder.manifest.files.count) files are as they were written.")
            }
        }
        return .found
    }

    private static func page(_ folder: AtlasFolder, _ console: Console) -> [String] {
        let manifest = folder.manifest
        var lines = [console.strong(manifest.name)]
        var table = Table([.left, .left], indent: 2)
        table.add("path", folder.path)
        table.add("made", "\(manifest.created) by \(manifest.importer)")
        table.add("format", "\(manifest.sextantAtlas)")
        table.add("id", manifest.atlasID)
        lines += table.lines + ["", "sources:"]
        for source in manifest.sources {
            var facts = Table([.left, .left], indent: 4)
            lines.append("  \(source.name)")
            if let timestamp = source.timestamp { facts.add("data of", timestamp) }
            facts.add("licence", "\(source.licence); \(source.attribution)")
            if let counts = source.counts { facts.add("holds", text(counts)) }
            facts.add("coverage", text(source.coverage))
            facts.add("SHA-256", source.sha256)
            lines += facts.lines
        }
        lines += ["", "holds:"] + counts(manifest.counts)
        if !manifest.skipped.isEmpty { lines += ["", "left out or mended:"] + counts(manifest.skipped) }
        lines += ["", "files:"]
        var files = Table([.left, .right], indent: 2)
        for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) { files.add(name, sizeText(file.size)) }
        return lines + files.lines
    }

    /// What came of a source: `4,231 rows, 3,300 kept, 12 folded`.
    static func text(_ counts: [String: Int]) -> String {
        ["rows", "kept", "folded"].compactMap { word in counts[word].map { "\(countText($0)) \(word)" } }
            .joined(separator: ", ")
    }

    private static func text(_ coverage: Coverage) -> String {
        if coverage.isEverywhere { return "the whole world" }
        guard let box = coverage.boundingBox else { return "nothing with a name" }
        let sides = [box.west, box.south, box.east, box.north].map { decimalText($0, places: 2) }
        return "\(countText(coverage.tileCount)) tiles of zoom \(Coverage.zoom) within \(sides.joined(separator: ","))"
    }

    /// Numbers by what they count, the largest first.
    static func counts(_ counts: [String: Int]) -> [String] {
        var table = Table([.right, .left], indent: 2)
        for (name, count) in sorted(counts) { table.add(countText(count), words(name)) }
        return table.lines
    }

    private static func sorted(_ counts: [String: Int]) -> [(key: String, value: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    /// `pointOfInterest` as people write it: `point of interest`.
    private static func words(_ name: String) -> String {
        if name.contains(" ") { return name }
        return name.reduce(into: "") { text, letter in
            text += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
    }

    static func write(_ counts: [String: Int], to json: inout JSONWriter) {
        json.object { object in for (name, count) in sorted(counts) { object.member(name, count) } }
    }

    private static func json(_ folder: AtlasFolder, isVerified: Bool) -> String {
        let manifest = folder.manifest
        var json = JSONWriter()
        json.object { json in
            json.member("path", folder.path)
            json.member("name", manifest.name)
            json.member("id", manifest.atlasID)
            json.member("format", manifest.sextantAtlas)
            json.member("created", manifest.created)
            json.member("importer", manifest.importer)
            json.key("sources")
            json.array { array in
                for source in manifest.sources {
                    array.object { object in
                        object.member("name", source.name)
                        object.member("sha256", source.sha256)
                        object.member("timestamp", source.timestamp)
                        object.member("licence", source.licence)
                        object.member("attribution", source.attribution)
                        if let counts = source.counts {
                            object.key("counts")
                            write(counts, to: &object)
                        }
                        object.member("everywhere", source.coverage.isEverywhere)
                        if !source.coverage.isEverywhere { object.member("tiles", source.coverage.tileCount) }
                        if let box = source.coverage.boundingBox {
                            object.key("boundingBox")
                            object.array {
                                for side in [box.west, box.south, box.east, box.north] { $0.number(side, decimals: 7) }
                            }
                        }
                    }
                }
            }
            json.key("counts")
            write(manifest.counts, to: &json)
            json.key("skipped")
            write(manifest.skipped, to: &json)
            json.key("files")
            json.object { object in
                for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) {
                    object.key(name)
                    object.object {
                        $0.member("size", file.size)
                        $0.member("sha256", file.sha256)
                    }
                }
            }
            if isVerified { json.member("verified", true) }
        }
        return json.text
    }
}

/// `sextant serve`
enum ServeCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard arguments.words.isEmpty else {
            throw UsageError("serve takes options only, not \"\(arguments.words[0])\"")
        }
        let port = UInt16(try arguments.whole("--port", in: 0...65535) ?? 8080)
        let atlas = try AtlasChoice.open(arguments, console)
        try atlas.warmUp()
        // The signals that end the server are taken here, not by one of its threads.
        var ending = sigset_t()
        sigemptyset(&ending)
        sigaddset(&ending, SIGINT)
        sigaddset(&ending, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &ending, nil)
        let dialects = Dialects(atlas)
        let server: Server
        do {
            server = try Server(port: port) { dialects.respond(to: $0) }
        } catch let error as ServerError {
            throw UsageError(error.description)
        }
        console.print("Listening on http://127.0.0.1:\(server.port), until control-C")
        console.say("  try: curl 'http://127.0.0.1:\(server.port)/search?q=Monaco'")
        var received: Int32 = 0
        while sigwait(&ending, &received) != 0 {}
        // Clients that never end must not keep the program alive.
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) { _exit(0) }
        server.stop()
        return .found
    }
}
