import ArticleImporting
import Arguments
import ArticleStore
import Terminal
import Text

/// Lets the user edit a text until it is valid or they give up. In the latter case, the text is kept in its file.
struct EditorSession {
    /// The result of the editor session.
    enum Outcome<Result> {
        /// The text was used.
        case used(Result)
        /// The text is unchanged.
        case unchanged
        /// The text is empty.
        case emptied
    }

    /// The user's choice for a text that could not be used.
    enum Remedy {
        /// Edit it again.
        case edit
        /// Use it as it is.
        case use
        /// Give up.
        case giveUp
    }

    private let editor: Editor
    private let context: Context

    /// - Throws: `CommandError` if neither `VISUAL` nor `EDITOR` names an editor and the terminal cannot show `vi`.
    init(in context: Context) throws {
        let found = Editor(
            environment: context.environment, inheriting: context.variables, on: context.terminal)
        guard let found else {
            throw CommandError(
                "the editor needs a terminal", hint: "set EDITOR to an editor that needs none", code: .usage)
        }
        editor = found
        self.context = context
    }

    /// Lets the user edit a text.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - remedy: chooses what to do if `use` throws; returns nil to ask the user. It may throw the errors of
    ///     `Prompt`.
    ///   - use: uses the text.
    /// - Throws: the errors of `use`, as a `CommandError` that says where the text is kept.
    func edit<Result>(
        _ text: String, name: String, remedy: (any Error, EditedFile) throws -> Remedy? = { _, _ in nil },
        use: (String) async throws -> Result
    ) async throws -> Outcome<Result> {
        let file = try EditedFile(name, text, in: context.importing().temporaryFolder)
        var isToBeEdited = true
        var line: Int?
        while true {
            if isToBeEdited {
                let status = editor.edit(file.path, at: line)
                let isUnchanged = (try? file.read()) == text
                if isUnchanged { file.remove() }
                // As in git, an editor that exits with an error means that the user gives up.
                guard status == 0 else {
                    throw CommandError(
                        status.map { "the editor “\(editor.name)” exited with status \($0): nothing was changed" }
                            ?? "cannot start the editor “\(editor.name)”",
                        hint: isUnchanged ? nil : Self.hint(file), code: status == nil ? .unavailable : .declined)
                }
                if isUnchanged { return .unchanged }
            }
            do {
                let text = try file.read()
                let result: Outcome<Result> = text.trimmed.isEmpty ? .emptied : .used(try await use(text))
                file.remove()
                return result
            } catch {
                line = (error as? WrittenArticle.Fault)?.line
                switch try self.remedy(for: error, file, remedy) {
                case .edit: isToBeEdited = true
                case .use: isToBeEdited = false
                case .giveUp:
                    let failure = CommandError(error)
                    let hints = [failure.hint, Self.hint(file)].compactMap(\.self)
                    throw CommandError(failure.message, hint: hints.joined(separator: "\n"), code: failure.code)
                }
            }
        }
    }

    private static func hint(_ file: EditedFile) -> String { "your text is saved in \(file.path)" }

    private func remedy(
        for error: any Error, _ file: EditedFile, _ given: (any Error, EditedFile) throws -> Remedy?
    ) throws -> Remedy {
        guard context.isInteractive else { return .giveUp }
        do {
            if let remedy = try given(error, file) { return remedy }
            let failure = CommandError(error)
            guard failure.code == .badData else { return .giveUp }
            let question = "\(failure.message). Edit it again, or quit and keep your text?"
            return try context.choice(of: [("e", "edit"), ("q", "quit")], question) == "e" ? .edit : .giveUp
        } catch is PromptError {
            return .giveUp
        }
    }
}
