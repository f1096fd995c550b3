import Geometry
import HTTPServer
import Routing

extension RoutingCase {
    /// The score of each judged query.
    func scores() throws -> [(Query, RoutingScore)] {
        let dialect = OSRMDialect(departure: departureUnix, router: Router(graph: try graph()))
        var scores: [(Query, RoutingScore)] = []
        for query in queries where query.expect.isJudged {
            guard let request = request(query) else { continue }
            scores.append(
                (query, RoutingScore(try RoutingAnswer(dialect.respond(to: request)), query.expect, in: self)))
        }
        return scores
    }

    /// A query as a request in OSRM's dialect; nil where it names a place that is not there.
    func request(_ query: Query) -> HTTPRequest? {
        let places = query.via.compactMap { place($0) }
        guard places.count == query.via.count else { return nil }
        let path = places.map { "\($0.longitude),\($0.latitude)" }.joined(separator: ";")
        var options: [(name: String, value: String)] = [
            ("steps", "true"), ("overview", "full"), ("geometries", "geojson"),
        ]
        for (name, value) in (query.options ?? [:]).sorted(by: { $0.key < $1.key }) { options.append((name, value)) }
        if let bearings = query.bearings {
            options.append(("bearings", bearings.map { $0 == "*" ? "" : $0 }.joined(separator: ";")))
        }
        if let approaches = query.approaches { options.append(("approaches", approaches.joined(separator: ";"))) }
        return HTTPRequest(path: "/route/v1/\(profile)/\(path)", query: options)
    }
}
