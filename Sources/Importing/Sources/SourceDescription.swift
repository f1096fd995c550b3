import Tables

/// What a person says of a file to import besides what it says itself.
public struct SourceDescription: Sendable, Equatable {
    /// What answers call the source; its file's name where nil.
    public var name: String?
    /// Under which licence the data is: `ODbL 1.0`, `CC0`; `unstatedLicence` where nil.
    public var licence: String?
    /// Whom to name beside the data; the name of the source where nil.
    public var attribution: String?
    /// For tables of addresses and points: which column holds what, by the words of `RegisterColumns.Field` or a key of
    /// OpenStreetMap. A column is called by its name or its number, from 1; `=TEXT` is the same text in all rows.
    public var columns: [String: String] = [:]
    /// The letters that a table is written in; where nil, UTF-8, or UTF-16 with its mark.
    public var encoding: TableEncoding?

    /// What answers say where nobody told the licence of a table.
    public static let unstatedLicence = "licence not stated"

    public init(
        name: String? = nil, licence: String? = nil, attribution: String? = nil, columns: [String: String] = [:],
        encoding: TableEncoding? = nil
    ) {
        self.name = name
        self.licence = licence
        self.attribution = attribution
        self.columns = columns
        self.encoding = encoding
    }
}
