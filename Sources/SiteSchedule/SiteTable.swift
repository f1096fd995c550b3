import MapKit

/// A building site as it stands in the table.
struct Site: Sendable {
    var name: String
    var street = ""
    var postcode = ""
    var city = ""
    /// A code of two letters, or a name.
    var country = ""
    /// Nil until it is known.
    var coordinate: CLLocationCoordinate2D?
    /// What the cells of the coordinate hold where that is none: they are the user's, and are left as they are.
    var unreadableCoordinate: String?

    /// The house number in the line of the street, at its end or its beginning: digits and one letter more at most.
    var houseNumber: String? {
        let words = street.split { $0.isWhitespace || $0 == "," }
        guard words.count > 1 else { return nil }
        for word in [words[words.count - 1], words[0]] {
            let letters = word.filter(\.isLetter).count
            if word.first?.isNumber == true, letters < 2 { return String(word) }
        }
        return nil
    }

    /// The address under the keys that a geocoder reads.
    var addressDictionary: [AnyHashable: Any] {
        var keys = ["Street": street, "ZIP": postcode, "City": city]
        keys[country.count == 2 ? "CountryCode" : "Country"] = country
        return keys.filter { !$0.value.isEmpty }
    }

    /// The address on one line.
    var address: String {
        [street, [postcode, city].filter { !$0.isEmpty }.joined(separator: " "), country]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// A table of sites in a file: the first line names the columns, which commas, semicolons or tabs part.
///
/// What is not a site's own (other columns, quotes, line ends) is kept as it is. Only empty cells of coordinates that were
/// found are written, so a table in which nothing was found is written back byte by byte.
struct SiteTable: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static let columns = ["name", "street", "postcode", "city", "country", "latitude", "longitude"]

    private static let addressColumns = ["street", "postcode", "city", "country"]

    private(set) var sites: [Site] = []
    /// The bytes that were read, by which `save` knows whether the file is still the one that was read.
    let original: Data
    /// A byte order mark, which belongs to no cell.
    private let mark: String
    private var lines: [Line] = []
    /// The line of each site.
    private var lineOfSite: [Int] = []
    private var indexes: [String: Int] = [:]
    private let separator: Unicode.Scalar

    init(contentsOf url: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw Failure(description: "\(url.path) cannot be read: \(error.localizedDescription)")
        }
        // Foundation's own reading drops a byte order mark, without which spreadsheets take the text for another encoding.
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Failure(description: "\(url.path) is no text in UTF-8")
        }
        try self.init(text, original: data)
    }

    init(_ text: String) throws { try self.init(text, original: Data(text.utf8)) }

    private init(_ text: String, original: Data) throws {
        self.original = original
        mark = text.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
        let cells = String(text.unicodeScalars.dropFirst(mark.isEmpty ? 0 : 1))
        separator = Self.separator(of: cells)
        lines = try Self.split(cells, separator)
        guard let first = lines.first else { return }
        for (index, cell) in first.cells.enumerated() {
            let column = Self.plain(cell).lowercased()
            if indexes[column] == nil { indexes[column] = index }
        }
        guard indexes["name"] != nil else {
            throw Failure(
                description:
                    "the first line names no column \"name\"; the columns are \(Self.columns.joined(separator: ", "))")
        }
        addMissingColumns()
        for (number, line) in lines.enumerated().dropFirst() where !line.cells.allSatisfy({ Self.plain($0).isEmpty }) {
            sites.append(site(in: line))
            lineOfSite.append(number)
        }
    }

    /// New columns stand behind the longest line, where no cell is anybody's.
    private mutating func addMissingColumns() {
        for column in ["latitude", "longitude"] where indexes[column] == nil {
            let index = lines.map(\.cells.count).max() ?? 0
            lines[0].cells += Array(repeating: "", count: index - lines[0].cells.count) + [column]
            indexes[column] = index
        }
    }

    private func site(in line: Line) -> Site {
        func cell(_ column: String) -> String {
            guard let index = indexes[column], index < line.cells.count else { return "" }
            return Self.plain(line.cells[index])
        }
        var site = Site(name: cell("name"))
        site.street = cell("street")
        site.postcode = cell("postcode")
        site.city = cell("city")
        site.country = cell("country")
        let written = [cell("latitude"), cell("longitude")]
        if let latitude = degrees(written[0]), let longitude = degrees(written[1]) {
            let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            if CLLocationCoordinate2DIsValid(coordinate) { site.coordinate = coordinate }
        }
        if site.coordinate == nil, written.contains(where: { !$0.isEmpty }) {
            site.unreadableCoordinate = written.map { $0.isEmpty ? "-" : $0 }.joined(separator: "; ")
        }
        return site
    }

    /// A decimal comma is read where commas do not part the cells.
    private func degrees(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ "+-.,eE0123456789".utf8.contains($0) }) else { return nil }
        return Double(separator == "," ? text : text.replacingOccurrences(of: ",", with: "."))
    }

    /// Whether the table has a column with a part of an address.
    var hasAddresses: Bool { Self.addressColumns.contains { indexes[$0] != nil } }

    /// Keeps what was found for a site.
    mutating func locate(_ index: Int, at coordinate: CLLocationCoordinate2D) {
        sites[index].coordinate = coordinate
        let line = lineOfSite[index]
        for (column, value) in [("latitude", coordinate.latitude), ("longitude", coordinate.longitude)] {
            guard let cell = indexes[column] else { continue }
            while lines[line].cells.count <= cell { lines[line].cells.append("") }
            lines[line].cells[cell] = String(format: "%.6f", value)
        }
    }

    /// Puts a site on the map, but not into the table.
    mutating func show(_ index: Int, at coordinate: CLLocationCoordinate2D) { sites[index].coordinate = coordinate }

    /// The table as it is written to a file.
    var text: String {
        mark + lines.map { $0.cells.joined(separator: String(separator)) + $0.end }.joined()
    }
}
