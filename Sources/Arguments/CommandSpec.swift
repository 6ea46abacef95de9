internal import Text

/// The specification of a command. The parser, the help, the manual page, and the completions are all made from it.
///
/// The options of a command also belong to its subcommands, so the options of the root can be given anywhere.
package struct CommandSpec: Hashable, Sendable {
    package var name: String
    package var aliases: [String] = []
    /// A line without a full stop.
    package var summary: String
    /// Paragraphs, separated by empty lines.
    package var discussion = ""
    package var arguments: [ArgumentSpec] = []
    package var options: [OptionSpec] = []
    package var subcommands: [CommandSpec] = []
    /// Whether the command requires a subcommand.
    package var needsSubcommand = false
    /// Whether the command can also be given without arguments, and then does something of its own.
    package var worksAlone = false
    /// Whether the command is only for other programs, so help and completions omit it.
    package var isHidden = false
    package var examples: [Example] = []
    package var exitCodes: [Definition] = []
    /// Environment variables and files for the manual page.
    package var environment: [Definition] = []
    package var files: [Definition] = []
    /// More sections, each with a title in capitals. The manual page collects those of all commands.
    package var sections: [DefinitionSection] = []
    /// Related manual pages, such as `less(1)`.
    package var seeAlso: [String] = []
    /// A paragraph that tells users where to report bugs.
    package var reporting = ""

    package init(
        name: String, aliases: [String] = [], summary: String, discussion: String = "", arguments: [ArgumentSpec] = [],
        options: [OptionSpec] = [], subcommands: [CommandSpec] = [], needsSubcommand: Bool = false,
        worksAlone: Bool = false, isHidden: Bool = false, examples: [Example] = [], exitCodes: [Definition] = [],
        environment: [Definition] = [], files: [Definition] = [], sections: [DefinitionSection] = [],
        seeAlso: [String] = [], reporting: String = ""
    ) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.subcommands = subcommands
        self.needsSubcommand = needsSubcommand
        self.worksAlone = worksAlone
        self.isHidden = isHidden
        self.examples = examples
        self.exitCodes = exitCodes
        self.environment = environment
        self.files = files
        self.sections = sections
        self.seeAlso = seeAlso
        self.reporting = reporting
    }

}

/// A positional argument.
package struct ArgumentSpec: Hashable, Sendable {
    /// The name in capitals, as in the help: `PATH`.
    package var name: String
    package var summary: String
    package var isRequired = true
    /// Whether it takes all remaining arguments.
    package var isRepeating = false
    package var values: Values = .any
    /// The alternatives to a required argument, in words that follow “missing”.
    package var whenMissing: String?

    package init(
        name: String, summary: String, isRequired: Bool = true, isRepeating: Bool = false, values: Values = .any,
        whenMissing: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.isRequired = isRequired
        self.isRepeating = isRepeating
        self.values = values
        self.whenMissing = whenMissing
    }

}

/// An option, with or without a value.
package struct OptionSpec: Hashable, Sendable {
    /// The long name without its hyphens.
    package var name: String
    package var short: Character?
    package var summary: String
    /// The name of the value in capitals; nil for a flag.
    package var value: String?
    /// Whether the value can be omitted: `--json` and `--json=FIELDS`.
    package var isValueOptional = false
    package var values: Values = .any
    /// The default value, as the help shows it.
    package var defaultValue: String?
    package var isRepeating = false

    package init(
        name: String, short: Character? = nil, summary: String, value: String? = nil, isValueOptional: Bool = false,
        values: Values = .any, defaultValue: String? = nil, isRepeating: Bool = false
    ) {
        self.name = name
        self.short = short
        self.summary = summary
        self.value = value
        self.isValueOptional = isValueOptional
        self.values = values
        self.defaultValue = defaultValue
        self.isRepeating = isRepeating
    }

}

/// The values that an argument or option accepts.
package enum Values: Hashable, Sendable {
    case any
    case file
    case directory
    /// The parser accepts only these values.
    case choices([String])
    /// Completions offer these values. The command decides which other values it accepts.
    case suggestions([String])
    /// Names from the library. The completion scripts ask the program for them.
    case names(NameKind)
}

/// The kinds of names that completions offer.
package enum NameKind: String, CaseIterable, Hashable, Sendable {
    /// Slugs of articles.
    case article
    /// Tags of articles, and the user's own tags with `mine:` before them.
    case tag
    case ownTag = "own-tag"
    case author
    case source
    case sourceTag = "source-tag"
    case savedSearch = "saved-search"
    case rule
    /// The IDs of the user's sessions.
    case session
    /// The names of the user's API tokens.
    case token
    case user
    /// Paths of places.
    case place
    /// Field names, separated by commas.
    case fields
    /// Text with field names in braces.
    case template
}

/// An example of a command line, and what it does.
package struct Example: Hashable, Sendable {
    package var command: String
    package var summary: String

    package init(
        command: String, summary: String
    ) {
        self.command = command
        self.summary = summary
    }

}

/// Definitions under a title.
package struct DefinitionSection: Hashable, Sendable {
    package var title: String
    package var definitions: [Definition]

    package init(
        title: String, definitions: [Definition]
    ) {
        self.title = title
        self.definitions = definitions
    }

}

/// A term in the manual page and its meaning.
package struct Definition: Hashable, Sendable {
    package var term: String
    package var summary: String

    package init(
        term: String, summary: String
    ) {
        self.term = term
        self.summary = summary
    }

}

extension CommandSpec {
    /// Returns the commands from this one to the one that `names` leads to, by name or alias; nil if such a command
    /// does not exist.
    package func commands(along names: some Sequence<String>) -> [CommandSpec]? {
        var chain = [self]
        for name in names {
            guard let next = chain.last?.subcommand(named: name) else { return nil }
            chain.append(next)
        }
        return chain
    }

    /// The subcommands that the help shows.
    package var shownSubcommands: [CommandSpec] { subcommands.filter { !$0.isHidden } }

    /// Returns the names of subcommands that are similar to `name`, the most similar first.
    package func suggestions(for name: String) -> [String] {
        shownSubcommands.flatMap { [$0.name] + $0.aliases }.suggestions(for: name)
    }

    package func subcommand(named name: String) -> CommandSpec? {
        subcommands.first { $0.name == name || $0.aliases.contains(name) }
    }
}

extension OptionSpec {
    /// The option with its hyphens: `--database`.
    package var spelling: String { "--" + name }

    /// The option with its value: `--database PATH`, `--json[=FIELDS]`.
    package var usage: String { spelling + (value.map { isValueOptional ? "[=\($0)]" : " " + $0 } ?? "") }

    /// Whether this option adds an optional value to a flag of the commands above.
    package func widens(_ inherited: OptionSpec) -> Bool {
        isValueOptional && inherited.value == nil && (name, short) == (inherited.name, inherited.short)
    }
}

extension [CommandSpec] {
    /// The options of the last command in the chain and then of the commands above it, without those that it widens.
    package var options: [OptionSpec] {
        let own = last?.options ?? []
        return own
            + dropLast().reversed().flatMap(\.options).filter { inherited in
                !own.contains { $0.widens(inherited) }
            }
    }
}

/// The version of all programs of this package.
package enum ProgramVersion {
    /// The number of the version (<https://semver.org>).
    package static let number = "1.0.0"
    /// The day of the version.
    package static let date = "2026-11-21"
}
