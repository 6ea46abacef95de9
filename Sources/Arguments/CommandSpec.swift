internal import Text

/// The name and the arguments of a command, as a value from which parsing, help, manual page, and completions are made.
///
/// Options of a command belong to its subcommands too, so those of the root can be given anywhere.
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
    /// Whether the command does nothing without one of its subcommands.
    package var needsSubcommand = false
    /// Whether its name, with options at most, does something of its own all the same.
    package var worksAlone = false
    /// Whether it is for other programs, so that neither help nor completions speak of it.
    package var isHidden = false
    package var examples: [Example] = []
    package var exitCodes: [Definition] = []
    /// Environment variables and files, as the manual page lists them.
    package var environment: [Definition] = []
    package var files: [Definition] = []
    /// Further sections, each with a title in capitals. The manual page collects those of all commands.
    package var sections: [DefinitionSection] = []
    /// Other manual pages that a reader of this one's may want, such as `less(1)`.
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
    /// In capitals, as help shows it: `PATH`.
    package var name: String
    package var summary: String
    package var isRequired = true
    /// Whether it takes all arguments that are left.
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
    /// Whether it is a flag too: `--json` and `--json=FIELDS`.
    package var isValueOptional = false
    package var values: Values = .any
    /// The default value, as help shows it.
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
    /// The parser accepts only these.
    case choices([String])
    /// Completions offer these; the command decides which others it accepts.
    case suggestions([String])
    /// Names from the library. Completions ask the program for them.
    case names(NameKind)
}

/// Kinds of names that completions offer.
package enum NameKind: String, CaseIterable, Hashable, Sendable {
    /// Slugs of articles.
    case article
    /// Tags of articles, and with `mine:` before them those of one's own.
    case tag
    case ownTag = "own-tag"
    case author
    case source
    /// Tags of sources.
    case sourceTag = "source-tag"
    /// The ids of one's sessions.
    case session
    /// The names of one's API tokens.
    case token
    case user
    /// Paths of places.
    case place
    /// Fields with commas between them.
    case fields
    /// Text with fields between braces.
    case template
}

/// A command line to try, and what it does.
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

/// Terms under a title.
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

/// A term of the manual page and what it means.
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
    /// The commands from this one down to the one that `names` leads to, by name or alias; nil where there is none.
    package func commands(along names: some Sequence<String>) -> [CommandSpec]? {
        var chain = [self]
        for name in names {
            guard let next = chain.last?.subcommand(named: name) else { return nil }
            chain.append(next)
        }
        return chain
    }

    /// The subcommands that help shows.
    package var shownSubcommands: [CommandSpec] { subcommands.filter { !$0.isHidden } }

    /// The names of subcommands that are like `name`, the most similar first.
    package func suggestions(for name: String) -> [String] {
        shownSubcommands.flatMap { [$0.name] + $0.aliases }.suggestions(for: name)
    }

    package func subcommand(named name: String) -> CommandSpec? {
        subcommands.first { $0.name == name || $0.aliases.contains(name) }
    }
}

extension OptionSpec {
    /// As a person writes it: `--database`.
    package var spelling: String { "--" + name }

    /// How it is written with its value: `--database PATH`, `--json[=FIELDS]`.
    package var usage: String { spelling + (value.map { isValueOptional ? "[=\($0)]" : " " + $0 } ?? "") }

    /// Whether it is a flag of the commands above as well, which takes a value in this one.
    package func widens(_ inherited: OptionSpec) -> Bool {
        isValueOptional && inherited.value == nil && (name, short) == (inherited.name, inherited.short)
    }
}

extension [CommandSpec] {
    /// The options of the last command of the chain and then of those above it, without the ones that it widens.
    package var options: [OptionSpec] {
        let own = last?.options ?? []
        return own
            + dropLast().reversed().flatMap(\.options).filter { inherited in
                !own.contains { $0.widens(inherited) }
            }
    }
}
