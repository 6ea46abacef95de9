package import Terminal

/// The help for a command, laid out for a terminal.
package struct HelpPage: Hashable, Sendable {
    /// The commands from the root to the command of the page.
    package let commands: [CommandSpec]

    /// Creates the page; nil if `path` does not lead to a command.
    package init?(of root: CommandSpec, path: some Sequence<String>) {
        guard let commands = root.commands(along: path) else { return nil }
        self.commands = commands
    }

    private var command: CommandSpec { commands[commands.count - 1] }
    private var inherited: [OptionSpec] {
        commands.dropLast().flatMap(\.options).filter { inherited in
            !command.options.contains { $0.widens(inherited) }
        }
    }

    /// The command's own examples, and those of the commands above that run it.
    private var examples: [Example] {
        let start = commands.map(\.name).joined(separator: " ")
        return command.examples
            + commands.dropLast().flatMap(\.examples).filter {
                ($0.command + " ").hasPrefix(start + " ") && commands.count > 2
            }
    }

    /// Returns the page in lines of at most `width` columns. The width is limited to the range 40 to 100.
    package func text(width: Int) -> StyledText {
        let width = min(max(width, 40), 100)
        var lines = [Span(command.summary)].wrapped(to: width)
        for paragraph in command.discussion.split(separator: "\n\n") {
            lines.append([])
            lines += [Span(paragraph.replacing("\n", with: " "))].wrapped(to: width)
        }
        func section(_ title: String, _ content: [[Span]]) {
            guard !content.isEmpty else { return }
            lines.append([])
            lines.append([Span(title, .bold)])
            lines += content
        }
        func list(_ rows: [(String, String)]) -> [[Span]] {
            definitions(rows, width: width)
        }
        section("USAGE", synopses.map { [Span("  " + $0)] })
        section(
            "COMMANDS",
            list(command.shownSubcommands.map { (([$0.name] + $0.aliases).joined(separator: ", "), $0.summary) })
        )
        section("ARGUMENTS", list(command.arguments.map { ($0.usage, $0.summary + $0.values.note) }))
        section("OPTIONS", list(command.options.map(\.help)))
        section("INHERITED OPTIONS", list(inherited.map(\.help) + builtIn))
        for extra in command.sections {
            section(extra.title, list(extra.definitions.map { ($0.term, $0.summary) }))
        }
        section("ENVIRONMENT", list(command.environment.map { ($0.term, $0.summary) }))
        section("FILES", list(command.files.map { ($0.term, $0.summary) }))
        section("EXIT CODES", list(command.exitCodes.map { ($0.term, $0.summary) }))
        section(
            "EXAMPLES",
            examples.enumerated().flatMap { index, example in
                (index == 0 ? [] : [[]])
                    + [Span(example.summary, .dim)].wrapped(to: width - 2).map { [Span("  ")] + $0 }
                    + [[Span("  $ " + example.command)]]
            }
        )
        return StyledText(lines: lines)
    }

    private var builtIn: [(String, String)] {
        commands.count == 1
            ? [("-h, --help", "Show help for a command"), ("-V, --version", "Show the version")]
            : [("-h, --help", "Show this help")]
    }

    /// The forms of the command line, one line for each.
    package var synopses: [String] {
        let name = commands.map(\.name).joined(separator: " ")
        let options = " [OPTION]..."
        var forms: [String] = command.worksAlone ? [name + options] : []
        if !command.needsSubcommand {
            forms.append(name + options + command.arguments.map { " " + $0.synopsis }.joined())
        }
        if !command.shownSubcommands.isEmpty {
            forms.append(name + " COMMAND" + options + " [ARGUMENT]...")
        }
        return forms
    }
}

/// Returns terms and their meanings. Short terms are in a column next to their meanings. A long term has its own line.
private func definitions(_ rows: [(String, String)], width: Int) -> [[Span]] {
    let limit = min(32, width / 2)
    let column = rows.map { $0.0.displayWidth }.filter { $0 <= limit }.max() ?? 0
    return rows.flatMap { term, summary in
        let wrapped = [Span(summary)].wrapped(to: width - column - 4)
        let indent = Span(String(repeating: " ", count: column + 4))
        if term.displayWidth > column {
            return [[Span("  " + term)]] + wrapped.map { [indent] + $0 }
        }
        return [[Span("  " + term.padded(to: column) + "  ")] + (wrapped.first ?? [])]
            + wrapped.dropFirst().map { [indent] + $0 }
    }
}

extension ArgumentSpec {
    /// The argument as `PATH` or `PATH...`.
    fileprivate var usage: String { isRepeating ? name + "..." : name }

    /// The same, in brackets if the argument is optional.
    fileprivate var synopsis: String { isRequired ? usage : "[\(usage)]" }
}

extension OptionSpec {
    fileprivate var help: (String, String) {
        let names = (short.map { "-\($0), " } ?? "    ") + usage
        return (names, summary + values.note + (defaultValue.map { " (default: \($0))" } ?? ""))
    }
}

extension Values {
    /// The choices, as text that follows a summary.
    package var note: String {
        guard case .choices(let choices) = self else { return "" }
        return ": " + choices.joined(separator: ", ")
    }
}
