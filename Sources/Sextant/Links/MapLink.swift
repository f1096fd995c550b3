import Foundation
import Geometry

/// A link to a map as a value: it shows places, searches, or asks for a way.
///
///     let link = MapLink(.route(from: nil, to: .text("Domkloster 4, Köln"), mode: .driving))
///     link.text  // https://maps.apple.com/?daddr=Domkloster%204%2C%20K%C3%B6ln&dirflg=d
///     try MapLink(reading: "maps.google.com/maps?saddr=60.17,24.94&daddr=Espoo").purpose
///
/// Read are the links of `maps.apple.com` in their older and present forms, those of `maps.google.*` and `google.*/maps`, the schemes `maps:` and
/// `comgooglemaps:`, and `geo:` (RFC 5870). A scheme may be missing. Written is the older form, which every reader knows.
public struct MapLink: Sendable, Equatable {
    /// A place by coordinate or by words.
    public enum Place: Sendable, Equatable {
        case coordinate(Coordinate)
        case text(String)
    }

    public enum Mode: String, Sendable, CaseIterable {
        case driving, walking, transit, cycling
    }

    /// The looks of a map. An atlas holds no photographs, so all are drawn alike.
    public enum Kind: String, Sendable, CaseIterable {
        case standard, satellite, hybrid, transit
    }

    /// Degrees from south to north and from west to east.
    public struct Span: Sendable, Equatable {
        public var latitude: Double
        public var longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    public enum Purpose: Sendable, Equatable {
        /// Shows the place, with the label beside it; the view alone where there is no place.
        case show(Place?, label: String? = nil)
        /// Looks for the words, around a place where one is named.
        case search(String, near: Place? = nil)
        /// The way from one place to another; from the current position where `from` is nil.
        case route(from: Place?, via: [Place] = [], to: Place, mode: Mode? = nil)
    }

    public var purpose: Purpose
    /// The middle of what is shown or searched.
    public var center: Coordinate?
    public var span: Span?
    /// 2 to 21: the level at which the world is 256 · 2^zoom pixels wide.
    public var zoom: Double?
    public var kind: Kind?
    /// What a way should keep off: `tolls`, `highways`, as the link names them.
    public var avoids: [String]

    public init(
        _ purpose: Purpose, center: Coordinate? = nil, span: Span? = nil, zoom: Double? = nil, kind: Kind? = nil,
        avoids: [String] = []
    ) {
        self.purpose = purpose
        self.center = center
        self.span = span
        self.zoom = zoom
        self.kind = kind
        self.avoids = avoids
    }
}

/// Why a text is no map link.
public struct MapLinkError: Error, Equatable, CustomStringConvertible {
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { "this is no map link: \(reason)" }
}

// MARK: - Writing

extension MapLink {
    /// The link, with every character escaped that has a meaning in links, and six places to each coordinate (11 cm).
    public var text: String {
        var pairs: [(String, String)] = []
        switch purpose {
        case .show(let place, let label):
            switch place {
            case .coordinate(let point): pairs.append(("ll", Self.text(point)))
            case .text(let address): pairs.append(("address", address))
            case nil: if let center { pairs.append(("ll", Self.text(center))) }
            }
            if let label { pairs.append(("q", label)) }
        case .search(let words, let near):
            pairs.append(("q", words))
            if let near { pairs.append(("near", Self.text(near))) }
            if let center { pairs.append(("sll", Self.text(center))) }
        case .route(let from, let via, let to, let mode):
            // The older form has no stops between.
            if !via.isEmpty || mode == .cycling { return directions(from, via, to, mode) }
            if let from { pairs.append(("saddr", Self.text(from))) }
            pairs.append(("daddr", Self.text(to)))
            switch mode {
            case .driving: pairs.append(("dirflg", "d"))
            case .walking: pairs.append(("dirflg", "w"))
            case .transit: pairs.append(("dirflg", "r"))
            case .cycling, nil: break
            }
        }
        if let span {
            var key = "spn"
            if case .search = purpose { key = "sspn" }
            pairs.append((key, Self.pair(span.latitude, span.longitude)))
        } else if let zoom {
            pairs.append(("z", Self.number(zoom)))
        }
        if let kind {
            pairs.append(("t", ["m", "k", "h", "r"][Kind.allCases.firstIndex(of: kind) ?? 0]))
        }
        return Self.link("https://maps.apple.com/", pairs)
    }

    /// `geo:60.170000,24.940000?z=15`, for a link that shows one coordinate; nil for others.
    public var geo: String? {
        guard case .show(.coordinate(let point)?, let label) = purpose else { return nil }
        var pairs: [(String, String)] = []
        if let zoom { pairs.append(("z", Self.number(zoom))) }
        if let label { pairs.append(("q", label)) }
        return Self.link("geo:" + Self.text(point), pairs)
    }

    private func directions(_ from: Place?, _ via: [Place], _ to: Place, _ mode: Mode?) -> String {
        var pairs: [(String, String)] = []
        if let from { pairs.append(("source", Self.text(from))) }
        for place in via { pairs.append(("waypoint", Self.text(place))) }
        pairs.append(("destination", Self.text(to)))
        if let mode { pairs.append(("mode", mode.rawValue)) }
        if !avoids.isEmpty { pairs.append(("avoid", avoids.joined(separator: ","))) }
        return Self.link("https://maps.apple.com/directions", pairs)
    }

    private static func link(_ base: String, _ pairs: [(String, String)]) -> String {
        guard !pairs.isEmpty else { return base }
        return base + "?" + pairs.map { "\($0.0)=\(escaped($0.1))" }.joined(separator: "&")
    }

    private static func text(_ place: Place) -> String {
        switch place {
        case .coordinate(let point): text(point)
        case .text(let words): words
        }
    }

    private static func text(_ point: Coordinate) -> String { pair(point.latitude, point.longitude) }

    private static func pair(_ a: Double, _ b: Double) -> String { String(format: "%.6f,%.6f", a, b) }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(format: "%.2f", value)
    }

    /// Escapes all but letters and digits of ASCII and `-._~` (RFC 3986, unreserved).
    static func escaped(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
