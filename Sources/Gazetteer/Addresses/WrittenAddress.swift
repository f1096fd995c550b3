/// An address on its way from parts to lines: one text for each part that the formats know.
struct WrittenAddress {
    private let formats: AddressFormats
    private var texts: [String?]
    /// Chosen for its line, but gone without saying.
    private var isOmitted: [Bool] = []
    private(set) var isEmpty = true

    init(_ formats: AddressFormats) {
        self.formats = formats
        texts = Array(repeating: nil, count: formats.partNames.count)
    }

    mutating func set(_ part: Int, _ text: String) {
        texts[part] = text
        isEmpty = false
    }

    func has(_ part: Int) -> Bool { texts[part] != nil }

    /// The text in one line with single blanks; nil where it has no letter or digit, or is a link.
    static func cleaned(_ text: String) -> String? {
        var isPlain = true
        var hasLetter = false
        var last: UInt8 = 0x20
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: hasLetter = true
            case 0x20: if last == 0x20 { isPlain = false }
            // A link has a colon; line ends beyond ASCII begin with C2 or E2.
            case 0...0x1f, 0x3a, 0x7f, 0xc2, 0xe2: isPlain = false
            default: break
            }
            last = byte
        }
        if last == 0x20 { isPlain = false }
        if !hasLetter {
            hasLetter = text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard hasLetter else { return nil }
        guard !isPlain else { return text }
        guard !text.contains("http://"), !text.contains("https://") else { return nil }
        let words = text.split { $0 == " " || $0.isNewline || $0.unicodeScalars.allSatisfy { $0.value < 0x20 } }
        return words.joined(separator: " ")
    }

    // MARK: The way to lines

    /// The lines from top to bottom.
    ///
    /// - Parameter keepsCountry: whether the country is written as it was given, or not at all where it was not.
    mutating func lines(country: String?, abbreviating: Bool, keepsCountry: Bool) -> [String] {
        let given = texts[formats.known.country]
        let code = takeCountry(country)
        guard let format = formats.country(code) else { return [] }
        takePostcode(format)
        takeNumberForCountry()
        standIn(formats.localStandsFor[code] ?? formats.standsFor)
        let isSparse = texts[formats.known.road] == nil && texts[formats.known.postcode] == nil
        say(format)
        findCode(of: formats.known.state, formats.known.stateCode, code)
        findCode(of: formats.known.county, formats.known.countyCode, code)
        omit(format)
        if keepsCountry {
            texts[formats.known.country] = given
            if !isOmitted.isEmpty { isOmitted[formats.known.country] = false }
        }
        if abbreviating { abbreviate(code) }
        return written(isSparse ? format.sparse : format.layout)
    }

    /// The country whose format holds, small letters; a territory's own country line and parts are set.
    private mutating func takeCountry(_ given: String?) -> String {
        let known = formats.known
        var code = (given ?? texts[known.countryCode] ?? "").lowercased()
        if code == "uk" { code = "gb" }
        if let likeness = formats.likenesses[code] {
            code = likeness.model
            if !likeness.countryLine.isEmpty {
                texts[known.country] = likeness.countryLine.reduce(into: "") { line, piece in
                    switch piece {
                    case .text(let text): line += text
                    case .parts(let choices): line += AddressLine(pieces: [.parts(choices)]).text { texts[$0] }
                    }
                }
            }
            if let (part, text) = likeness.part { texts[part] = text }
        }
        for territory in formats.territories[code] ?? [] {
            if let text = texts[territory.part], territory.pattern.matches(text) {
                code = territory.territory
                texts[known.country] = territory.name
                break
            }
        }
        return code
    }

    /// Some objects list all postcodes of a town: of "63739,63741" the first is meant, of "1;2;3" none in particular.
    private mutating func takePostcode(_ format: AddressFormats.Country) {
        guard var postcode = texts[formats.known.postcode] else { return }
        if postcode.utf8.contains(UInt8(ascii: ";")) {
            texts[formats.known.postcode] = nil
            return
        }
        if let comma = postcode.firstIndex(of: ","), postcode[..<comma].allSatisfy(\.isNumber) {
            postcode = String(postcode[..<comma])
        }
        if postcode.utf8.count > 20 {
            texts[formats.known.postcode] = nil
            return
        }
        if let form = format.postcode, let formed = Self.formed(postcode, form) { postcode = formed }
        texts[formats.known.postcode] = postcode
    }

    /// The postcode with the blanks and dashes of its country's form; nil where its letters and digits are not of it.
    static func formed(_ postcode: String, _ form: [UInt8]) -> String? {
        var given = postcode.utf8.filter { $0 != 0x20 && $0 != 0x2d }[...]
        var result: [UInt8] = []
        for mark in form {
            let isFitting: Bool
            let next = given.first ?? 0
            let isDigit = (0x30...0x39).contains(next)
            let isLetter = (0x41...0x5a).contains(next & 0xdf)
            switch mark {
            case UInt8(ascii: "#"): isFitting = isDigit
            case UInt8(ascii: "@"): isFitting = isLetter
            case UInt8(ascii: "?"): isFitting = isDigit || isLetter
            default:
                result.append(mark)
                continue
            }
            guard isFitting else { return nil }
            result.append(given.removeFirst())
        }
        return given.isEmpty ? String(decoding: result, as: UTF8.self) : nil
    }

    /// A number where the country should be: the state is the best that is known.
    private mutating func takeNumberForCountry() {
        let known = formats.known
        guard let country = texts[known.country], country.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let state = texts[known.state]
        else { return }
        texts[known.country] = state
        texts[known.state] = nil
    }

    private mutating func standIn(_ standsFor: [Int]) {
        for part in texts.indices where texts[part] != nil && texts[standsFor[part]] == nil {
            texts[standsFor[part]] = texts[part]
        }
    }

    private mutating func say(_ format: AddressFormats.Country) {
        for saying in format.sayings {
            if let part = saying.part {
                say(saying.pattern, part)
            } else {
                for part in texts.indices where formats.isPlace[part] { say(saying.pattern, part) }
            }
        }
    }

    private mutating func say(_ pattern: AddressPattern, _ part: Int) {
        guard let text = texts[part], let said = pattern.replaced(in: text) else { return }
        texts[part] = Self.cleaned(said)
    }

    /// Looks up the code of a state or county, or its name where only the code was given.
    private mutating func findCode(of part: Int, _ codePart: Int, _ country: String) {
        guard let name = texts[part] else { return }
        if let code = texts[codePart], code != name { return }
        guard let codes = formats.regions[country]?[part] else { return }
        if let code = codes.codes[name.lowercased()] {
            texts[codePart] = code
        } else if let written = codes.names[name.uppercased()] {
            texts[part] = written
            texts[codePart] = name.uppercased()
        }
    }

    private mutating func omit(_ format: AddressFormats.Country) {
        guard !format.omissions.isEmpty else { return }
        isOmitted = Array(repeating: false, count: texts.count)
        for omission in format.omissions {
            switch omission.condition {
            case .other(let other, let text):
                isOmitted[omission.part] = isOmitted[omission.part] || texts[other] == text
            case .own(let before, let other, let after):
                if let other = texts[other], texts[omission.part] == before + other + after {
                    isOmitted[omission.part] = true
                }
            }
        }
    }

    private mutating func abbreviate(_ country: String) {
        for language in formats.languages()[country] ?? [] {
            for (part, words) in (try? formats.abbreviations(in: language)) ?? [:] {
                guard var text = texts[part] else { continue }
                for (long, short) in words { Self.shorten(&text, long, short) }
                texts[part] = text
            }
        }
    }

    /// Shortens a word, or several together, wherever they stand in the text as whole words.
    private static func shorten(_ text: inout String, _ long: String, _ short: String) {
        var from = text.startIndex
        while let found = text[from...].firstRange(of: long) {
            let isWord =
                (found.lowerBound == text.startIndex || text[text.index(before: found.lowerBound)] == " ")
                && (found.upperBound == text.endIndex
                    || !(text[found.upperBound].isLetter || text[found.upperBound].isNumber))
            guard isWord else {
                from = text.index(after: found.lowerBound)
                continue
            }
            let done = text.distance(from: text.startIndex, to: found.lowerBound) + short.count
            text.replaceSubrange(found, with: short)
            from = text.index(text.startIndex, offsetBy: done)
        }
    }

    // MARK: Lines

    private func written(_ layout: [AddressLine]) -> [String] {
        var result: [String] = []
        for line in layout {
            let text = line.text { part in
                guard let text = texts[part] else { return nil }
                return !isOmitted.isEmpty && isOmitted[part] ? "" : text
            }
            guard !text.isEmpty else { continue }
            if text.utf8.contains(0x0a) {
                for line in text.split(separator: "\n") { add(String(line), to: &result) }
            } else {
                add(text, to: &result)
            }
        }
        return result
    }

    private func add(_ line: String, to lines: inout [String]) {
        let line = line.utf8.contains(UInt8(ascii: ",")) ? saidOnce(line) : line
        if !line.isEmpty, !lines.contains(line) { lines.append(line) }
    }

    /// The line without what it says twice between commas, and without stray commas.
    private func saidOnce(_ line: String) -> String {
        var said: [Substring] = []
        for part in line.utf8.split(separator: UInt8(ascii: ",")) {
            var part = part.drop { $0 == 0x20 }
            while part.last == 0x20 { part.removeLast() }
            let text = Substring(part)
            if text.isEmpty || said.contains(text) && !formats.doubles.contains(text.lowercased()) { continue }
            said.append(text)
        }
        return said.joined(separator: ", ")
    }
}
