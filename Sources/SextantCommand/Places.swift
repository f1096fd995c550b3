import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import PhoneNumbers
import Sextant

extension FoundPlace {
    /// What it is, in a word or two: `restaurant`, `address`, `street`, `country`.
    var kindText: String {
        if isIntersection { return "intersection" }
        switch feature.kind {
        case .country: return "country"
        case .region: return "region"
        case .county: return "county"
        case .municipality: return "municipality"
        case .street: return "street"
        case .address, .interpolation: return "address"
        case .postcode: return "postcode"
        case .timeZone: return "time zone"
        default: break
        }
        let word = feature.type == "yes" ? feature.category : feature.type
        return word.replacingOccurrences(of: "_", with: " ")
    }

    /// The phone numbers in international form.
    var phoneText: String? { phone.map { PhoneNumbers.international($0, country: feature.country) } }

    /// The object in OpenStreetMap as its web page is called, `way/123`; or the number in GeoNames.
    var idText: String {
        feature.osm.map { Self.idText($0) } ?? feature.sourceNumber.map { "geonames/\($0)" } ?? ""
    }

    private static func idText(_ osm: OSMID) -> String {
        let type =
            switch osm.type {
            case .node: "node"
            case .way: "way"
            case .relation: "relation"
            }
        return "\(type)/\(osm.number)"
    }

    /// How well it matched: `100 %, house`.
    var matchText: String {
        guard let quality else { return "" }
        var text = "\(Int((min(max(quality.score, 0), 1) * 100).rounded())) %"
        text += ", " + (quality.precision == .pointOfInterest ? "place of interest" : quality.precision.rawValue)
        for correction in quality.corrections { text += ", \"\(correction.written)\" read as \"\(correction.read)\"" }
        if !quality.unmatched.isEmpty { text += ", without \(quality.unmatched.joined(separator: " "))" }
        return text
    }

    /// The address in one line, the country left out.
    var shortAddress: String {
        var lines = addressLines
        if lines.count > 1, lines.last == address.country { lines.removeLast() }
        return lines.joined(separator: ", ")
    }

    private var hasExtent: Bool {
        feature.boundingBox.west != feature.boundingBox.east || feature.boundingBox.south != feature.boundingBox.north
    }

    var boxText: String {
        let box = feature.boundingBox
        return [box.west, box.south, box.east, box.north].map { decimalText($0, places: 6) }.joined(separator: ",")
    }

    /// The facts one below the other, the title first, after its number where it has one.
    func card(_ console: Console, number: Int? = nil) -> [String] {
        var table = Table([.left, .left], indent: 2)
        func add(_ label: String, _ value: String?) {
            if let value, !value.isEmpty { table.add(label, value) }
        }
        add("kind", kindText)
        add("coordinates", coordinateText(coordinate))
        if hasExtent { add("box", boxText) }
        if let distance { add("distance", distanceText(distance)) }
        if let nearestTown { add("near", "\(nearestTown.name), \(distanceText(nearestTown.distance))") }
        add("phone", phoneText)
        add("website", website)
        add("hours", [hours?.text, openingHours].compactMap { $0 }.joined(separator: "; "))
        add("cuisine", cuisine)
        add("wheelchair", wheelchair)
        if let population = feature.population { add("people", countText(population)) }
        add("time zone", feature.tags["timezone"])
        add("id", idText)
        add("match", matchText)
        let heading = title.isEmpty ? (feature.name ?? kindText) : title
        return [console.strong(number.map { "\($0). \(heading)" } ?? heading)] + table.lines
    }

