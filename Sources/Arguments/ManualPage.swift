import Terminal
import Text

/// The manual page of a program and all its commands, in the man macros of roff (man 7).
package struct ManualPage: Hashable, Sendable {
    package let root: CommandSpec
    package let version: String
    /// The day of the page as `2026-01-31`. It is the day of the release, so the same source always gives the same
    /// page.
    package let date: String
    package let section: Section

    /// A section of the manual.
    package enum Section: String, Hashable, Sendable {
        /// Programs for every user.
        case commands = "1"
        /// Programs for administrators.
        case administration = "8"

        fileprivate var title: String {
            switch self {
            case .commands: "User Commands"
            case .administration: "System Administration"
            }
        }
    }

    package init(
        root: CommandSpec, version: String, date: String, section: Section = .commands
    ) {
        self.root = root
        self.version = version
        self.date = date
        self.section = section
    }

    /// The source of the page `<program>.<section>`.
    package var roff: String {
        var page = Roff()
        page.title([root.name.uppercased(), section.rawValue, date, "\(root.name) \(version)", section.title])
        page.macro("SH", ["NAME"])
        page.text("\(root.name) - \(root.summary)")
        page.macro("SH", ["SYNOPSIS"])
        for (index, synopsis) in (HelpPage(of: root, path: [])?.synopses ?? []).enumerated() {
            if index > 0 { page.macro("br") }
            page.text(synopsis)
        }
        if !root.discussion.isEmpty {
            page.macro("SH", ["DESCRIPTION"])
            page.paragraphs(root.discussion)
        }
        page.macro("SH", ["OPTIONS"])
        page.definitions(root.options.map { ($0.manualTerm, $0.summary + $0.manualNote) })
        page.definitions([("-h, --help", "Show help for a command"), ("-V, --version", "Show the version")])
        if !root.shownSubcommands.isEmpty {
            page.macro("SH", ["COMMANDS"])
            for command in root.shownSubcommands {
                page.command(command, below: [root.name])
            }
        }
        for section in root.shownSubcommands.flatMap(\.sections) { page.section(section.title, section.definitions) }
        page.section("ENVIRONMENT", root.environment)
        page.section("FILES", root.files)
        page.section("EXIT STATUS", root.exitCodes)
        if !root.examples.isEmpty {
            page.macro("SH", ["EXAMPLES"])
            page.examples(root.examples)
        }
        if !root.reporting.isEmpty {
            page.macro("SH", ["REPORTING BUGS"])
            page.paragraphs(root.reporting)
        }
        if !root.seeAlso.isEmpty {
            page.macro("SH", ["SEE ALSO"])
            page.text(root.seeAlso.joined(separator: ", "))
        }
        return page.source
    }
}

private struct Roff {
    var source = ""

    /// Writes the title. Its date must have plain hyphens, unlike all other text.
    mutating func title(_ arguments: [String]) {
        macro("TH", arguments)
        source.replace("\\-", with: "-")
    }

    mutating func macro(_ name: String, _ arguments: [String] = []) {
        source += "." + name
        for argument in arguments {
            source += " \"" + argument.roffEscaped.replacing("\"", with: "\\(dq") + "\""
        }
        source += "\n"
    }

    /// Writes a line of text. A dot or an apostrophe at the start would make it a request, so such a line begins with
    /// `\&`.
    mutating func text(_ text: String) {
        let line = text.replacing("\n", with: " ").roffEscaped
        source += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
    }

    mutating func paragraphs(_ text: String) {
        for (index, paragraph) in text.split(separator: "\n\n").enumerated() {
            if index > 0 { macro("PP") }
            self.text(String(paragraph))
        }
    }

    mutating func definitions(_ rows: [(String, String)]) {
        for (term, summary) in rows {
            macro("TP")
            source += "\\fB" + term.roffEscaped + "\\fR\n"
            text(summary + ".")
        }
    }

    mutating func section(_ title: String, _ rows: [Definition]) {
        guard !rows.isEmpty else { return }
        macro("SH", [title])
        definitions(rows.map { ($0.term, $0.summary) })
    }

    mutating func examples(_ examples: [Example]) {
        for (index, example) in examples.enumerated() {
            if index > 0 { macro("PP") }
            text(example.summary + ":")
            macro("PP")
            macro("RS", ["4"])
            macro("nf")
            text("$ " + example.command)
            macro("fi")
            macro("RE")
        }
    }

    /// Writes a subsection for the command, and one for each command below it.
    mutating func command(_ command: CommandSpec, below path: [String]) {
        let path = path + [command.name]
        let arguments = command.arguments.map { argument in
            let name = argument.isRepeating ? argument.name + "..." : argument.name
            return argument.isRequired ? name : "[\(name)]"
        }
        macro("SS", [(path.dropFirst() + arguments).joined(separator: " ")])
        text(command.summary + ".")
        if !command.aliases.isEmpty {
            text("Also: " + command.aliases.joined(separator: ", ") + ".")
        }
        if !command.discussion.isEmpty {
            macro("PP")
            paragraphs(command.discussion)
        }
        definitions(command.arguments.map { ($0.name, $0.summary + $0.values.note) })
        definitions(command.options.map { ($0.manualTerm, $0.summary + $0.manualNote) })
        definitions(command.exitCodes.map { ("Exit status " + $0.term, $0.summary) })
        if !command.examples.isEmpty {
            macro("PP")
            examples(command.examples)
        }
        for subcommand in command.shownSubcommands {
            self.command(subcommand, below: path)
        }
    }
}

extension OptionSpec {
    fileprivate var manualTerm: String {
        (short.map { "-\($0), " } ?? "") + usage
    }

    fileprivate var manualNote: String {
        values.note + (defaultValue.map { " (default: \($0))" } ?? "")
    }
}

extension String {
    /// The text with escapes for all characters that roff would read as a command or print differently (groff_char 7).
    fileprivate var roffEscaped: String {
        var result = ""
        for scalar in sanitized().unicodeScalars {
            switch scalar {
            case "\\": result += "\\(rs"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default: result += "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded)]"
            }
        }
        return result
    }

    /// The text with zeros in front, to at least four digits, as in groff's names of characters.
    private var leftPadded: String { String(repeating: "0", count: Swift.max(0, 4 - count)) + self }
}
