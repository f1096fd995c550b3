import Cartography
import Foundation
import Gazetteer
import Geometry
import Sextant

/// `sextant map`
enum MapCommand {
    /// What the picture shows, as the arguments tell it.
    enum View: Equatable {
        case center(Coordinate, zoom: Double)
        case box(BoundingBox)
        case place(String)
        /// All pins.
        case pins
    }

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard let picture = try MapPicture("--output", arguments) else {
            throw UsageError("where should the map stand? -o FILE.png")
        }
        let pins = try arguments.all("--pin").map(pin)
        let view = try view(arguments, hasPins: !pins.isEmpty)
        var marks = MapMarks()
        marks.pins = pins
        let atlas = try AtlasChoice.open(arguments, console)
        switch view {
        case .center(let center, let zoom):
            try picture.write(atlas, picture.frame(center: center, zoom: zoom), marks, console)
        case .box(let box):
            try picture.write(atlas, picture.frame(fitting: box, padding: 0, maximumZoom: 19), marks, console)
        case .pins: try picture.write(atlas, around: marks, console)
        case .place(let name):
            let query = GeocodeQuery(name, languages: arguments.languages, limit: 5)
            let outlined = try atlas.area(named: name, languages: arguments.languages)
            guard let place = try atlas.geocode(query).places.first ?? outlined else {
                console.complain("nothing found for \"\(name)\"")
                return .nothingFound
            }
            PlaceList.sayCorrections(place.quality, console)
            let framing = try PlaceFraming(place, outlined: outlined, in: atlas)
            if framing.isPinned { marks.pins.insert(place.pin(), at: 0) }
            let fitted = try picture.frame(fitting: framing.box, maximumZoom: 18)
            let zoom = try arguments.numbers("--zoom", count: 1, form: "a number")?[0]
            let frame = try zoom.map { try picture.frame(center: fitted.center, zoom: $0) } ?? fitted
            try picture.write(atlas, frame, marks, console)
        }
        return .found
    }

    static func view(_ arguments: Arguments, hasPins: Bool) throws -> View {
        let place = arguments.words.joined(separator: " ").trimmed
        var given = ["--center", "--bbox"].filter { arguments.has($0) }
        if !place.isEmpty { given.append("\"\(place)\"") }
        if given.count > 1 { throw UsageError("\(given[0]) and \(given[1]) exclude each other") }
        let zoom = try arguments.numbers("--zoom", count: 1, form: "a number from 0 to 22")?[0]
        if let zoom, !(0...22).contains(zoom) { throw UsageError("--zoom wants a number from 0 to 22") }
        let span = try arguments.numbers("--span", count: 2, form: "LAT,LON in degrees, like 0.01,0.01")
        if zoom != nil, span != nil { throw UsageError("--zoom and --span exclude each other") }
        if span != nil, !arguments.has("--center") { throw UsageError("--span needs a point: --center LAT,LON") }
        if zoom != nil, !arguments.has("--center"), place.isEmpty {
            throw UsageError("--zoom needs a point or a place: --center LAT,LON")
        }
        if let text = arguments["--center"] {
            guard let center = try Arguments.coordinate(text) else {
                throw UsageError("--center wants LAT,LON, not \"\(text)\"")
            }
            if let span {
                guard span.allSatisfy({ $0 > 0 }), span[0] <= 180, span[1] <= 360 else {
                    throw UsageError("--span wants two sizes above 0 in degrees, like 0.01,0.01")
                }
                return .box(BoundingBox(center: center, height: span[0], width: span[1]))
            }
            return .center(center, zoom: zoom ?? 15)
        }
        if let box = try arguments.numbers("--bbox", count: 4, form: "W,S,E,N in degrees") {
            guard (-180...180).contains(box[0]), (-180...180).contains(box[2]), box[1] < box[3], box[1] >= -90,
                box[3] <= 90
            else { throw UsageError("--bbox wants W,S,E,N in degrees, south before north") }
            return .box(BoundingBox(west: box[0], south: box[1], east: box[2], north: box[3]))
        }
        if !place.isEmpty { return .place(place) }
        if hasPins { return .pins }
        throw UsageError("which part of the world? --center LAT,LON, --bbox W,S,E,N, --pin LAT,LON=TITLE, or a place")
    }

    /// `LAT,LON=Title`, or `LAT,LON` alone.
    static func pin(_ text: String) throws -> MapMarks.Pin {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let point = try Arguments.coordinate(parts[0]) else {
            throw UsageError("--pin wants LAT,LON=TITLE, not \"\(text)\"")
        }
        let title = parts.count > 1 ? parts[1].trimmed : ""
        return MapMarks.Pin(at: point, title: title.isEmpty ? nil : title)
    }
}

extension FoundPlace {
    /// Its pin on a map, with its name.
    func pin(_ form: MapMarks.Pin.Form = .pin, glyph: String? = nil) -> MapMarks.Pin {
        MapMarks.Pin(at: coordinate, form: form, title: name ?? addressLines.first, glyph: glyph)
    }
}

extension Arguments {
    /// So many places at most have pins with numbers on a map; more would hide each other, and are dots.
    static let mostNumbers = 25

    /// Whether the list of so many places is numbered, since the pins of its map are.
    func numbers(_ count: Int) -> Bool { has("--map") && (2...Self.mostNumbers).contains(count) }

    /// Pins with the numbers that the list has; dots for many places.
    static func pins(_ places: [FoundPlace]) -> [MapMarks.Pin] {
        if places.count > mostNumbers { return places.map { $0.pin(.dot) } }
        return places.enumerated().map { $1.pin(glyph: places.count > 1 ? "\($0 + 1)" : nil) }
    }

    /// Draws places for `--map`.
    func drawMap(of places: [FoundPlace], _ atlas: Atlas, _ console: Console) throws {
        guard let picture = try MapPicture("--map", self), !places.isEmpty else { return }
        var marks = MapMarks()
        marks.pins = Self.pins(places)
        try picture.write(atlas, around: marks, console)
    }
}