    /// The facts for programs.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("kind", isIntersection ? "intersection" : "\(feature.kind)")
            json.member("category", feature.category)
            json.member("type", feature.type)
            json.member("title", title)
            json.key("addressLines")
            json.array { array in for line in addressLines { array.string(line) } }
            json.key("address")
            json.object { object in
                var seen: Set<String> = []
                for part in address.parts where seen.insert(part.label).inserted {
                    object.member(part.label, part.name)
                }
            }
            json.member("latitude", coordinate.latitude, decimals: 7)
            json.member("longitude", coordinate.longitude, decimals: 7)
            json.key("boundingBox")
            json.array { array in
                let box = feature.boundingBox
                for side in [box.west, box.south, box.east, box.north] { array.number(side, decimals: 7) }
            }
            if let phoneText { json.member("phone", phoneText) }
            if let website { json.member("website", website) }
            if let openingHours { json.member("openingHours", openingHours) }
            if let hours { hours.write(to: &json) }
            if let cuisine { json.member("cuisine", cuisine) }
            if let wheelchair { json.member("wheelchair", wheelchair) }
            if let population = feature.population { json.member("population", population) }
            if let zone = feature.tags["timezone"] { json.member("timeZone", zone) }
            json.member("id", idText)
            if objects.count > 1 || objects.first.map({ $0 != feature.osm }) == true {
                json.key("objects")
                json.array { array in for object in objects { array.string(Self.idText(object)) } }
            }
            if let distance { json.member("distance", distance, decimals: 1) }
            if let along { json.member("along", along, decimals: 1) }
            if let arrival { json.member("arrival", arrival, decimals: 1) }
            if let searchedPlace {
                json.key("searchedPlace")
                json.object { object in
                    object.member("title", searchedPlace.title)
                    object.member("lat", searchedPlace.coordinate.latitude, decimals: 7)
                    object.member("lon", searchedPlace.coordinate.longitude, decimals: 7)
                    object.member("outline", searchedPlace.isOutline)
                }
            }
            if !matchedTags.isEmpty {
                json.key("matchedTags")
                json.array { for tag in matchedTags { $0.string(tag) } }
            }
            if let nearestTown {
                json.key("nearestTown")
                json.object { object in
                    object.member("name", nearestTown.name)
                    object.member("distance", nearestTown.distance, decimals: 1)
                    object.member("latitude", nearestTown.coordinate.latitude, decimals: 7)
                    object.member("longitude", nearestTown.coordinate.longitude, decimals: 7)
                }
            }
            if let quality {
                json.key("match")
                json.object { object in
                    object.member("score", quality.score, decimals: 3)
                    object.member("precision", quality.precision.rawValue)
                    object.key("matched")
                    object.array { for word in quality.matched { $0.string(word) } }
                    object.key("unmatched")
                    object.array { for word in quality.unmatched { $0.string(word) } }
                    if !quality.corrections.isEmpty {
                        object.key("corrections")
                        object.array { for correction in quality.corrections { correction.write(to: &$0) } }
                    }
                }
            }
            json.member("importance", feature.importance, decimals: 4)
            json.key("source")
            json.object { object in
                object.member("name", source.name)
                object.member("licence", source.licence)
                object.member("attribution", source.attribution)
            }
        }
    }
}

/// Answers that are lists of places, in the form that was asked for.
enum PlaceList {
    static func json(_ places: [FoundPlace], extra: (inout JSONWriter) -> Void = { _ in }) -> String {
        var json = JSONWriter(reservingCapacity: 1024 + places.count * 1024)
        json.object { json in
            json.key("places")
            json.array { array in for place in places { place.write(to: &array) } }
            extra(&json)
        }
        return json.text
    }

    /// A GeoJSON feature collection (RFC 7946) of points.
    static func geoJSON(_ places: [FoundPlace]) -> String {
        var json = JSONWriter(reservingCapacity: 1024 + places.count * 1024)
        json.object { json in
            json.member("type", "FeatureCollection")
            json.key("features")
            json.array { array in
                for place in places {
                    array.object { feature in
                        feature.member("type", "Feature")
                        feature.key("properties")
                        place.write(to: &feature)
                        feature.key("geometry")
                        feature.object { geometry in
                            geometry.member("type", "Point")
                            geometry.key("coordinates")
                            geometry.position(place.coordinate)
                        }
                    }
                }
            }
        }
        return json.text
    }

    /// One line a place: its number where asked for, distance (along the way where there is one), name (the kind in brackets
    /// where it has none), kind, hours, address, phone, website, coordinates, id, and how well it matched.
    ///
    /// On a terminal columns that do not fit are left out, those first that people need least.
    static func table(_ places: [FoundPlace], width: Int? = nil, isNumbered: Bool = false) -> Table {
        let alignments: [Table.Alignment] = [
            .right, .right, .left, .left, .left, .left, .left, .left, .left, .left, .right,
        ]
        let rows = places.enumerated().map { index, place in
            [
                isNumbered ? "\(index + 1)" : "", (place.along ?? place.distance).map(distanceText) ?? "",
                place.name ?? "(\(place.kindText))", place.kindText, place.hours?.text ?? "", place.shortAddress,
                place.phoneText ?? "", place.website ?? "", coordinateText(place.coordinate), place.idText,
                place.quality.map { "\(Int(($0.score * 100).rounded())) %" } ?? "",
            ]
        }
        var table = Table(alignments)
        for left in [[], [7], [7, 10], [7, 10, 8], [7, 10, 8, 9], [7, 10, 8, 9, 6], [7, 10, 8, 9, 6, 3]] {
            table = Table(alignments)
            for row in rows { table.add(row.enumerated().map { left.contains($0.offset) ? "" : $0.element }) }
            guard let width, (table.lines.map(displayWidth).max() ?? 0) > width else { return table }
        }
        return table
    }

    /// Tells which words of a question were taken for others.
    static func sayCorrections(_ quality: MatchQuality?, _ console: Console) {
        for correction in quality?.corrections ?? [] {
            console.say("\"\(correction.written)\" is read as \"\(correction.read)\".")
        }
    }

    /// Where the data comes from, each source once.
    static func sayAttribution(_ places: [FoundPlace], _ console: Console) {
        var seen: Set<String> = []
        var lines: [String] = []
        for place in places where !place.source.attribution.isEmpty {
            let line = "\(place.source.attribution) (\(place.source.licence))"
            if seen.insert(line).inserted { lines.append(line) }
        }
        if !lines.isEmpty { console.say("Data: " + lines.joined(separator: "; ")) }
    }
}
