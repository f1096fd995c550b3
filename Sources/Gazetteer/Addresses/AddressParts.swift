import OpenStreetMap

/// A postal address taken apart: house number, street and the places around, finest first.
public struct AddressParts: Sendable, Equatable {
    /// One line of the address.
    public struct Part: Sendable, Equatable {
        /// `house_number`, `road`, `suburb`, `city`, `state`, `postcode`, `country`, `country_code` ... as Nominatim calls
        /// them.
        public var label: String
        public var name: String
        /// The feature behind it; nil for what comes from a tag.
        public var feature: Int64?
        /// 4 for a country to 30 for a house.
        public var rank: Int

        public init(label: String, name: String, feature: Int64?, rank: Int) {
            self.label = label
            self.name = name
            self.feature = feature
            self.rank = rank
        }
    }

    public var parts: [Part]
    /// The town that the feature's own tags name (`addr:city`), whether it is on the map or not.
    public var postTown: String?

    public init(parts: [Part] = []) { self.parts = parts }

    /// The first part with this label.
    public subscript(label: String) -> String? { parts.first { $0.label == label }?.name }

    private func first(of labels: [String]) -> String? {
        for label in labels { if let name = self[label] { return name } }
        return nil
    }

    public var houseNumber: String? { self["house_number"] }
    /// The street, or the square that stands for one.
    public var street: String? { self["road"] ?? self["square"] }
    public var suburb: String? { first(of: ["suburb", "borough", "quarter", "neighbourhood", "city_district"]) }
    /// The town, whatever its size.
    public var city: String? {
        first(of: ["city", "town", "village", "municipality", "hamlet"])
            ?? parts.first { (16...17).contains($0.rank) && $0.label != "postcode" }?.name ?? postTown
    }
    public var county: String? { first(of: ["county", "state_district"]) }
    public var state: String? { first(of: ["state", "region", "province"]) }
    public var postcode: String? { self["postcode"] }
    public var country: String? { self["country"] }
    /// ISO 3166-1 alpha-2, small letters.
    public var countryCode: String? { self["country_code"] }
}

extension AddressParts {
    /// What administrative areas are called by half their rank where no place tag says more.
    fileprivate static let administrativeLabels: [Int: String] = [
        1: "continent", 2: "country", 3: "region", 4: "state", 5: "state_district", 6: "county", 7: "municipality",
        8: "city", 9: "city_district", 10: "suburb", 11: "neighbourhood", 12: "city_block",
    ]

    /// The label of a feature in addresses.
    static func label(category: String, type: String, rank: Int, tags: Tags, country: String?) -> String {
        if rank < 26, rank > 0, let place = tags["linked_place"] ?? tags["place"] { return snake(place) }
        if category == "boundary", type == "administrative" {
            if country == "no" || country == "se", rank / 2 == 3 { return "state" }
            if country == "no", rank / 2 == 4 { return "county" }
            return administrativeLabels[rank / 2] ?? "administrative"
        }
        if type == "postal_code" || type == "postcode" { return "postcode" }
        if rank < 26 { return snake(type == "yes" ? category : type) }
        if rank < 28 { return "road" }
        if category == "place", type == "house" || type == "house_number" || type == "houses" { return "house_number" }
        if category == "place", type != "country_code" { return snake(type) }
        return snake(category)
    }

    private static func snake(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: " ") && !(0x41...0x5a).contains($0) }
        return isPlain ? text : text.lowercased().replacing(" ", with: "_")
    }
}

extension Gazetteer {
    /// The address of a feature: itself where it has a name, its house number and street, the places that contain it.
    ///
    /// - Parameters:
    ///   - languages: preferred languages for each part's name, best first.
    ///   - houseNumber: a number that stands for the feature's own, such as one found within an interpolated line.
    public func address(of feature: Feature, languages: [String] = [], houseNumber: String? = nil) throws
        -> AddressParts
    {
        guard let context = feature.context else {
            return try address(of: feature, languages: languages, houseNumber: houseNumber, places: [])
        }
        // Thousands of neighbours share the parts above them, but for those that stand among these themselves.
        let end = try self.end(ofContext: context, languages: languages)
        let beginning = try self.beginning(of: feature, languages: languages, houseNumber: houseNumber)
        guard beginning.standIn == nil, !end.holds(feature.id),
            !beginning.parts.contains(where: { end.holds($0.feature) })
        else {
            return try address(
                of: feature, languages: languages, houseNumber: houseNumber, places: places(ofContext: context))
        }
        var parts = beginning.parts
        parts.reserveCapacity(parts.count + end.parts.count + end.closing.count + 1)
        let postcode =
            (feature.kind == .postcode ? feature.postcode ?? feature.name : beginning.postcode) ?? end.postcode
        let country = beginning.country ?? end.country
        if country == end.country, !beginning.parts.contains(where: { $0.label == "country" }) {
            parts += end.parts
            if let postcode { parts.append(.init(postcode: postcode)) }
            parts += end.closing
        } else {
            parts += end.parts + end.countries
            Self.append(postcode: postcode, country: country, to: &parts, languages: languages)
        }
        var address = AddressParts(parts: parts)
        address.postTown = Self.postTown(feature.tags)
        return address
    }

