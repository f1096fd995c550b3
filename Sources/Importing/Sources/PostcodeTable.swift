import Foundation
import Gazetteer
import Geometry

/// Reads GeoNames' postal codes of a country: 12 columns between tabs, one code and place a line, plain or compressed with
/// gzip.
///
/// The columns are country, code, name of the place, name and code of three levels of regions, latitude, longitude and
/// accuracy (https://download.geonames.org/export/zip/readme.txt). Lines that do not fit are left out and counted by reason,
/// with the first of them.
enum PostcodeTable {
    struct Result {
        /// Lines that hold something.
        var rows = 0
        var added = 0
        var skipped: [String: (count: Int, line: Int)] = [:]
    }

    /// Adds the codes to a gazetteer.
    ///
    /// - Parameter progress: told the share of the file that is read, now and then; throw to stop.
    /// - Throws: `ImportError` where no line holds a code, `TableError` for a file that cannot be read.
    static func add(
        path: String, to writer: GazetteerWriter, source: Int, progress: (Double) throws -> Void = { _ in }
    ) throws -> Result {
        var result = Result()
        var number = 0
        let file = try GzipFile(path: path)
        try GzipReader.forEachLine(of: file) { line in
            number += 1
            if number % 4096 == 0 { try progress(file.share) }
            var line = line
            if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) {
                line = UnsafeBufferPointer(rebasing: line.dropFirst(3))
            }
            guard line.contains(where: { $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }), line.first != 0x23 else { return }
            result.rows += 1
            switch code(line) {
            case .success(let code):
                writer.add(code, source: source)
                result.added += 1
            case .failure(let fault):
                result.skipped[fault.rawValue, default: (0, number)].count += 1
            }
        }
        if result.added == 0 {
            let first = result.skipped.min { $0.value.line < $1.value.line }
            throw ImportError.unclearFile(
                path,
                reason: first.map { "no line of it holds a postal code: \($0.key), as in line \($0.value.line)" }
                    ?? "it has no lines")
        }
        return result
    }

    enum Fault: String, Error {
        case columns = "line without 12 columns"
        case country = "line without a country of two letters"
        case code = "line without a postal code"
        case coordinates = "line with coordinates off the globe"
    }

    /// Reads one line.
    static func code(_ line: UnsafeBufferPointer<UInt8>) -> Swift.Result<OutsidePostcode, Fault> {
        var line = line
        if line.last == 0x0D { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
        let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
        guard fields.count == 12 else { return .failure(.columns) }
        func text(_ index: Int) -> String { TableText.clean(String(decoding: fields[index], as: UTF8.self)) }
        let country = text(0).lowercased()
        guard country.utf8.count == 2, country.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            return .failure(.country)
        }
        let code = text(1)
        guard !code.isEmpty, code.utf8.count <= 16, code.contains(where: { $0.isNumber || $0.isLetter }),
            !code.contains(where: { $0 == ";" || $0 == "," })
        else { return .failure(.code) }
        guard let latitude = Double(text(9)), let longitude = Double(text(10)) else { return .failure(.coordinates) }
        let location = Coordinate(latitude: latitude, longitude: longitude)
        guard location.isValid else { return .failure(.coordinates) }
        let place = text(2)
        return .success(
            OutsidePostcode(
                code: code, country: country, place: place.utf8.count <= 250 ? place : "", location: location,
                isWhole: !shortened.contains(country)))
    }

    /// Countries of which GeoNames has the beginnings of codes only, or a part of the codes.
    private static let shortened: Set<String> = [
        "ar", "br", "ca", "cl", "gb", "gg", "ie", "im", "je", "mt", "nl", "pe",
    ]
}
