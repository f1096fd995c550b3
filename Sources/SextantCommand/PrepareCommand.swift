import Routing
import Sextant

/// `sextant prepare`
enum PrepareCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard !arguments.words.isEmpty else {
            throw UsageError("which atlas? sextant prepare NAME.atlas --exclude toll,motorway")
        }
        let wishes = try WishOptions.wishes(arguments)
        guard !wishes.isEmpty else {
            throw UsageError("what is wished? Without --exclude, --avoid, a size or --speeds all is prepared already")
        }
        let profile = try RouteCommand.profile(arguments)
        for path in arguments.words {
            let atlas = try Atlas.open([path])
            guard let router = atlas.parts.first?.router else { throw SextantError.noRoads }
            guard let metric = try router.prepare(profile, wishes: wishes) else { throw SextantError.noRoads }
            console.print("\(path): \(sizeText(metric.byteCount)) prepared for \(profile)")
            if let speeds = wishes.speeds, metric.matchedSpeeds < speeds.segments.count {
                console.say(
                    "\(speeds.segments.count - metric.matchedSpeeds) of \(speeds.segments.count) speeds are of no road "
                        + "that a \(profile) may use there")
            }
            guard let folder = router.cache.folder, router.cache.isKept(metric) else {
                console.complain(
                    "nothing could be kept in \(router.cache.folder ?? "a cache folder, since there is none"): is there "
                        + "room, and may you write there? SEXTANT_CACHE names another folder")
                return .badAtlas
            }
            console.say("Kept in \(folder).")
        }
        return .found
    }
}