    private static func postTown(_ tags: Tags) -> String? {
        tags["addr:city"] ?? tags["addr:town"] ?? tags["addr:village"]
    }

    /// What an address says of the feature itself and its street.
    private struct Beginning {
        var parts: [AddressParts.Part] = []
        /// A place that stands for a street.
        var standIn: Int64?
        var postcode: String?
        var country: String?
    }

    private func beginning(of feature: Feature, languages: [String], houseNumber: String?) throws -> Beginning {
        var result = Beginning()
        let ownLabel = AddressParts.label(
            category: feature.category, type: feature.type, rank: feature.rank, tags: feature.tags,
            country: feature.country)
        if feature.kind != .postcode, ownLabel != "house_number", let name = feature.name(in: languages) {
            result.parts.append(
                .init(label: ownLabel, name: name, feature: feature.id, rank: feature.rank == 0 ? 29 : feature.rank))
        }
        if let number = houseNumber ?? feature.houseNumber {
            result.parts.append(.init(label: "house_number", name: number, feature: nil, rank: 28))
        }
        result.postcode = feature.postcode ?? Self.onlyPostcode(feature.tags)
        result.country = feature.country
        if let parent = feature.parent, let street = try street(parent, languages: languages) {
            if let part = street.part { result.parts.append(part) }
            if street.isStandIn { result.standIn = parent }
            if result.postcode == nil { result.postcode = street.postcode }
            if result.country == nil { result.country = street.country }
        }
        return result
    }

    /// The same with the containing places given.
    func address(of feature: Feature, languages: [String], houseNumber: String?, places: [Place]) throws -> AddressParts
    {
        let beginning = try self.beginning(of: feature, languages: languages, houseNumber: houseNumber)
        var parts = beginning.parts
        var places = places
        if let standIn = try beginning.standIn.flatMap({ try place($0) }) {
            parts.removeAll { $0.feature == standIn.id }
            // The address says where it belongs: not to another hamlet that is nearer.
            places.removeAll { $0.rank == standIn.rank && !$0.isArea && $0.id != standIn.id }
            if !places.contains(where: { $0.id == standIn.id }) {
                places.insert(standIn, at: places.firstIndex { $0.sortRank < standIn.rank } ?? places.count)
            }
        }
        let own = feature.kind == .postcode ? feature.postcode ?? feature.name : beginning.postcode
        append(
            places, to: &parts, except: feature.id, postcode: own, country: beginning.country, languages: languages)
        var address = AddressParts(parts: parts)
        address.postTown = Self.postTown(feature.tags)
        return address
    }

    /// What addresses say of the places of a context. Kept in memory once made.
    private func end(ofContext context: Int64, languages: [String]) throws -> AddressEnd {
        let key = PlaceCache.Key(id: context, languages: languages)
        if let known = cache.end(key) { return known }
        let places = try self.places(ofContext: context)
        var parts: [AddressParts.Part] = []
        let found = Self.append(places, to: &parts, except: nil, languages: languages)
        let middle = parts.lastIndex { $0.label != "country" }.map { $0 + 1 } ?? 0
        let countries = Array(parts[middle...])
        var closing = countries
        Self.append(postcode: nil, country: found.country, to: &closing, languages: languages)
        let end = AddressEnd(
            places: places.map(\.id), parts: Array(parts[..<middle]), countries: countries, closing: closing,
            postcode: found.postcode, country: found.country)
        cache.keep(end, key)
        return end
    }

    /// What addresses say of a street. Kept in memory once made.
    private func street(_ id: Int64, languages: [String]) throws -> AddressStreet? {
        let key = PlaceCache.Key(id: id, languages: languages)
        if let known = cache.street(key) { return known }
        guard let place = try place(id) else { return nil }
        let part = place.name(in: languages).map {
            AddressParts.Part(label: place.label, name: $0, feature: place.id, rank: place.rank)
        }
        let street = AddressStreet(
            part: part, isStandIn: place.rank < 25, postcode: place.postcode, country: place.country)
        cache.keep(street, key)
        return street
    }

