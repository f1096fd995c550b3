extension Coordinate {
    /// Reads a coordinate as people and programs write it; nil for text that is something else or says more.
    ///
    ///     47.1410, 9.5209      47.1410 9.5209      47,1410; 9,5209      +47.1410+009.5209/
    ///     N 47.141 E 9.5209    9.5209° E, 47.141° N      lat: 47.141, lon: 9.5209
    ///     47°08'27.6"N 9°31'15.2"E    47 08.460 N, 009 31.254 E    47:08:27.6N 9:31:15.2E
    ///     geo:47.1410,9.5209;u=35      geo:0,0?q=47.1410,9.5209
    ///
    /// Latitude comes first unless letters say otherwise. Without letters, degree signs or labels both numbers need a
    /// fraction, since two whole numbers may be anything. The result may lie off the globe: ask `isValid`. Text beyond 120
    /// characters is not read. Sources: ISO 6709 (annex H), RFC 5870 (geo).
    public init?(written text: String) {
        guard text.utf8.count <= 400, text.unicodeScalars.count <= 120 else { return nil }
        if let found = Coordinate(geoURI: text) {
            self = found
            return
        }
        guard let items = WrittenItem.items(of: text), let found = Self.read(items) else { return nil }
        self = found
    }

    /// A `geo:` link of WGS84, with the place of its query where its own is only a stand-in.
    private init?(geoURI text: String) {
        let text = text.drop { $0 == " " }
        guard text.prefix(4).lowercased() == "geo:" else { return nil }
        let rest = text.dropFirst(4)
        let path = rest.prefix { $0 != "?" }
        let parts = path.split(separator: ";", omittingEmptySubsequences: false)
        for part in parts.dropFirst() where part.lowercased().hasPrefix("crs=") {
            guard part.dropFirst(4).lowercased() == "wgs84" else { return nil }
        }
        func pair(_ text: Substring) -> Coordinate? {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.filter { $0 != " " })
            }
            guard numbers.count == 2 || numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
                latitude.isFinite, longitude.isFinite
            else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        let query = rest.dropFirst(path.count + 1)
        for field in query.split(separator: "&") where field.hasPrefix("q=") {
            let value = field.dropFirst(2).prefix { $0 != "(" }
            if let found = pair(value) {
                self = found
                return
            }
        }
        guard let first = parts.first, let found = pair(first) else { return nil }
        self = found
    }

    private static func read(_ items: [WrittenItem]) -> Coordinate? {
        // Numbers fall into two groups: by the letters or labels where there are any, else in halves.
        var groups: [(axis: WrittenItem.Axis?, sign: Double, parts: [WrittenNumber])] = []
        var marks = false
        let axes = items.compactMap { item -> (WrittenItem.Axis, Double)? in
            if case .axis(let axis, let sign) = item { return (axis, sign) }
            return nil
        }
        if !axes.isEmpty {
            guard axes.count == 2, axes[0].0 != axes[1].0 else { return nil }
            var leads = false
            if case .axis = items[0] { leads = true }
            if case .axis = items[items.count - 1], leads { return nil }
            var parts: [WrittenNumber] = []
            var open: (WrittenItem.Axis, Double)?
            for item in items {
                switch item {
                case .axis(let axis, let sign):
                    if leads {
                        if let open { groups.append((open.0, open.1, parts)) }
                        open = (axis, sign)
                    } else {
                        groups.append((axis, sign, parts))
                    }
                    parts = []
                case .number(let number): parts.append(number)
                case .mark, .comma: break
                }
            }
            if leads, let open { groups.append((open.0, open.1, parts)) } else if !parts.isEmpty { return nil }
        } else {
            var numbers: [WrittenNumber] = []
            var comma: Int?
            for item in items {
                switch item {
                case .number(let number): numbers.append(number)
                case .mark: marks = true
                case .comma:
                    guard comma == nil else { return nil }
                    comma = numbers.count
                case .axis: return nil
                }
            }
            guard [2, 4, 6].contains(numbers.count) else { return nil }
            let half = numbers.count / 2
            if let comma, comma != half { return nil }
            if numbers.count == 2, !marks, !numbers.allSatisfy(\.hasFraction) { return nil }
            if numbers.count > 2, !marks { return nil }
            groups = [(nil, 1, Array(numbers[..<half])), (nil, 1, Array(numbers[half...]))]
        }
        guard groups.count == 2, groups[0].parts.count == groups[1].parts.count,
            let first = degrees(groups[0].parts, sign: groups[0].sign),
            let second = degrees(groups[1].parts, sign: groups[1].sign)
        else { return nil }
        return groups[0].axis == .eastWest
            ? Coordinate(latitude: second, longitude: first) : Coordinate(latitude: first, longitude: second)
    }

    /// Degrees, minutes and seconds as degrees; nil where one is out of place.
    private static func degrees(_ parts: [WrittenNumber], sign: Double) -> Double? {
        guard let first = parts.first, parts.count <= 3 else { return nil }
        var value = first.value
        for (index, part) in parts.dropFirst().enumerated() {
            guard !parts[index].hasFraction, !part.isSigned, part.value < 60 else { return nil }
            value += part.value / (index == 0 ? 60 : 3600)
        }
        return value * sign * (first.isNegative ? -1 : 1)
    }
}

