import Gazetteer
import Geometry

/// What lies around a point besides its address.
public struct Surroundings: Sendable, Equatable {
    /// The time zone's name in the IANA database; nil where no atlas knows it.
    public var timeZone: String?
    /// The sea or ocean, where the World is open and no land of it holds the point: in English.
    public var ocean: String?
    /// Lakes, rivers and the like that hold the point, the smallest first, by name.
    public var waters: [String] = []
    /// Parks and places of interest that hold the point, the smallest first, by name.
    public var areas: [String] = []
}

extension Atlas {
    /// What holds the point, with names in the languages. Outlines of places and countries are left to `reverse`.
    public func surroundings(of point: Coordinate, languages: [String] = []) throws -> Surroundings {
        var result = Surroundings()
        if let world = parts.indices.last, parts[world].isWorld, try !asking(world, { try $0.holdsLand(at: point) }) {
            result.ocean = Seas.name(at: point)
        }
        for index in parts.indices {
            let features = try asking(index) {
                try $0.surroundings(of: point, kinds: [.timeZone, .water, .park, .pointOfInterest])
            }
            for feature in features {
                if feature.kind == .timeZone {
                    if result.timeZone == nil { result.timeZone = feature.tags["timezone"] }
                    continue
                }
                guard let name = feature.name(in: languages) else { continue }
                if feature.kind == .water {
                    if !result.waters.contains(name) { result.waters.append(name) }
                } else if !result.areas.contains(name) {
                    result.areas.append(name)
                }
            }
        }
        return result
    }

    /// The code of a state within its country where the data tell it: `CA` for California (`ISO3166-2`); nil otherwise.
    public func stateCode(of place: FoundPlace) throws -> String? {
        for part in place.address.parts where ["state", "region", "province"].contains(part.label) {
            guard let id = part.feature else { continue }
            let code = try asking(place.atlasIndex) { try $0.place(id) }?.tags["ISO3166-2"]
            if let code, let dash = code.firstIndex(of: "-") { return String(code[code.index(after: dash)...]) }
        }
        return nil
    }
}
