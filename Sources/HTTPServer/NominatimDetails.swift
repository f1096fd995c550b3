import Gazetteer
import Geometry
import OpenStreetMap

extension NominatimDialect {
    /// `/details`: everything about one object, by its number here or in OpenStreetMap. Only JSON.
    func details(_ parameters: Parameters) throws -> HTTPResponse {
        if let format = parameters["format"], !format.isEmpty, format != "json" {
            throw NominatimError(status: 400, message: "Parameter 'format' must be one of: json")
        }
        var options = try AnswerOptions(parameters, form: .json)
        options.geoJSON = parameters.flag("polygon_geojson", default: false)
        guard let found = try detailsObject(parameters, options) else {
            throw NominatimError(status: 404, message: "No place with that OSM ID found.")
        }
        var json = JSONWriter(reservingCapacity: 4096)
        try json.object { try write(found.result, found.gazetteer, parameters, options, &$0) }
        return NominatimForm.json.response(json.bytes, options)
    }

    private func detailsObject(_ parameters: Parameters, _ options: AnswerOptions) throws -> (
        result: NominatimResult, gazetteer: Gazetteer
    )? {
        if let text = parameters["place_id"], !text.isEmpty {
            guard let number = Int64(text) else {
                throw NominatimError(status: 400, message: "Parameter 'place_id' must be a number.")
            }
            let (index, id) = number.quotientAndRemainder(dividingBy: NominatimResult.placesInGazetteer)
            guard id > 0, gazetteers.indices.contains(Int(clamping: index)) else { return nil }
            let gazetteer = gazetteers[Int(index)]
            guard let feature = try gazetteer.feature(id: id) else { return nil }
            return (try NominatimResult(feature, gazetteer, Int(index), options), gazetteer)
        }
        guard let letter = parameters["osmtype"], !letter.isEmpty else {
            throw NominatimError(status: 400, message: "Parameter 'place_id' missing.")
        }
        guard let type = OSMType(letter: letter.uppercased()) else {
            throw NominatimError(status: 400, message: "Parameter 'osmtype' must be one of: N, W, R")
        }
        guard let text = parameters["osmid"], !text.isEmpty else {
            throw NominatimError(status: 400, message: "Parameter 'osmid' missing.")
        }
        guard let number = Int64(text) else {
            throw NominatimError(status: 400, message: "Parameter 'osmid' must be a number.")
        }
        guard number > 0, let (result, gazetteer) = try object(OSMID(type, number), options) else { return nil }
        if let category = parameters["class"], !category.isEmpty, category != result.category { return nil }
        return (result, gazetteer)
    }

    /// The object with a number in OpenStreetMap, from the first gazetteer that has it. What only its kind finds, an
    /// unnamed garden, is no object in this dialect.
    func object(_ id: OSMID, _ options: AnswerOptions) throws -> (result: NominatimResult, gazetteer: Gazetteer)? {
        for (index, gazetteer) in gazetteers.enumerated() {
            guard let feature = try gazetteer.feature(osm: id), feature.kind != .thing else { continue }
            var result = try NominatimResult(feature, gazetteer, index, options)
            // One way of a street that was merged from several answers for itself.
            if feature.kind == .street, let way = try gazetteer.ways(ofStreet: feature).first(where: { $0.osm == id }) {
                result.take(way, options: options)
            }
            result.osm = id
            return (result, gazetteer)
        }
        return nil
    }

