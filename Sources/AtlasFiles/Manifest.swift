import Foundation

/// `manifest.json`: what an atlas is, where it came from, and the checksums of its files.
///
/// The file is UTF-8 JSON with sorted keys. `sha256` is the checksum of the manifest itself, taken with 64 zeros in its
/// place. A format with another number is refused; a reader of format n reads format n alone.
public struct Manifest: Sendable, Equatable, Codable {
    public static let format = 2
    public static let fileName = "manifest.json"

    public struct Source: Sendable, Equatable, Codable {
        public var name: String
        public var sha256: String
        /// ISO 8601, UTC: when the data was as it is in the source; nil where the source does not tell.
        public var timestamp: String?
        public var licence: String
        public var attribution: String
        public var coverage: Coverage
        /// What came of it, for one of several: `rows`, `kept` as features of their own, `folded` into what was there; nil
        /// where nothing was counted for it alone.
        public var counts: [String: Int]?

        public init(
            name: String, sha256: String, timestamp: String?, licence: String, attribution: String, coverage: Coverage,
            counts: [String: Int]? = nil
        ) {
            self.name = name
            self.sha256 = sha256
            self.timestamp = timestamp
            self.licence = licence
            self.attribution = attribution
            self.coverage = coverage
            self.counts = counts
        }
    }

    public struct File: Sendable, Equatable, Codable {
        public var size: Int
        public var sha256: String
    }

    /// The format's number.
    public var sextantAtlas = Manifest.format
    /// 32 hexadecimal digits that every file of the atlas carries.
    public var atlasID: String
    public var name: String
    /// ISO 8601, UTC.
    public var created: String
    public var importer: String
    public var sources: [Source]
    /// Numbers of features by kind, of edges, and so on.
    public var counts: [String: Int]
    /// What the importer left out, by reason.
    public var skipped: [String: Int]
    public var files: [String: File] = [:]
    public var sha256 = Manifest.zeros

    static let zeros = String(repeating: "0", count: 64)

    public init(
        atlasID: String, name: String, created: String, importer: String, sources: [Source], counts: [String: Int],
        skipped: [String: Int]
    ) {
        self.atlasID = atlasID
        self.name = name
        self.created = created
        self.importer = importer
        self.sources = sources
        self.counts = counts
        self.skipped = skipped
    }

    /// A fresh id from the system's random source.
    public static func newAtlasID() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: 0...255) } }

    public static func text(ofAtlasID id: [UInt8]) -> String {
        id.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// The file's bytes, with the checksum filled in.
    func encoded() throws -> [UInt8] {
        var plain = self
        plain.sha256 = Manifest.zeros
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(plain))
        let sum = SHA256.hash(bytes)
        return [UInt8](
            String(decoding: bytes, as: UTF8.self).replacing(Self.line(Manifest.zeros), with: Self.line(sum)).utf8)
    }

    /// The line of the manifest's own checksum. No text inside the manifest looks like it: line ends in texts are escaped,
    /// and the checksums of the files stand further in.
    private static func line(_ sum: String) -> String { "\n  \"sha256\" : \"\(sum)\"" }

    /// Reads the bytes, checks the format's number and the checksum.
    static func decode(_ bytes: [UInt8], path: String) throws -> Manifest {
        struct Head: Decodable { var sextantAtlas: Int }
        func damaged(_ reason: String) -> AtlasError { .damagedAtlas(file: path, reason: reason) }
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)) else {
            throw damaged("not a manifest")
        }
        if head.sextantAtlas > format { throw AtlasError.newerFormat(path, found: head.sextantAtlas, known: format) }
        if head.sextantAtlas < format { throw AtlasError.oldFormat(path, found: head.sextantAtlas, known: format) }
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)) else {
            throw damaged("fields are missing or of the wrong kind")
        }
        guard manifest.sha256.utf8.count == 64, manifest.sha256 != zeros else { throw damaged("no checksum") }
        let blank = String(decoding: bytes, as: UTF8.self).replacing(line(manifest.sha256), with: line(zeros))
        // Bytes that are not UTF-8 would be mended by the decoding: compare lengths as well.
        guard blank.utf8.count == bytes.count, SHA256.hash([UInt8](blank.utf8)) == manifest.sha256 else {
            throw damaged("its checksum does not fit its text")
        }
        return manifest
    }
}
