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
/// What is not a site's own (other columns, quotes, line ends) is kept as it is. Only the cells of coordinates that were
/// found are written, so a table in which nothing was found is written back byte by byte.
struct SiteTable: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static let columns = ["name", "street", "postcode", "city", "country", "latitude", "longitude"]

    private static let addressColumns = ["street", "postcode", "city", "country"]

    private(set) var sites: [Site] = []
    /// The cells of each line as they are written, and how the line ends. Empty lines have no cells.
    private var lines: [(cells: [String], end: String)] = []
    /// The line of each site.
    private var lineOfSite: [Int] = []
    private var indexes: [String: Int] = [:]
    private var separator: Character = ","

    init(contentsOf url: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw Failure(description: "\(url.path) cannot be read: \(error.localizedDescription)")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(description: "\(url.path) is no text in UTF-8")
        }
        try self.init(text)
    }

    init(_ text: String) throws {
        let header = text.prefix { !$0.isNewline }
        separator = ["\t", ";"].first { header.contains($0) } ?? ","
        lines = Self.split(text, separator)
        guard let first = lines.first, !first.cells.isEmpty else { return }
        for (index, cell) in first.cells.enumerated() {
            let column = Self.plain(cell).trimmingCharacters(in: CharacterSet(charactersIn: " \u{FEFF}")).lowercased()
            if indexes[column] == nil { indexes[column] = index }
        }
        guard indexes["name"] != nil else {
            throw Failure(
                description:
                    "the first line names no column \"name\"; the columns are \(Self.columns.joined(separator: ", "))")
        }
        for column in ["latitude", "longitude"] where indexes[column] == nil {
            indexes[column] = lines[0].cells.count
            lines[0].cells.append(column)
        }
        for (number, line) in lines.enumerated().dropFirst() where !line.cells.allSatisfy({ Self.plain($0).isEmpty }) {
            func cell(_ column: String) -> String {
                guard let index = indexes[column], index < line.cells.count else { return "" }
                return Self.plain(line.cells[index]).trimmingCharacters(in: .whitespaces)
            }
            var site = Site(name: cell("name"))
            site.street = cell("street")
            site.postcode = cell("postcode")
            site.city = cell("city")
            site.country = cell("country")
            if let latitude = Double(cell("latitude")), let longitude = Double(cell("longitude")) {
                let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
                if CLLocationCoordinate2DIsValid(coordinate) { site.coordinate = coordinate }
            }
            sites.append(site)
            lineOfSite.append(number)
        }
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
        lines.map { $0.cells.joined(separator: String(separator)) + $0.end }.joined()
    }

    /// Writes the table in one step: where that fails, the old file is whole.
    func save(to url: URL) throws {
        do { try Data(text.utf8).write(to: url, options: .atomic) } catch {
            throw Failure(
                description: "\(url.path) could not be saved and is as it was: \(error.localizedDescription)")
        }
    }

    // MARK: - Cells

    /// Cells as they are written; a quoted one may hold separators and line ends.
    private static func split(_ text: String, _ separator: Character) -> [(cells: [String], end: String)] {
        var result: [(cells: [String], end: String)] = []
        var cells: [String] = []
        var cell = ""
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character == separator {
                cells.append(cell)
                cell = ""
            } else if !isQuoted, character.isNewline {
                result.append((cells + [cell], String(character)))
                cells = []
                cell = ""
            } else {
                cell.append(character)
            }
        }
        if !cells.isEmpty || !cell.isEmpty { result.append((cells + [cell], "")) }
        return result
    }

    /// What a cell means: without its quotes.
    private static func plain(_ cell: String) -> String {
        guard cell.count >= 2, cell.hasPrefix("\""), cell.hasSuffix("\"") else { return cell }
        return cell.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
    }
}
