import AtlasFiles
import Foundation
import Locking

/// The atlas that answers where a program names none: behind `CoreLocation` and `MapKit`, whose calls have no place for one.
///
/// The atlas is, in this order: the one that the program has set with `use`; those that `SEXTANT_ATLAS` names (several,
/// separated by colons; the first is asked first); the built-in *Towns* where the command has made them in the user's data
/// folder. *World* lies beneath any of the latter two where it has been made. Nothing is ever made here.
///
///     ProcessAtlas.use(try Atlas.open(["Liechtenstein.atlas"]))
public enum ProcessAtlas {
    private struct State {
        var chosen: Atlas?
        var found: (key: [String], atlas: Atlas)?
    }

    private static let state = Mutex(State())

    /// Sets the atlas of this process; nil goes back to what the environment names. Questions that are being answered keep
    /// the atlas they began with.
    public static func use(_ atlas: Atlas?) { state.withLock { $0.chosen = atlas } }

    /// The atlas of this process, opened at the first question and kept open.
    ///
    /// - Throws: `SextantError.noAtlas` where nothing is set, named or made; `AtlasError` for what cannot be opened. The
    ///   next question tries again.
    public static func current() throws -> Atlas {
        let environment = ProcessInfo.processInfo.environment
        return try state.withLock { state in
            if let chosen = state.chosen { return chosen }
            let choice = try AtlasLocations.choice(environment: environment)
            let key = choice.paths + [choice.world ?? ""]
            if let found = state.found, found.key == key { return found.atlas }
            let atlas = try Atlas.open(choice.paths, world: choice.world)
            state.found = (key, atlas)
            return atlas
        }
    }
}

/// Where atlases lie that nobody names by path.
public enum AtlasLocations {
    /// The atlases that the product carries the sources of.
    public enum BuiltIn: String, CaseIterable, Sendable {
        case towns = "Towns"
        case world = "World"

        /// Its path in the user's data folder, whether it has been made or not.
        public func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
            "\(AtlasLocations.folder(environment: environment))/\(rawValue).atlas"
        }
    }

    /// The user's data folder: `$XDG_DATA_HOME/sextant`, or below `~/.local/share`.
    public static func folder(environment: [String: String]) -> String {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/sextant" }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return home + "/.local/share/sextant"
    }

    /// Where metrics of wishes are kept from process to process, which anybody may delete: `metrics` below `$SEXTANT_CACHE`,
    /// `$XDG_CACHE_HOME/sextant` or `~/.cache/sextant`.
    public static func metricFolder(environment: [String: String]) -> String {
        if let own = environment["SEXTANT_CACHE"], own.hasPrefix("/") { return own + "/metrics" }
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/sextant/metrics" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.cache/sextant/metrics"
    }

    /// The paths that `SEXTANT_ATLAS` names, separated by colons; nil where it names none.
    public static func named(environment: [String: String]) -> [String]? {
        let paths = (environment["SEXTANT_ATLAS"] ?? "").split(separator: ":").map(String.init)
        return paths.isEmpty ? nil : paths
    }

    /// The built-in atlas that a word (`towns`, `world`) stands for; nil where a folder of that name is there.
    public static func builtIn(named word: String) -> BuiltIn? {
        guard !FileManager.default.fileExists(atPath: word) else { return nil }
        return BuiltIn.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
    }

    /// What is to be opened without making anything: the named atlases or else *Towns*, and *World* where it is there.
    static func choice(environment: [String: String]) throws -> (paths: [String], world: String?) {
        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        let worldPath = BuiltIn.world.path(environment: environment)
        let world = isThere(worldPath) ? worldPath : nil
        if let named = named(environment: environment) {
            let paths = named.map { builtIn(named: $0)?.path(environment: environment) ?? $0 }
            // The World named as an atlas of its own is not asked twice.
            return (paths.filter { $0 != world }, world)
        }
        let towns = BuiltIn.towns.path(environment: environment)
        let paths = isThere(towns) ? [towns] : []
        guard !paths.isEmpty || world != nil else { throw SextantError.noAtlas }
        return (paths, world)
    }
}
