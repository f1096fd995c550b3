import Sextant
import Testing

@testable import SextantCommand

@Suite struct LinkTests {
    private func link(_ arguments: String...) throws -> String {
        try LinkCommand.link(Arguments(arguments, options: Subcommand.link.options)).text
    }

    @Test func linksAreWrittenAsTheArgumentsSay() throws {
        #expect(
            try link("43.7394,7.4275", "--label", "Casino")
                == "https://maps.apple.com/?ll=43.739400%2C7.427500&q=Casino")
        #expect(try link("--search", "pizza", "Monaco") == "https://maps.apple.com/?q=pizza&near=Monaco")
        #expect(
            try link("--to", "Stockmann, Helsinki", "--mode", "walking")
                == "https://maps.apple.com/?daddr=Stockmann%2C%20Helsinki&dirflg=w")
        #expect(try link("Monaco", "--zoom", "12") == "https://maps.apple.com/?address=Monaco&z=12")
    }

    @Test func whatMakesNoLinkIsRefused() {
        #expect(throws: UsageError.self) { try link() }
        #expect(throws: UsageError.self) { try link("91,0") }
        #expect(throws: UsageError.self) { try link("--to", "A", "--mode", "flying") }
        #expect(throws: UsageError.self) { try link("B", "--to", "A") }
        #expect(throws: UsageError.self) { try link("A", "--zoom", "99") }
        #expect(throws: UsageError.self) { try link("--search", " ") }
        #expect(throws: UsageError.self) { try link("60,24", "--span", "1e-7,1e-7") }
        #expect(throws: UsageError("this is no map link: it has no host")) { try OpenCommand.read("") }
    }

    @Test func aCommandThatIsToldCanBeTypedWithoutHarm() {
        #expect(OpenCommand.shellWord("Stockmann, Helsinki") == "\"Stockmann, Helsinki\"")
        #expect(OpenCommand.shellWord("--pin=60.170000,24.940000=Café") == "--pin=60.170000,24.940000=Café")
        #expect(OpenCommand.shellWord("$(id); rm \"x\"") == "'$(id); rm \"x\"'")
        #expect(OpenCommand.shellWord("it's\n= sextant demo") == "'it'\\''s = sextant demo'")
        #expect(OpenCommand.shellWord("") == "''")
    }
}
