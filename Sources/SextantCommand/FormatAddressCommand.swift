import Foundation
import Sextant

/// `sextant format-address`
enum FormatAddressCommand {
    /// How the answers are written.
    private enum Form { case lines, oneLine, json }

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let formatter = try AddressFormatter.shared
        if arguments.has("--json"), arguments.has("--one-line") {
            throw UsageError("--json and --one-line exclude each other")
        }
        let form: Form = arguments.has("--json") ? .json : arguments.has("--one-line") ? .oneLine : .lines
        let country = try arguments["--country"].map { try Self.country($0, formatter) }
        let files = arguments.words.isEmpty ? ["-"] : arguments.words
        if files == ["-"], isatty(0) == 1 { console.say("Type an address as a JSON object on a line; Control-D ends.") }

        var work = Work(
            formatter: formatter, country: country, isAbbreviating: arguments.has("--abbreviate"), form: form,
            console: console)
        var isReadable = true
        for file in files {
            do {
                try work.read(file)
            } catch let error as POSIXError {
                work.flush()
                let name = file == "-" ? "standard input" : "\"\(file)\""
                console.complain("\(name) cannot be read: \(String(cString: strerror(error.code.rawValue)))")
                isReadable = false
            }
        }
        work.finish()
        return isReadable && work.faults == 0 ? .found : .unreadableInput
    }

    private static func country(_ text: String, _ formatter: AddressFormatter) throws -> String {
        let code = text.trimmed.lowercased()
        guard code == "uk" || formatter.countries.contains(code) else {
            throw UsageError("--country wants a country's code of two letters, such as fr, not \"\(text)\"")
        }
        return code
    }

    /// The parts of an address from a line of JSON.
    ///
    /// Texts and numbers are taken as they are, null and false as missing.
    static func parts(_ line: [UInt8]) throws(LineFault) -> [String: String] {
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed)
        } catch {
            throw LineFault(
                "this is no JSON; an object such as {\"road\": \"Städtle\", \"country_code\": \"li\"} is expected")
        }
        guard let object = value as? [String: Any] else {
            throw LineFault("\(kind(of: value)) where the parts of an address are expected, as an object in one line")
        }
        var parts: [String: String] = [:]
        for (name, value) in object {
            switch value {
            case let text as String: parts[name] = text
            case is NSNull: break
            case let number as NSNumber where kind(of: number) == "a number": parts[name] = number.stringValue
            case let number as NSNumber where !number.boolValue: break
            default: throw LineFault("\"\(name)\" is \(kind(of: value)) where a text is expected")
            }
        }
        return parts
    }

    /// What is wrong with a line.
    struct LineFault: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    private static func kind(of value: Any) -> String {
        switch value {
        case is [Any]: "a list"
        case is [String: Any]: "an object"
        case is NSNull: "null"
        case let number as NSNumber:
            String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
                ? "true or false" : "a number"
        default: "a text"
        }
    }

    /// Addresses as they are read and written, counted.
    private struct Work {
        let formatter: AddressFormatter
        let country: String?
        let isAbbreviating: Bool
        let form: Form
        let console: Console
        private var output = ""
        private var addresses = 0
        private(set) var faults = 0
        private let meter: ProgressMeter
        private let start = ContinuousClock.now

        init(formatter: AddressFormatter, country: String?, isAbbreviating: Bool, form: Form, console: Console) {
            self.formatter = formatter
            self.country = country
            self.isAbbreviating = isAbbreviating
            self.form = form
            self.console = console
            meter = ProgressMeter(console)
        }

        mutating func read(_ file: String) throws {
            let descriptor = file == "-" ? 0 : open(file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            defer { if descriptor > 0 { close(descriptor) } }
            let isTyped = isatty(descriptor) == 1
            var lines = LineReader(descriptor: descriptor)
            while let line = try lines.next() {
                if line.bytes?.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) == true { continue }
                do throws(LineFault) {
                    guard let bytes = line.bytes else { throw LineFault("longer than a megabyte: no address") }
                    write(formatter.lines(try parts(bytes), country: country, abbreviating: isAbbreviating))
                } catch {
                    faults += 1
                    flush()
                    meter.finish()
                    console.complain("\(file == "-" ? "standard input" : file), line \(line.number): \(error)")
                    write(error)
                }
                if isTyped || output.utf8.count > 1 << 15 { flush() }
                if (addresses + faults).isMultiple(of: 4096), !isTyped, isatty(1) == 0 {
                    meter.report(phase: "addresses", done: addresses, total: nil, unit: "addresses")
                }
            }
        }

        private mutating func write(_ lines: [String]) {
            let isFirst = addresses + faults == 0
            addresses += 1
            switch form {
            case .lines:
                if !isFirst { output += "\n" }
                for line in lines { output += Console.harmless(line) + "\n" }
            case .oneLine: output += Console.harmless(lines.joined(separator: ", ")) + "\n"
            case .json:
                var json = JSONWriter(reservingCapacity: 128)
                json.object {
                    $0.key("lines")
                    $0.array { array in for line in lines { array.string(line) } }
                }
                output += json.text + "\n"
            }
        }

        /// Keeps the place of a bad line, where answers stand a line each.
        private mutating func write(_ fault: LineFault) {
            switch form {
            case .lines: break
            case .oneLine: output += "\n"
            case .json:
                var json = JSONWriter(reservingCapacity: 128)
                json.object { $0.member("error", fault.description) }
                output += json.text + "\n"
            }
        }

        mutating func flush() {
            Console.write(output, to: 1)
            output = ""
        }

        mutating func finish() {
            flush()
            meter.finish()
            guard addresses + faults >= 1000 || faults > 0 else { return }
            let seconds = start.duration(to: .now).seconds
            let bad = faults == 0 ? "" : ", \(countText(faults)) bad line\(faults == 1 ? "" : "s")"
            let took = seconds < 10 ? String(format: "%.1f s", seconds) : durationText(seconds)
            console.say("\(countText(addresses)) address\(addresses == 1 ? "" : "es") in \(took)\(bad)")
        }
    }
}
