/// Roads as a graph in flat memory, mapped from a file or built in memory.
public final class RoadGraph: Sendable {
    init() {}

    /// Maps a file that `write(to:)` made. Costs next to nothing: pages are read when a route touches them.
    public static func open(path: String) throws(RoutingError) -> RoadGraph {
        throw RoutingError.fileError(file: path, reason: "cannot be opened")
    }

    /// Maps an open file; the descriptor may be closed afterwards.
    public static func open(fileDescriptor: Int32, name: String = "roads.graph") throws(RoutingError) -> RoadGraph {
        throw RoutingError.fileError(file: name, reason: "cannot be opened")
    }

    /// Writes the graph to a new file.
    public func write(to path: String) throws(RoutingError) {}
}