    private func write(
        _ result: NominatimResult, _ gazetteer: Gazetteer, _ parameters: Parameters, _ options: AnswerOptions,
        _ json: inout JSONWriter
    ) throws {
        let feature = result.feature
        json.member("place_id", result.placeID)
        if let parent = feature.parent { json.member("parent_place_id", result.placeID - feature.id + parent) }
        if let osm = result.osm {
            json.member("osm_type", osm.type.letter)
            json.member("osm_id", osm.number)
        }
        json.member("category", result.category)
        json.member("type", result.type)
        json.member("admin_level", feature.adminLevel ?? 15)
        json.member("localname", result.name.isEmpty ? feature.houseNumber ?? "" : result.name)
        json.key("names")
        NominatimForm.tags(result.names, &json, orNull: false)
        json.key("addresstags")
        NominatimForm.tags(
            feature.tags.pairs.filter { $0.key.hasPrefix("addr:") }.map { (String($0.key.dropFirst(5)), $0.value) },
            &json, orNull: false)
        json.key("housenumber")
        if let number = feature.houseNumber { json.string(number) } else { json.null() }
        json.key("calculated_postcode")
        if let postcode = result.address.postcode { json.string(postcode) } else { json.null() }
        json.key("country_code")
        if let country = feature.country ?? result.address.countryCode { json.string(country) } else { json.null() }
        json.member("importance", result.importance)
        json.member("calculated_importance", result.importance)
        json.key("extratags")
        NominatimForm.tags(result.extraTags, &json, orNull: false)
        json.member("rank_address", result.addressRank)
        json.member("rank_search", result.placeRank)
        let isArea = if case .polygons = try gazetteer.outline(of: feature) { true } else { false }
        json.member("isarea", isArea)
        json.key("centroid")
        NominatimForm.geometry(result, &json, asked: false)
        json.key("geometry")
        NominatimForm.geometry(result, &json, asked: options.geoJSON)
        if parameters.flag("addressdetails", default: false) {
            json.key("address")
            json.array { for part in result.address.parts { line(part, result, gazetteer, &$0) } }
        }
        if parameters.flag("linkedplaces", default: false) {
            json.key("linked_places")
            let linked = try gazetteer.linkedPlace(of: feature)
            json.array {
                guard let linked else { return }
                $0.object {
                    $0.member("localname", result.name)
                    $0.member("osm_type", linked.osm.type.letter)
                    $0.member("osm_id", linked.osm.number)
                    $0.member("class", "place")
                    $0.member("type", linked.type)
                    $0.member("rank_address", result.addressRank)
                }
            }
        }
        if parameters.flag("keywords", default: false) {
            json.key("keywords")
            let normalizer = try TextNormalizer.shared
            json.object {
                keywords("name", result.names.map(\.1), normalizer, &$0)
                let around = result.address.parts.filter { $0.feature != feature.id }.map(\.name)
                keywords("address", around, normalizer, &$0)
            }
        }
        if parameters.flag("hierarchy", default: false) {
            try hierarchy(result, gazetteer, isGrouped: parameters.flag("group_hierarchy", default: false), &json)
        }
    }

    private func line(
        _ part: AddressParts.Part, _ result: NominatimResult, _ gazetteer: Gazetteer, _ json: inout JSONWriter
    ) {
        json.object {
            $0.member("localname", part.name)
            let place = part.feature.flatMap { try? gazetteer.feature(id: $0) }
            $0.key("place_id")
            if let id = part.feature {
                $0.integer(result.placeID - result.feature.id + id)
            } else {
                $0.null()
            }
            if let osm = place?.osm {
                $0.member("osm_type", osm.type.letter)
                $0.member("osm_id", osm.number)
            }
            $0.member("place_type", part.label)
            $0.member("class", place?.category ?? "place")
            $0.member("type", place?.type ?? part.label)
            if let level = place?.adminLevel { $0.member("admin_level", level) }
            $0.member("rank_address", part.rank)
            $0.member("distance", place.map { $0.location.distance(to: result.location) / 111_195 } ?? 0)
            $0.member("isaddress", true)
        }
    }

    private func keywords(
        _ name: String, _ texts: [String], _ normalizer: TextNormalizer, _ json: inout JSONWriter
    ) {
        json.key(name)
        json.array {
            var seen: Set<String> = []
            for token in texts.flatMap({ normalizer.tokens($0) }) where seen.insert(token).inserted {
                let number = seen.count
                $0.object {
                    $0.member("id", number)
                    $0.member("token", token)
                }
            }
        }
    }

    /// What belongs to the object: at most 500 addresses and places of interest, as a list or by their class.
    private func hierarchy(
        _ result: NominatimResult, _ gazetteer: Gazetteer, isGrouped: Bool, _ json: inout JSONWriter
    ) throws {
        func child(_ feature: Feature, _ json: inout JSONWriter) {
            json.object {
                $0.member("localname", feature.name ?? feature.houseNumber ?? "")
                $0.member("place_id", result.placeID - result.feature.id + feature.id)
                if let osm = feature.osm {
                    $0.member("osm_type", osm.type.letter)
                    $0.member("osm_id", osm.number)
                }
                $0.member("class", feature.category)
                $0.member("type", feature.type)
                $0.member("rank_address", feature.rank)
            }
        }
        let children = try gazetteer.children(of: result.feature, limit: 500)
        json.key("hierarchy")
        guard isGrouped else { return json.array { for feature in children { child(feature, &$0) } } }
        json.object {
            for (category, features) in Dictionary(grouping: children, by: \.category).sorted(by: { $0.key < $1.key }) {
                $0.key(category)
                $0.array { for feature in features { child(feature, &$0) } }
            }
        }
    }
}
