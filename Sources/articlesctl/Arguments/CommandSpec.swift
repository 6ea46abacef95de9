/// What a command is called and accepts, as a value: parsing, help, manual page and completions are all made from it.
///
/// Options of a command belong to its subcommands too, so those of the root can be given anywhere.
struct CommandSpec: Hashable, Sendable {
    var name: String
    var aliases: [String] = []
    /// One line without a full stop.
    var summary: String
    /// Paragraphs, separated by empty lines.
    var discussion = ""
    var arguments: [ArgumentSpec] = []
    var options: [OptionSpec] = []
    var subcommands: [CommandSpec] = []
    /// Whether the command does nothing without one of its subcommands.
    var needsSubcommand = false
    /// Whether its name, with options at most, does something of its own all the same.
    var worksAlone = false
    /// Whether it is for other programs, so that neither help nor completions speak of it.
    var isHidden = false
    var examples: [Example] = []
    var exitCodes: [Definition] = []
    /// Environment variables and files, as the manual page lists them.
    var environment: [Definition] = []
    var files: [Definition] = []
    /// What else there is to look up, each with a title in capitals; the manual page has them for all commands together.
    var sections: [DefinitionSection] = []
    /// Other manual pages that a reader of this one's may want, such as `less(1)`.
    var seeAlso: [String] = []
    /// Where to report what is wrong, in a paragraph.
    var reporting = ""
}

/// A positional argument.
struct ArgumentSpec: Hashable, Sendable {
    /// In capitals, as help shows it: `PATH`.
    var name: String
    var summary: String
    var isRequired = true
    /// Whether it takes all arguments that are left.
    var isRepeating = false
    var values: Values = .any
    /// What else there is for who leaves it out though it is required, in words after “missing”.
    var whenMissing: String?
}

/// An option, with or without a value.
struct OptionSpec: Hashable, Sendable {
    /// The long name without its hyphens.
    var name: String
    var short: Character?
    var summary: String
    /// The name of the value in capitals; nil for a flag.
    var value: String?
    /// Whether it is a flag too: `--json` and `--json=FIELDS`.
    var isValueOptional = false
    var values: Values = .any
    /// What holds where the option is left out, as help shows it.
    var defaultValue: String?
    var isRepeating = false
}

/// What an argument or option may be.
enum Values: Hashable, Sendable {
    case any
    case file
    case directory
    /// One of these; the parser refuses everything else.
    case choices([String])
    /// One of these, as far as completions know; what else there may be is for the command to judge.
    case suggestions([String])
    /// What is called so in the library, which completions ask the program for.
    case names(NameKind)
}

/// Kinds of names that completions offer.
enum NameKind: String, CaseIterable, Hashable, Sendable {
    /// Slugs of articles.
    case article
    /// Tags of articles, and with `mine:` before them those of one's own.
    case tag
    case ownTag = "own-tag"
    case author
    case source
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
struct Example: Hashable, Sendable {
    var command: String
    var summary: String
}

/// Terms under a title.
struct DefinitionSection: Hashable, Sendable {
    var title: String
    var definitions: [Definition]
}

/// A term of the manual page and what it means.
struct Definition: Hashable, Sendable {
    var term: String
    var summary: String
}

extension CommandSpec {
    /// The commands from this one down to the one that `names` leads to, by name or alias; nil where there is none.
    func commands(along names: some Sequence<String>) -> [CommandSpec]? {
        var chain = [self]
        for name in names {
            guard let next = chain.last?.subcommand(named: name) else { return nil }
            chain.append(next)
        }
        return chain
    }

    /// The subcommands that people are told of.
    var shownSubcommands: [CommandSpec] { subcommands.filter { !$0.isHidden } }

    func subcommand(named name: String) -> CommandSpec? {
        subcommands.first { $0.name == name || $0.aliases.contains(name) }
    }
}

extension OptionSpec {
    /// As a person writes it: `--database`.
    var spelling: String { "--" + name }

    /// How it is written with its value: `--database PATH`, `--json[=FIELDS]`.
    var usage: String { spelling + (value.map { isValueOptional ? "[=\($0)]" : " " + $0 } ?? "") }

    /// Whether it is a flag of the commands above as well, which takes a value in this one.
    func widens(_ inherited: OptionSpec) -> Bool {
        isValueOptional && inherited.value == nil && (name, short) == (inherited.name, inherited.short)
    }
}

extension [CommandSpec] {
    /// The options of the last command of the chain and then of those above it, without the ones that it widens.
    var options: [OptionSpec] {
        let own = last?.options ?? []
        return own
            + dropLast().reversed().flatMap(\.options).filter { inherited in
                !own.contains { $0.widens(inherited) }
            }
    }
}
