/// How large a car a way or node lets through, as its tags tell; infinite where they tell nothing.
///
/// This is about the one car that routes are made for. Whoever drives something larger says so in the request.
struct CarClearance: Equatable {
    /// Metres.
    var height = Double.infinity
    var width = Double.infinity
    var length = Double.infinity
    /// Kilograms.
    var weight = Double.infinity
    var axleLoad = Double.infinity

    /// Reads the tags for one direction; nil stands for both.
    ///
    /// A clearance that was measured (`maxheight:physical`) goes before the sign; words such as `none`, `default` or
    /// `unsigned` are no limit to anything that may be on the road at all.
    init(_ tags: Tags, direction: RoadDirection? = nil) {
        // Most ways have none of these, or only `maxspeed`.
        let isLimited = tags.pairs.contains { pair in
            pair.key.hasSuffix("width") || (pair.key.hasPrefix("max") && !pair.key.hasPrefix("maxspeed"))
        }
        guard isLimited else { return }
        height = Self.first(["maxheight:physical", "maxheight"], tags, direction, Self.metres)
        width = Self.first(["maxwidth:physical", "maxwidth", "width", "est_width"], tags, direction, Self.metres)
        length = Self.first(["maxlength:physical", "maxlength"], tags, direction, Self.metres)
        weight = Self.first(["maxweight"], tags, direction, Self.kilograms)
        axleLoad = Self.first(["maxaxleload"], tags, direction, Self.kilograms)
    }

    /// Whether a large family car may pass: 2 m high, 1.9 m wide, 4.8 m long, 2 t.
    var admitsCar: Bool { height >= 2 && width >= 1.9 && length >= 4.8 && weight >= 2000 && axleLoad >= 1200 }

    private static func first(
        _ keys: [String], _ tags: Tags, _ direction: RoadDirection?, _ read: (String) -> Double?
    ) -> Double {
        let suffix = direction.map { $0 == .forward ? ":forward" : ":backward" }
        for key in keys {
            if let suffix, let limit = tags[key + suffix].flatMap(read) { return limit }
            if let limit = tags[key].flatMap(read) { return limit }
        }
        return .infinity
    }

    private static func metres(_ value: String) -> Double? {
        // Lanes too narrow to meet in, but not for one car.
        if value == "narrow" { return 2.2 }
        return Measures.metres(value).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func kilograms(_ value: String) -> Double? {
        Measures.kilograms(value).flatMap { $0 > 0 ? $0 : nil }
    }
}
