import Arguments
import Terminal
import Text

/// `config`: shows, checks, or edits the configuration.
struct ConfigCommand: Command {
    private enum Task {
        case show([ConfigurationKey])
        case check
        case path
        case edit
    }

    static let name = "config"
    static let spec = CommandSpec(
        name: name, summary: "show, check, and edit the configuration",
        discussion: """
            The configuration is an optional TOML file. Options and variables of this program override it; it \
            overrides PAGER and BROWSER, which apply to all programs. The theme and the width that a user chose in the \
            reader override the file for that user. Mistakes are reported with their line, and commands that use the \
            configuration exit with 78 until it is corrected. If a mistake hides the database, these are all commands \
            that use the library.

            [list] contains the initial options of list and the reader: a filter on the command line replaces all of \
            them, and a path that you open is shown without them. [keys] contains the keys of the reader, a string or \
            an array of strings, such as j, J, Space, PgDn, F2, Ctrl-D, or Alt-x. An assigned key has \
            no other function on the same screen.
            """,
        subcommands: [
            CommandSpec(
                name: "show", summary: "show all keys with their values and defaults, as a file",
                arguments: [
                    ArgumentSpec(
                        name: "KEY", summary: "only these keys", isRequired: false, isRepeating: true,
                        values: .suggestions(ConfigurationKey.all.map(\.path)))
                ]),
            CommandSpec(
                name: "check", summary: "report mistakes in the file",
                examples: [Example(command: "articlesctl config check", summary: "check the file")]
            ),
            CommandSpec(
                name: "path", summary: "print the path of the file",
                examples: [Example(command: "articlesctl config path", summary: "print the path of the file")]),
            CommandSpec(name: "edit", summary: "open the file in the editor; a new file contains all keys"),
        ],
        needsSubcommand: true,
        examples: [
            Example(command: "articlesctl config edit", summary: "edit the configuration"),
            Example(command: "articlesctl config show theme keys.star", summary: "show two keys"),
            Example(
                command: "ARTICLESCTL_CONFIG=/dev/null articlesctl list",
                summary: "ignore the configuration, as scripts should"),
        ],
        sections: [
            DefinitionSection(
                title: "CONFIGURATION",
                definitions: ConfigurationKey.all.map { key in
                    Definition(
                        term: key.path, summary: "\(key.summary): \(key.values.words) (default: \(key.standard))")
                })
        ])

    private let task: Task

    init(_ parsed: ParsedCommand) throws {
        switch parsed.path.last {
        case "show":
            task = .show(
                try parsed.arguments("KEY").map { name in
                    guard let key = ConfigurationKey.all.first(where: { $0.path == name }) else {
                        let problem = UsageError.Problem.invalidValue(
                            of: "KEY", value: name, expected: "a key of the configuration")
                        throw UsageError(
                            problem, command: parsed.error(problem).command,
                            suggestions: ConfigurationKey.all.map(\.path).suggestions(for: name))
                    }
                    return key
                })
        case "check": task = .check
        case "path": task = .path
        default: task = .edit
        }
    }

    func run(in context: Context) async throws {
        switch task {
        case .show(let keys): try show(keys, in: context)
        case .check: try check(in: context)
        case .path:
            let path = try context.configurationFile.existingPath()
            try context.report(path, json: ["path": .string(path), "exists": .bool(context.configurationFile.exists)])
        case .edit: try edit(in: context)
        }
    }

    private func show(_ keys: [ConfigurationKey], in context: Context) throws {
        let file = context.configurationFile
        let text = file.read()
        let page = ConfigurationPage(text: text)
        if context.json {
            let shown = keys.isEmpty ? ConfigurationKey.all : keys
            try context.output.writeLine(
                ([
                    "path": JSON(file.path), "exists": .bool(file.exists), "keys": .array(shown.map(page.json)),
                    "mistakes": .array(text.mistakes.map(\.json)),
                ] as JSON).description)
        } else if keys.isEmpty {
            try context.output.write(page.file)
        } else {
            for key in keys { try context.output.writeLine(page.line(key, isComment: false)) }
        }
        try context.output.flush()
        if !context.json { for mistake in text.mistakes { context.say(mistake.text(in: file.path ?? "")) } }
    }

    private func check(in context: Context) throws {
        let file = context.configurationFile
        let mistakes = file.read().mistakes
        guard mistakes.isEmpty else { throw context.configurationError(mistakes) }
        let path = try file.existingPath()
        try context.report(
            file.exists ? "\(path) has no mistakes." : "\(path) does not exist: all keys have their defaults.",
            json: ["path": .string(path), "exists": .bool(file.exists), "mistakes": []])
    }

    private func edit(in context: Context) throws {
        let file = context.configurationFile
        let path = try file.existingPath()
        let found = Editor(environment: context.environment, inheriting: context.variables, on: context.terminal)
        guard let editor = found else {
            throw CommandError(
                "the editor needs a terminal", hint: "set EDITOR to an editor that needs none, or edit \(path)",
                code: .usage)
        }
        if !file.exists { try create(path) }
        guard let status = editor.edit(path, at: file.read().mistakes.first?.line) else {
            throw CommandError("cannot start the editor “\(editor.name)”", code: .unavailable)
        }
        guard status == 0 else {
            throw CommandError("the editor “\(editor.name)” exited with status \(status)", code: .declined)
        }
        try check(in: context)
    }

    private func create(_ path: String) throws {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try Locations.makeFolder(String(path[..<slash]))
        }
        try ConfigurationFile.create(path, ConfigurationPage(text: ConfigurationText()).file)
    }
}