    /// What places are called where two of them have one label, a city within a city: the finer one goes by its rank.
    private static func labels(of places: [Place]) -> [Int64: String] {
        let isUnlike = places.indices.allSatisfy { index in
            !places[..<index].contains { $0.label == places[index].label }
        }
        guard !isUnlike else { return [:] }
        var labels: [Int64: String] = [:]
        var taken = Set(places.map(\.label))
        for (index, place) in places.enumerated()
        where place.kind != .postcode && places[(index + 1)...].contains(where: { $0.label == place.label }) {
            guard let other = AddressParts.administrativeLabels[place.rank / 2], taken.insert(other).inserted else {
                continue
            }
            labels[place.id] = other
        }
        return labels
    }

    /// The postcode that a town's tags give where it has one alone.
    private static func onlyPostcode(_ tags: Tags) -> String? {
        guard let code = tags["postal_code"], !code.isEmpty, !code.contains(where: { ";,".contains($0) }) else {
            return nil
        }
        return code
    }

    /// Adds the containing places, the postcode before the country, and the country's code at the end.
    func append(
        _ places: [Place], to parts: inout [AddressParts.Part], except own: Int64?, postcode: String?, country: String?,
        languages: [String]
    ) {
        let found = Self.append(places, to: &parts, except: own, languages: languages)
        Self.append(
            postcode: postcode ?? found.postcode, country: country ?? found.country, to: &parts, languages: languages)
    }

    /// Adds the containing places, and tells the postcode and the country that they know.
    private static func append(
        _ places: [Place], to parts: inout [AddressParts.Part], except own: Int64?, languages: [String]
    ) -> (postcode: String?, country: String?) {
        var code: String?
        var postcode: String?
        let labels = Self.labels(of: places)
        for place in places where place.id != own {
            if place.kind == .postcode {
                if postcode == nil { postcode = place.postcode ?? place.tags["postal_code"] }
                continue
            }
            guard !parts.contains(where: { $0.feature == place.id }) else { continue }
            if let name = place.name(in: languages) {
                let label = labels[place.id] ?? place.label
                parts.append(.init(label: label, name: name, feature: place.id, rank: place.rank))
            }
            if code == nil { code = place.country }
        }
        if postcode == nil {
            postcode =
                places.lazy.filter { $0.rank >= 16 }.compactMap { $0.postcode ?? Self.onlyPostcode($0.tags) }.first
        }
        return (postcode, code)
    }

    /// Adds the postcode before the country, and the country's code at the end.
    private static func append(
        postcode: String?, country: String?, to parts: inout [AddressParts.Part], languages: [String]
    ) {
        if let postcode {
            let end = parts.lastIndex { $0.label != "country" }.map { $0 + 1 } ?? 0
            parts.insert(.init(postcode: postcode), at: end)
        }
        guard let country else { return }
        if !parts.contains(where: { $0.label == "country" }) {
            let name = CountryNames.name(of: country, languages: languages)
            parts.append(.init(label: "country", name: name, feature: nil, rank: 4))
        }
        parts.append(.init(label: "country_code", name: country, feature: nil, rank: 4))
    }
}

/// The parts of an address that all of a context share: its places, in some languages.
final class AddressEnd: Sendable {
    private let places: [Int64]
    /// All but the country, before which the postcode stands.
    let parts: [AddressParts.Part]
    /// The country that is among the places.
    let countries: [AddressParts.Part]
    /// The country, whether it is among the places or not, and its code.
    let closing: [AddressParts.Part]
    let postcode: String?
    let country: String?

    init(
        places: [Int64], parts: [AddressParts.Part], countries: [AddressParts.Part], closing: [AddressParts.Part],
        postcode: String?, country: String?
    ) {
        self.places = places
        self.parts = parts
        self.countries = countries
        self.closing = closing
        self.postcode = postcode
        self.country = country
    }

    func holds(_ feature: Int64?) -> Bool { feature.map { places.contains($0) } ?? false }
}

/// What addresses say of a street, or of the place that stands for one, in some languages.
final class AddressStreet: Sendable {
    /// Nil where it has no name.
    let part: AddressParts.Part?
    /// Whether it is a place that stands for a street: it keeps its rank among the places.
    let isStandIn: Bool
    let postcode: String?
    let country: String?

    init(part: AddressParts.Part?, isStandIn: Bool, postcode: String?, country: String?) {
        self.part = part
        self.isStandIn = isStandIn
        self.postcode = postcode
        self.country = country
    }
}

extension AddressParts.Part {
    fileprivate init(postcode: String) { self.init(label: "postcode", name: postcode, feature: nil, rank: 5) }
}
