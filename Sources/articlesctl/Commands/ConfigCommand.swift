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

    static let spec = CommandSpec(
        name: "config", summary: "see, check and change the configuration",
        discussion: """
            The configuration is a file in TOML, where one is wanted. An option wins over it, and so does a variable of this \
            program; it wins over PAGER and BROWSER, which are for all programs. What was chosen in the reader, the theme \
            and the width, is newer than the file and wins for who is logged in. A mistake is named with its line, and \
            commands that go by the configuration end with 78 until it is mended.

            In [list] are the options that list and the reader begin with: a condition on the command line replaces all of \
            them, and a place that is named is shown as it is. In [keys] are the keys of the reader, a text or an array of \
            them, as j, J, Space, PgDn, F2, Ctrl-D or Alt-x. A key that is chosen for something does nothing else there.
            """,
        subcommands: [
            CommandSpec(
                name: "show", summary: "show every key, its value and its default, as a file",
                arguments: [
                    ArgumentSpec(
                        name: "KEY", summary: "only these keys", isRequired: false, isRepeating: true,
                        values: .suggestions(ConfigurationKey.all.map(\.path)))
                ]),
            CommandSpec(
                name: "check", summary: "say what is wrong in the file",
                examples: [Example(command: "articlesctl config check", summary: "see whether all of it is understood")]
            ),
            CommandSpec(
                name: "path", summary: "say where the file is",
                examples: [Example(command: "articlesctl config path", summary: "see which file is meant")]),
            CommandSpec(name: "edit", summary: "open the file in the editor, with every key in it at first"),
        ],
        needsSubcommand: true,
        examples: [
            Example(command: "articlesctl config edit", summary: "change it"),
            Example(command: "articlesctl config show theme keys.star", summary: "see two of the keys"),
            Example(
                command: "ARTICLESCTL_CONFIG=/dev/null articlesctl list",
                summary: "do without it once, as scripts should"),
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
            file.exists ? "\(path) is right." : "There is no \(path): every key has its default.",
            json: ["path": .string(path), "exists": .bool(file.exists), "mistakes": []])
    }

    private func edit(in context: Context) throws {
        let file = context.configurationFile
        let path = try file.existingPath()
        let found = Editor(environment: context.environment, inheriting: context.variables, on: context.terminal)
        guard let editor = found else {
            throw CommandError(
                "there is no terminal to edit on", hint: "name an editor that needs none with EDITOR, or edit \(path)",
                code: .usage)
        }
        if !file.exists { try create(path) }
        guard let status = editor.edit(path, at: file.read().mistakes.first?.line) else {
            throw CommandError("the editor “\(editor.name)” cannot be started", code: .unavailable)
        }
        guard status == 0 else {
            throw CommandError("the editor “\(editor.name)” ended with \(status)", code: .declined)
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
