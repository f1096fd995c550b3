/// What `debug=1` shows: how the request was read and what was found, as a page for people.
enum DebugPage {
    static func response(_ endpoint: String, _ parameters: Parameters, _ results: [NominatimResult]) -> HTTPResponse {
        func row(_ cells: [String]) -> String {
            "<tr>" + cells.map { "<td>" + XMLText.escape($0) + "</td>" }.joined() + "</tr>\n"
        }
        var page =
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>\(endpoint)</title></head>\n"
        page += "<body>\n<h1>\(endpoint)</h1>\n<h2>Parameters</h2>\n<table>\n"
        for parameter in parameters.all.prefix(200) { page += row([parameter.name, parameter.value]) }
        page += "</table>\n<h2>Results</h2>\n<table>\n"
        for result in results {
            page += row([
                result.osm?.description ?? "", result.category + "=" + result.type, String(result.placeRank),
                "\(result.importance)", result.displayName,
            ])
        }
        page += "</table>\n</body></html>\n"
        return HTTPResponse(contentType: "text/html; charset=utf-8", body: Array(page.utf8))
    }
}
