import Foundation
import Testing

@testable import Sextant

@Suite struct ProcessAtlasTests {
    @Test func theNamedAtlasesComeBeforeThoseOfTheUsersFolder() throws {
        let room = try Room()
        func environment(_ named: String?) -> [String: String] {
            var result = ["XDG_DATA_HOME": room.path]
            result["SEXTANT_ATLAS"] = named
            return result
        }
        let folder = room.path + "/sextant"
        // Nothing is there, and nothing is made.
        #expect(throws: SextantError.noAtlas) { try AtlasLocations.choice(environment: environment(nil)) }
        #expect(throws: SextantError.noAtlas) { try AtlasLocations.choice(environment: environment("")) }
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try AtlasLocations.choice(environment: environment("/a:/b")).paths == ["/a", "/b"])

        try FileManager.default.createDirectory(
            atPath: folder + "/World.atlas", withIntermediateDirectories: true)
        let worldAlone = try AtlasLocations.choice(environment: environment(nil))
        #expect(worldAlone.paths.isEmpty && worldAlone.world == folder + "/World.atlas")
        try FileManager.default.createDirectory(
            atPath: folder + "/Towns.atlas", withIntermediateDirectories: true)
        #expect(try AtlasLocations.choice(environment: environment(nil)).paths == [folder + "/Towns.atlas"])
        // The World lies beneath named ones too, and is not asked twice where it is named itself.
        let named = try AtlasLocations.choice(environment: environment("/a:world:towns"))
        #expect(named.paths == ["/a", folder + "/Towns.atlas"] && named.world == folder + "/World.atlas")
    }
}
