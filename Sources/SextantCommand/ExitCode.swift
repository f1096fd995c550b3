/// What the command says to the shell that ran it. The numbers are documented and stay.
enum ExitCode: Int32, CaseIterable {
    case found = 0
    case nothingFound = 1
    case usage = 2
    case noRoute = 3
    case badAtlas = 4
    case unreadableInput = 5

    /// As the help puts it.
    var meaning: String {
        switch self {
        case .found: "found, done"
        case .nothingFound: "nothing found"
        case .usage: "the command was called in a wrong way"
        case .noRoute: "no route, or no road near a stop"
        case .badAtlas: "an atlas is missing, damaged, or cannot be written; or a picture or a table cannot be"
        case .unreadableInput: "a file to import, a table, or a line of input, cannot be read"
        }
    }
}
