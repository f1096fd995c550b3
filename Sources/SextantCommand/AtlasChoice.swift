import AtlasFiles
import Foundation
import GazetteerData
import Importing
import Sextant

/// The two atlases that the product carries the sources of. They are made on first use into the user's data folder.
typealias BuiltInAtlas = AtlasLocations.BuiltIn

extension AtlasLocations.BuiltIn {
    /// Whether the atlas stands there, whole as far as its manifest tells, and of this version.
    private var isReady: Bool {
        guard let folder = try? AtlasFolder(path: path()) else { return false }
        return folder.manifest.importer == AtlasImporter.version
    }

    /// The path of the atlas, which is made first where it is missing or of another version.
    ///
    /// Two processes that come at once: the second waits for the first, and finds the atlas made.
    func ready(_ console: Console, remaking: Bool = false) throws -> String {
        if !remaking, isReady { return path() }
        let folder = AtlasLocations.folder(environment: ProcessInfo.processInfo.environment)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw AtlasError.system(
                operation: "make the folder", path: folder,
                reason: "\(error.localizedDescription); XDG_DATA_HOME may name another")
        }
        let lock = open("\(folder)/.\(rawValue).making", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard lock >= 0 else {
            throw AtlasError.system(operation: "write into", path: folder, reason: String(cString: strerror(errno)))
        }
        defer { close(lock) }
        if flock(lock, LOCK_EX | LOCK_NB) != 0 {
            console.say("Another process is making the built-in atlas \(rawValue); waiting for it.")
            while flock(lock, LOCK_EX) != 0, errno == EINTR {}
            if isReady { return path() }
        } else if !remaking, isReady {
            return path()
        }
        console.say("Making the built-in atlas \(rawValue), once; it stays in \(folder).")
        let meter = ProgressMeter(console)
        var importer = AtlasImporter()
        importer.waitsForOthers = true
        Interruption.watch()
        importer.progress = {
            try Interruption.check()
            meter.report($0)
        }
        defer { meter.finish() }
        switch self {
        case .towns:
            _ = try importer.run(
                files: ["towns/helsinki.osm.pbf", "towns/monaco.osm.pbf"].map { try GazetteerData.url($0).path },
                to: path())
        case .world: _ = try importer.runWorld(to: path())
        }
        return path()
    }
}

/// Which atlases a command asks.
enum AtlasChoice {
    /// The paths that `--atlas` or else `SEXTANT_ATLAS` names; nil where neither does.
    static func named(_ arguments: Arguments, environment: [String: String]) -> [String]? {
        let given = arguments.all("--atlas")
        if !given.isEmpty { return given }
        return AtlasLocations.named(environment: environment)
    }

    /// Opens what the arguments and the environment choose, the World beneath it.
    ///
    /// - Parameter needsWorld: whether the World is made where it is missing; otherwise it is opened only if it is there.
    static func open(_ arguments: Arguments, _ console: Console, needsWorld: Bool = true) throws -> Atlas {
        let chosen = named(arguments, environment: ProcessInfo.processInfo.environment)
        var world: String?
        if !arguments.has("--no-world") {
            let isThere = FileManager.default.fileExists(atPath: BuiltInAtlas.world.path())
            if needsWorld || isThere { world = try BuiltInAtlas.world.ready(console) }
        }
        let paths = try chosen?.map { try resolved($0, console) } ?? [BuiltInAtlas.towns.ready(console)]
        // The World named as an atlas of its own is not asked twice.
        let others = paths.filter { $0 != world }
        do {
            return try Atlas.open(others, world: world)
        } catch let error as AtlasError {
            // Built-in atlases that were damaged, or come from another build, are made again.
            var remade = false
            for atlas in BuiltInAtlas.allCases where others.contains(atlas.path()) || world == atlas.path() {
                if (try? Atlas.open([atlas.path()])) == nil {
                    _ = try atlas.ready(console, remaking: true)
                    remade = true
                }
            }
            guard remade else { throw error }
            return try Atlas.open(others, world: world)
        }
    }

    /// The path itself, or that of the built-in atlas where `towns` or `world` names no folder.
    static func resolved(_ path: String, _ console: Console) throws -> String {
        try AtlasLocations.builtIn(named: path)?.ready(console) ?? path
    }
}

extension ProgressMeter {
    func report(_ progress: ImportProgress) {
        report(phase: progress.phase, done: Int(progress.fraction.clamped * 1000), total: 1000, unit: "")
    }
}

extension Double {
    fileprivate var clamped: Double { isFinite ? min(max(self, 0), 1) : 0 }
}
