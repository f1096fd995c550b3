import OpenStreetMap
import Routing

/// Words for manoeuvres in one language.
///
/// A table of phrases with slots, so that a language is data: `{road}` is the road's name or number, `{sign}` what
/// signs show, `{exit}` the number of a motorway's exit, `{nth}` the exit of a roundabout, `{circle}` a rotary's name,
/// `{compass}` a point of the compass.
public struct Sentences: Sendable {
    /// The forms of one phrase: with nothing known of the road, with its name, and with a sign's text.
    struct Phrase: Sendable {
        var plain: String
        var road: String
        var sign: String
    }

    /// BCP 47 tag.
    public var language: String
    /// Phrases by the key that `keys(for:)` makes, such as `turn/left` or `arrive`.
    var phrases: [String: Phrase]
    /// The eight points of the compass from north, clockwise.
    var compass: [String]
    /// Numbers of roundabout exits from the first on; greater ones use `furtherOrdinal`.
    var ordinals: [String]
    /// A pattern with `{n}`.
    var furtherOrdinal: String
    /// A pattern with `{name}` and `{ref}` for a road that has both.
    var nameAndRef: String

    /// The sentence for a step. Costs a few string operations.
    public func sentence(for step: GuidanceStep) -> String {
        let road = roadText(step)
        let sign = signText(step)
        for key in keys(for: step) {
            guard let phrase = phrases[key] else { continue }
            // Signs say more than a name on ramps and forks, and where there is no name.
            let prefersSign =
                !sign.isEmpty && (road.isEmpty || [.onRamp, .offRamp, .fork].contains(step.manoeuvre.type))
            let pattern = prefersSign ? phrase.sign : road.isEmpty ? phrase.plain : phrase.road
            return filled(pattern, step: step, road: road, sign: sign)
        }
        return road
    }

    /// Keys to try in order, from the most particular on.
    private func keys(for step: GuidanceStep) -> [String] {
        let manoeuvre = step.manoeuvre
        let type = manoeuvre.type.rawValue
        let modifier = manoeuvre.modifier?.rawValue ?? ""
        var keys: [String] = []
        switch manoeuvre.type {
        case .notification, .depart: if let mode = Self.modeKey(step.mode) { keys.append("\(type)/\(mode)") }
        case .roundabout: if manoeuvre.exit != nil { keys.append("\(type)/exit") }
        case .rotary:
            let named = step.rotaryName.isEmpty ? "" : "/named"
            if manoeuvre.exit != nil { keys.append("\(type)/exit\(named)") }
            if !named.isEmpty { keys.append("\(type)\(named)") }
        case .offRamp, .onRamp: if !step.exits.isEmpty { keys.append("\(type)/exit/\(modifier)") }
        default: break
        }
        keys.append("\(type)/\(modifier)")
        keys.append(type)
        return keys
    }

    private static func modeKey(_ mode: TravelMode) -> String? {
        switch mode {
        case .ferry: "ferry"
        case .train: "train"
        case .pushingBike: "pushing"
        default: nil
        }
    }

    /// The road's name, with its number where it has both.
    func roadText(_ step: GuidanceStep) -> String {
        let ref = RoadNames.refs(of: step.ref).joined(separator: "/")
        if step.name.isEmpty || step.name == ref { return ref }
        if ref.isEmpty { return step.name }
        return nameAndRef.replacing("{name}", step.name).replacing("{ref}", ref)
    }

    /// The places on the signs, or the road numbers where there are no places.
    func signText(_ step: GuidanceStep) -> String {
        guard let colon = step.destinations.firstIndex(of: ":") else { return step.destinations }
        let places = String(step.destinations[step.destinations.index(after: colon)...]).trimmed
        let refs = String(step.destinations[..<colon])
        return places.isEmpty ? refs : nameAndRef.replacing("{name}", places).replacing("{ref}", refs)
    }

    private func filled(_ pattern: String, step: GuidanceStep, road: String, sign: String) -> String {
        let point = (step.manoeuvre.bearingAfter + 22) / 45 % 8
        return pattern.replacing("{compass}", compass.indices.contains(point) ? compass[point] : "")
            .replacing("{exit}", RoadNames.refs(of: step.exits).joined(separator: "/"))
            .replacing("{nth}", ordinal(step.manoeuvre.exit ?? 0))
            .replacing("{circle}", step.rotaryName)
            .replacing("{sign}", sign)
            .replacing("{road}", road)
    }

    private func ordinal(_ n: Int) -> String {
        ordinals.indices.contains(n - 1) ? ordinals[n - 1] : furtherOrdinal.replacing("{n}", String(n))
    }
}

extension GuidanceStep {
    /// What to do, in English.
    public var sentence: String { Sentences.english.sentence(for: self) }
}

extension String {
    /// The text with each `slot` replaced.
    fileprivate func replacing(_ slot: String, _ value: String) -> String {
        guard let found = firstRange(of: slot) else { return self }
        let rest = String(self[found.upperBound...])
        return self[..<found.lowerBound] + value + rest.replacing(slot, value)
    }

    private func firstRange(of slot: String) -> Range<String.Index>? {
        guard let open = slot.first else { return nil }
        var start = startIndex
        while let i = self[start...].firstIndex(of: open) {
            if self[i...].hasPrefix(slot) { return i..<index(i, offsetBy: slot.count) }
            start = index(after: i)
        }
        return nil
    }
}
