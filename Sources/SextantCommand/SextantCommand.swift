import Foundation
import Importing
import Routing
import Sextant
import Tables

/// `sextant`: the command.
@main struct SextantCommand {
    static func main() {
        // A reader that closes the pipe is told by `write`, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is an error like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs the command with these arguments, writes its answer, and gives the exit code.
    static func run(_ arguments: [String]) -> ExitCode {
        var console = Console()
        var asked: Subcommand?
        do {
            guard let name = arguments.first else {
                Console.write(Help.overview + "\n", to: 2)
                return .usage
            }
            let rest = Array(arguments.dropFirst())
            switch name {
            case "help", "--help", "-h":
                guard let topic = rest.first else {
                    console.print(Help.overview)
                    return .found
                }
                console.print(Help.page(try subcommand(topic)))
                return .found
            case "version", "--version":
                console.print("sextant \(sextantVersion)")
                return .found
            default: break
            }
            let command = try subcommand(name)
            asked = command
            let parsed = try Arguments(rest, options: command.options)
            if parsed.has("--help") {
                console.print(Help.page(command))
                return .found
            }
            console.isQuiet = parsed.has("--quiet")
            return try run(command, parsed, console)
        } catch let error as UsageError {
            console.complain(error.description)
            Console.write("  try: sextant help\(asked.map { " " + $0.name } ?? "")\n", to: 2)
            return .usage
        } catch let error as Interrupted {
            console.complain(error.message)
            // Whoever waits for this program learns that a signal ended it.
            signal(error.signal, SIG_DFL)
            kill(getpid(), error.signal)
            return .nothingFound
        } catch {
            console.complain("\(error)")
            return code(for: error)
        }
    }

    private static func subcommand(_ name: String) throws -> Subcommand {
        if let known = Subcommand.all.first(where: { $0.name == name }) { return known }
        let near = Subcommand.all.map { ($0.name, editDistance(name, $0.name)) }.min { $0.1 < $1.1 }
        if let near, near.1 <= 2 {
            throw UsageError("there is no command \"\(name)\"; did you mean \(near.0)?")
        }
        throw UsageError("there is no command \"\(name)\"")
    }

    private static func run(_ command: Subcommand, _ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let forms = ["--json", "--ndjson", "--geojson", "--gpx"].filter { arguments.has($0) }
        if forms.count > 1 { throw UsageError("\(forms[0]) and \(forms[1]) exclude each other") }
        // A wrong picture is told before the work begins.
        _ = try MapPicture("--map", arguments)
        switch command.name {
        case "demo": return try DemoCommand.run(arguments, console)
        case "geocode": return try GeocodeCommand.run(arguments, console)
        case "complete": return try CompleteCommand.run(arguments, console)
        case "reverse": return try ReverseCommand.run(arguments, console)
        case "search": return try SearchCommand.run(arguments, console)
        case "route": return try RouteCommand.run(arguments, console)
        case "map": return try MapCommand.run(arguments, console)
        case "open": return try OpenCommand.run(arguments, console)
        case "link": return try LinkCommand.run(arguments, console)
        case "format-address": return try FormatAddressCommand.run(arguments, console)
        case "import": return try ImportCommand.run(arguments, console)
        case "prepare": return try PrepareCommand.run(arguments, console)
        case "info": return try InfoCommand.run(arguments, console)
        case "serve": return try ServeCommand.run(arguments, console)
        default: throw UsageError("there is no command \"\(command.name)\"")
        }
    }

    /// The exit code for an error that a command threw.
    static func code(for error: any Error) -> ExitCode {
        switch error {
        case is UsageError: .usage
        case ImportError.nothingToImport: .usage
        case is ImportError, is TableError, is TableFault: .unreadableInput
        case is SextantError: .noRoute
        case RoutingError.damagedAtlas, RoutingError.unsupportedVersion, RoutingError.fileError: .badAtlas
        case is RoutingError: .noRoute
        default: .badAtlas
        }
    }
}
