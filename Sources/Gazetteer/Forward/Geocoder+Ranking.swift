import Foundation
import Geometry

/// The order of answers, and how they are given.
extension Geocoder {
    func point(of result: Reading) -> Coordinate {
        result.house?.location ?? result.crossing?.at ?? result.candidate.center
    }

    static func comesFirst(_ a: Reading, _ b: Reading) -> Bool {
        if a.score != b.score { return a.score > b.score }
        let left = Double(a.used.nonzeroBitCount) * a.coverage
        let right = Double(b.used.nonzeroBitCount) * b.coverage
        if left != right { return left > right }
        if a.candidate.importance != b.candidate.importance { return a.candidate.importance > b.candidate.importance }
        return a.candidate.id < b.candidate.id
    }

    /// Match quality first, then towns before what is called like them, then importance, then nearness.
    func rank(_ readings: inout [Reading]) {
        let keyed = readings.map { reading -> (Reading, Double, Double, Double) in
            let quality = (reading.score * 200).rounded() / 200
            let importance = reading.house?.feature.importance ?? reading.candidate.importance
            let point = point(of: reading)
            var distance = 0.0
            if let near = query.near {
                distance = near.distance(to: point)
            } else if let box = query.viewbox {
                distance = box.contains(point) ? 0 : box.center.distance(to: point)
            }
            let isBiased = query.near != nil || query.viewbox != nil
            // A bias outweighs small differences of importance.
            let pull = isBiased ? max(0, 0.3 * (1 - log10(1 + distance / 1000) / 4)) : 0
            return (reading, quality, importance + pull, distance)
        }
        readings = keyed.sorted {
            if $0.1 != $1.1 { return $0.1 > $1.1 }
            if $0.0.yieldsToTown != $1.0.yieldsToTown { return $1.0.yieldsToTown }
            // The street of a town before one that only has addresses of the town.
            if $0.0.house == nil, $1.0.house == nil, ($0.0.byTag == 0) != ($1.0.byTag == 0) { return $0.0.byTag == 0 }
            if $0.2 != $1.2 { return $0.2 > $1.2 }
            if $0.3 != $1.3 { return $0.3 < $1.3 }
            return $0.0.candidate.id < $1.0.candidate.id
        }.map(\.0)
    }

    func firstWord(_ mask: Mask) -> String? {
        var best: Mask = 0
        for index in reading.tokens.indices where mask & QueryReading.bit(index) != 0 {
            if reading.weights[index] >= 1 {
                best = QueryReading.bit(index)
                break
            }
            if best == 0 { best = QueryReading.bit(index) }
        }
        return reading.words(best).first
    }

    mutating func matches(_ readings: [Reading], limit: Int) throws -> [GeocodeMatch] {
        var result: [GeocodeMatch] = []
        var seen: Set<String> = []
        for reading in readings where result.count < limit {
            let feature: Feature
            var location: Coordinate
            var number: String?
            var crossing: Feature?
            var precision: MatchQuality.Precision
            if let house = reading.house {
                feature = house.feature
                location = house.location
                number = house.number
                precision = house.isInterpolated ? .interpolated : .house
            } else {
                guard let found = try Feature.load(reading.candidate.id, database) else { continue }
                feature = found
                location = found.location
                switch found.kind {
                case .street: precision = .street
                case .address: precision = .house
                case _ where reading.candidate.isPlace: precision = .place
                default: precision = .pointOfInterest
                }
                if let meeting = reading.crossing {
                    location = meeting.at
                    crossing = try Feature.load(meeting.street, database)
                    precision = .intersection
                }
            }
            let identity = "\(feature.id)/\(number ?? "")/\(crossing?.id ?? 0)"
            guard seen.insert(identity).inserted else { continue }
            let quality = MatchQuality(
                score: reading.score, precision: precision, matched: self.reading.words(reading.used),
                unmatched: self.reading.words(self.reading.significant & ~reading.used),
                corrections: corrections.map { told($0, as: feature) })
            result.append(
                GeocodeMatch(
                    feature: feature, location: location, houseNumber: number, crossing: crossing, quality: quality))
        }
        return result
    }
}
