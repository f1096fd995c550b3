/// The pages of help: an example first, then the rest.
enum Help {
    /// The page of the whole command.
    static var overview: String {
        var lines = [
            "sextant demo", "",
            "Sextant finds addresses, places and ways without a network, in atlases made from OpenStreetMap and GeoNames.",
            "", "usage: sextant COMMAND ...", "",
        ]
        var table = Table([.left, .left], indent: 2)
        for command in Subcommand.all { table.add(command.name, command.summary) }
        table.add("help", "Tell more about a command: sextant help route")
        table.add("version", "Tell the version")
        lines += table.lines
        lines += ["", "exit codes:"] + exitCodes
        return lines.joined(separator: "\n")
    }

    /// The page of one subcommand.
    static func page(_ command: Subcommand) -> String {
        var lines: [String] = []
        var examples = Table([.left, .left])
        for example in command.examples { examples.add(example.command, "# " + example.purpose) }
        lines += examples.lines
        lines += ["", "usage: sextant \(command.name) \(command.usage)", ""]
        lines += wrapped(command.summary + ".", columns: 96)
        for paragraph in command.details { lines += [""] + wrapped(paragraph, columns: 96) }
        lines += ["", "options:"]
        let names = command.options.map { option in
            (option.short.map { $0 + ", " } ?? "    ") + option.name + (option.value.map { " " + $0 } ?? "")
        }
        let column = (names.map { $0.count }.max() ?? 0) + 4
        for (name, option) in zip(names, command.options) {
            for (index, line) in wrapped(option.help, columns: 96 - column).enumerated() {
                let left = index == 0 ? "  " + name : ""
                lines.append(left + String(repeating: " ", count: column - left.count) + line)
            }
        }
        lines += ["", "exit codes:"] + exitCodes
        return lines.joined(separator: "\n")
    }

    private static var exitCodes: [String] {
        var table = Table([.right, .left], indent: 2)
        for code in ExitCode.allCases { table.add("\(code.rawValue)", code.meaning) }
        return table.lines
    }
}
