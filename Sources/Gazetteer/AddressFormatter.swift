import Foundation
import GazetteerData

/// Writes postal addresses as the country of the address does: number before or after the street, postcode before or
/// after the town, a line for each part.
///
///     let formatter = try AddressFormatter.shared
///     formatter.lines(try gazetteer.address(of: feature), name: feature.name)
///     // ["Café Amadé", "Städtle 13", "9490 Vaduz", "Liechtenstein"]
public struct AddressFormatter: Sendable {
    private enum Piece: Sendable, Equatable {
        case text(String)
        case part(String)
    }

    private let formats: [String: [[Piece]]]

    /// With the formats that came with the program. Throws where the resource cannot be found or read.
    public static var shared: AddressFormatter { get throws { try bundled.get() } }

    private static let bundled: Result<AddressFormatter, any Error> = Result {
        AddressFormatter(
            formats: try String(contentsOf: GazetteerData.url("lexicons/address-formats.tsv"), encoding: .utf8))
    }

    /// Reads lines of `country TAB format`, where `*` stands for all countries without a line, `|` parts lines and
    /// `{street}` stands for a part. `#` begins a comment.
    public init(formats text: String) {
        var formats: [String: [[Piece]]] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            guard columns.count == 2 else { continue }
            formats[String(columns[0])] = columns[1].split(separator: "|").map { Self.pieces($0) }
        }
        self.formats = formats
    }

    private static func pieces(_ template: Substring) -> [Piece] {
        var result: [Piece] = []
        var rest = template
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { result.append(.text(String(rest[..<open]))) }
            let after = rest.index(after: open)
            guard let close = rest[after...].firstIndex(of: "}") else { break }
            result.append(.part(String(rest[after..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { result.append(.text(String(rest))) }
        return result
    }

    /// The lines of the address; empty where it has no part that a postal address names.
    ///
    /// - Parameter name: who or what stands in the first line; nil for none.
    public func lines(_ address: AddressParts, name: String? = nil) -> [String] {
        let format = formats[address.countryCode ?? "*"] ?? formats["*"] ?? []
        var result: [String] = []
        for pieces in format {
            var line = ""
            var pending = ""
            for piece in pieces {
                switch piece {
                case .text(let text): pending = line.isEmpty ? "" : pending + text
                case .part(let part):
                    guard let value = value(of: part, in: address, name: name), !value.isEmpty else {
                        if pending != " " { pending = line.isEmpty ? "" : pending }
                        continue
                    }
                    line += (line.isEmpty ? "" : Self.separator(pending)) + value
                    pending = ""
                }
            }
            if !line.isEmpty, result.last != line { result.append(line) }
        }
        return result
    }

    /// All in one line: `Städtle 13, 9490 Vaduz, Liechtenstein`.
    public func line(_ address: AddressParts, name: String? = nil) -> String {
        lines(address, name: name).joined(separator: ", ")
    }

    /// What stood between two parts when those between them are missing: the first separator that is more than a space.
    private static func separator(_ pending: String) -> String {
        let trimmed = pending.trimmingCharacters(in: .whitespaces)
        guard !trimmed.isEmpty else { return " " }
        if trimmed.hasPrefix(",") { return ", " }
        return pending
    }

    private func value(of part: String, in address: AddressParts, name: String?) -> String? {
        switch part {
        case "name": name
        case "street":
            address.street ?? address["place"] ?? (address.houseNumber == nil ? nil : address.suburb ?? address.city)
        case "number": address.houseNumber
        case "suburb": address.suburb
        case "city": address.city ?? address["suburb"]
        case "state": address.state
        case "code": address["state_code"] ?? address.state
        case "postcode": address.postcode
        case "country": address.country
        default: address[part]
        }
    }
}
