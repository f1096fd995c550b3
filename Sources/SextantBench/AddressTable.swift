import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Sextant

/// Addresses of an extract that were read from it by another program, and whether an answer is one of them.
///
/// A line an address: OSM id such as `W12`, street, number, city (may be empty), latitude, longitude, postcode (may be
/// empty or left out). Where the city is empty, the place that contains the address stands for it.
struct AddressTable {
    struct Address {
        var id: String
        var street: String
        var number: String
        var city: String
        var location: Coordinate
        var postcode: String
    }

    let all: [Address]
    private let normalizer: TextNormalizer
    private var bearers: [String: Int] = [:]

    init(_ path: String, atlas: Atlas) throws {
        normalizer = try TextNormalizer.shared
        var all: [Address] = []
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 6, let latitude = Double(fields[4]), let longitude = Double(fields[5]) else {
                continue
            }
            var city = fields[3]
            if city.isEmpty, let id = OSMID(fields[0]), let place = try atlas.lookup(id) {
                city = place.address.city ?? ""
            }
            all.append(
                Address(
                    id: fields[0], street: fields[1], number: fields[2], city: city,
                    location: Coordinate(latitude: latitude, longitude: longitude),
                    postcode: fields.count > 6 ? fields[6] : ""))
        }
        self.all = all
        for address in all {
            bearers[key(address, address.city), default: 0] += 1
            if !address.city.isEmpty { bearers[key(address, ""), default: 0] += 1 }
            if !address.postcode.isEmpty { bearers[key(address, "\t" + address.postcode), default: 0] += 1 }
        }
    }

    private func key(_ address: Address, _ place: String) -> String {
        let number = HouseNumber.keys(address.number).first ?? ""
        let place = place.hasPrefix("\t") ? place : normalizer.key(place)
        return [normalizer.key(address.street), number, place].joined(separator: "|")
    }

    /// Whether no other address has its street, number and city; where neither tags nor map know the city, its street and
    /// number.
    func isUnique(_ address: Address) -> Bool { bearers[key(address, address.city)] == 1 }

    /// Whether no other address has its street, number and postcode.
    func isUniqueByPostcode(_ address: Address) -> Bool { bearers[key(address, "\t" + address.postcode)] == 1 }

    /// Whether the answer has the street and the number of the address.
    func isSame(_ place: FoundPlace?, _ address: Address) -> Bool {
        guard let place, let number = place.address.houseNumber,
            !Set(HouseNumber.keys(number)).isDisjoint(with: HouseNumber.keys(address.number))
        else { return false }
        let streets = [place.address.street, place.feature.tags["addr:street"], place.feature.tags["addr:place"]]
        return streets.contains { $0.map(normalizer.key) == normalizer.key(address.street) }
    }

    /// The same, and at most 50 m off. The object itself is a hit wherever its point lies: a large outline has many
    /// middles.
    func isHit(_ place: FoundPlace?, _ address: Address) -> Bool {
        guard let place, isSame(place, address) else { return false }
        return place.feature.osm?.description == address.id || place.coordinate.distance(to: address.location) <= 50
    }
}
