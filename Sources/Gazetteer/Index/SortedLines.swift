/// Lines of text in the order of their bytes, each a key, a tab and what belongs to it, in one piece of memory.
struct SortedLines: Sendable {
    private let bytes: [UInt8]
    /// Where each line begins, and where the last one ends.
    private let starts: [Int32]

    /// - Parameter bytes: lines as `text` gives them; those of another order are not found.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        var starts: [Int32] = []
        var start = 0
        while start < bytes.count {
            starts.append(Int32(clamping: start))
            start = (bytes[start...].firstIndex(of: Self.lineEnd) ?? bytes.count) + 1
        }
        starts.append(Int32(clamping: bytes.count + (bytes.last == Self.lineEnd ? 0 : 1)))
        self.starts = starts
    }

    private static let lineEnd = UInt8(ascii: "\n")
    private static let tab = UInt8(ascii: "\t")

    /// The bytes of lines with these keys and contents. Neither may hold line ends, nor keys tabs.
    static func bytes(of lines: [(key: String, content: String)]) -> [UInt8] {
        let sorted = lines.map { Array("\($0.key)\t\($0.content)\n".utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        return Array(sorted.joined())
    }

    private var count: Int { starts.count - 1 }

    private func line(_ index: Int) -> ArraySlice<UInt8> {
        let start = min(Int(starts[index]), bytes.count)
        return bytes[start..<max(start, min(Int(starts[index + 1]) - 1, bytes.count))]
    }

    /// The first line that does not precede `begin`.
    private func firstLine(from begin: [UInt8]) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if line(middle).lexicographicallyPrecedes(begin) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What belongs to `key`, one text a line.
    func contents(of key: String) -> [String] {
        let begin = Array(key.utf8) + [Self.tab]
        var result: [String] = []
        var index = firstLine(from: begin)
        while index < count, case let line = line(index), line.starts(with: begin) {
            result.append(String(decoding: line.dropFirst(begin.count), as: UTF8.self))
            index += 1
        }
        return result
    }

    /// The first that belongs to `key`.
    func content(of key: String) -> String? {
        let begin = Array(key.utf8) + [Self.tab]
        let index = firstLine(from: begin)
        guard index < count, case let line = line(index), line.starts(with: begin) else { return nil }
        return String(decoding: line.dropFirst(begin.count), as: UTF8.self)
    }

    /// Keys that begin so, with what belongs to them, where that begins with one of `contents`; nil takes all.
    func forEach(
        beginning start: String, contents: [String]? = nil, _ body: (_ key: Substring, _ content: Substring) -> Void
    ) {
        let begin = Array(start.utf8)
        let wanted = contents?.map { Array($0.utf8) }
        var index = firstLine(from: begin)
        while index < count, case let line = line(index), line.starts(with: begin) {
            index += 1
            guard let tab = line.firstIndex(of: Self.tab), case let content = line[(tab + 1)...],
                wanted?.contains(where: { content.starts(with: $0) }) ?? true
            else { continue }
            let text = String(decoding: line, as: UTF8.self)
            if let tab = text.firstIndex(of: "\t") { body(text[..<tab], text[text.index(after: tab)...]) }
        }
    }
}
