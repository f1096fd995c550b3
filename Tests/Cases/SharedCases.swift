import Foundation
import Testing

/// The shared folder of cases and data: `SEXTANT_SHARED`, else `../shared` beside the package.
enum Shared {
    static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["SEXTANT_SHARED"]
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let url =
            named.map { URL(fileURLWithPath: $0) }
            ?? package.deletingLastPathComponent().appendingPathComponent("shared")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }()

    /// The file at a path in the folder; nil, with a line that says so, where it is absent. Where `SEXTANT_CASES_REQUIRED`
    /// is 1, an absent file is a failure of the test.
    static func file(_ path: String) -> URL? {
        guard let url = folder?.appendingPathComponent(path), FileManager.default.fileExists(atPath: url.path) else {
            if ProcessInfo.processInfo.environment["SEXTANT_CASES_REQUIRED"] == "1" {
                Issue.record("../shared/\(path) is absent (SEXTANT_SHARED may name the folder)")
            }
            print("skipped: ../shared/\(path) is absent (SEXTANT_SHARED may name the folder)")
            return nil
        }
        return url
    }

    /// Where failures are written to, from `SEXTANT_CASES_REPORT`.
    static func report(_ name: String, _ lines: [String]) {
        guard let folder = ProcessInfo.processInfo.environment["SEXTANT_CASES_REPORT"] else { return }
        let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    }
}

/// A JSON value with what the cases need of it.
enum Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Value])
    case object([String: Value])

    init(_ any: Any) {
        switch any {
        case let text as String: self = .text(text)
        case let number as NSNumber:
            if isBoolean(number) { self = .bool(number.boolValue) } else { self = .number(number.doubleValue) }
        case let list as [Any]: self = .list(list.map(Value.init))
        case let object as [String: Any]: self = .object(object.mapValues(Value.init))
        default: self = .null
        }
    }

    init(json data: Data) throws { self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) }

    subscript(key: String) -> Value? {
        if case .object(let object) = self { return object[key] }
        return nil
    }

    var list: [Value] {
        if case .list(let list) = self { return list }
        return []
    }

    var object: [String: Value] {
        if case .object(let object) = self { return object }
        return [:]
    }

    var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number):
            number == number.rounded() && number.magnitude < 1e15 ? String(Int(number)) : "\(number)"
        case .bool(let bool): bool ? "true" : "false"
        default: nil
        }
    }

    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text)
        default: nil
        }
    }

    /// nil, null, and empty texts, lists and objects.
    static func isEmpty(_ value: Value?) -> Bool {
        switch value {
        case nil, .null: true
        case .text(let text): text.isEmpty
        case .list(let list): list.isEmpty
        case .object(let object): object.isEmpty
        default: false
        }
    }

    /// Follows a path such as `address/road` or `entrances/0/type`.
    func at(_ path: String) -> Value? {
        var value: Value? = self
        for part in path.split(separator: "/") {
            if let list = value?.list, let index = Int(part), list.indices.contains(index) {
                value = list[index]
            } else {
                value = value?[String(part)]
            }
        }
        return value
    }
}

private func isBoolean(_ number: NSNumber) -> Bool {
    let type = String(cString: number.objCType)
    return type == "c" || type == "B"
}

enum SharedCases {
    /// A file below the folder `cases`; nil where it is absent.
    static func data(_ path: String) -> Data? { Shared.file("cases/\(path)").flatMap { try? Data(contentsOf: $0) } }
}
