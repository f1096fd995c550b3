/// Finds ways over a road graph.
///
/// Safe to use from many tasks at once; search memory comes from a small pool.
public final class Router: Sendable {
    public let graph: RoadGraph

    public init(graph: RoadGraph) {
        self.graph = graph
    }

    /// The cheapest way through the stops of `request`, in order.
    ///
    /// - Throws: `RoutingError`.
    public func route(_ request: RouteRequest) throws(RoutingError) -> FoundRoute {
        throw RoutingError.noRoute(from: 0, to: 1, reason: .notConnected)
    }
}