/// A number as it was written, without its sign.
private struct WrittenNumber {
    var value: Double
    var hasFraction: Bool
    var isSigned: Bool
    var isNegative: Bool
}

/// A piece of a written coordinate.
private enum WrittenItem {
    enum Axis { case northSouth, eastWest }

    case number(WrittenNumber)
    /// A sign of degrees, minutes or seconds.
    case mark
    /// N, S, E, W, or a label such as "lat".
    case axis(Axis, Double)
    case comma

    /// The pieces of a text; nil where it holds anything else.
    static func items(of text: String) -> [WrittenItem]? {
        let scalars = Array(text.unicodeScalars)
        var items: [WrittenItem] = []
        func isDigit(_ index: Int) -> Bool { scalars.indices.contains(index) && ("0"..."9").contains(scalars[index]) }
        // Decimal commas: none of the numbers has a point, and just two commas stand between digits.
        let commas = scalars.indices.filter { scalars[$0] == "," && isDigit($0 - 1) && isDigit($0 + 1) }
        let hasDecimalCommas = commas.count == 2 && !scalars.contains(".")
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if isDigit(index) || isSign(scalar) && isDigit(index + 1) && !(scalar == "-" && isDigit(index - 1)) {
                let isSigned = isSign(scalar)
                if isSigned { index += 1 }
                var digits = ""
                var hasFraction = false
                while index < scalars.count {
                    if isDigit(index) {
                        digits.unicodeScalars.append(scalars[index])
                    } else if !hasFraction, isDigit(index + 1),
                        scalars[index] == "." || hasDecimalCommas && commas.contains(index)
                    {
                        digits += "."
                        hasFraction = true
                    } else {
                        break
                    }
                    index += 1
                }
                guard digits.utf8.count <= 20, let value = Double(digits) else { return nil }
                items.append(
                    .number(
                        WrittenNumber(
                            value: value, hasFraction: hasFraction, isSigned: isSigned,
                            isNegative: isSigned && scalar != "+")))
                continue
            }
            if scalar.properties.isAlphabetic {
                var word = ""
                while index < scalars.count,
                    scalars[index].properties.isAlphabetic || scalars[index] == "." && word.count < 4
                {
                    if scalars[index] != "." { word += scalars[index].properties.lowercaseMapping }
                    index += 1
                }
                guard let item = words[word] else { return nil }
                items.append(item)
                continue
            }
            switch scalar {
            case "°", "º", "˚", "'", "′", "’", "‘", "´", "\"", "″", "”", "“": items.append(.mark)
            case ",", ";": items.append(.comma)
            // Degrees, minutes and seconds may be parted by colons or, with letters, by hyphens.
            case ":": if case .number? = items.last { items.append(.mark) }
            case " ", "\t", "\u{a0}", "(", ")", "[", "]", "/", "-", "=": break
            default: return nil
            }
            index += 1
        }
        return items.isEmpty ? nil : items
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar == "-" || scalar == "+" || scalar == "−" }

    private static let words: [String: WrittenItem] = {
        var words: [String: WrittenItem] = [:]
        for (names, item) in [
            ("n north nord norte lat latitude сш", WrittenItem.axis(.northSouth, 1)),
            ("s south süd sud sur sul юш", .axis(.northSouth, -1)),
            ("e east est este ost lon lng long longitude вд", .axis(.eastWest, 1)),
            ("w west ouest oeste зд", .axis(.eastWest, -1)), ("deg degrees grad min sec", .mark),
        ] {
            for name in names.split(separator: " ") { words[String(name)] = item }
        }
        return words
    }()
}
