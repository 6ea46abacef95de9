import Arguments
import ArticleStore
import FlowCoordinators
import Text

/// `note`: shows, writes, or removes a note on an article.
struct NoteCommand: Command {
    static let name = "note"
    static let spec = CommandSpec(
        name: name, summary: "show, write, or remove your note on an article",
        discussion: """
            Without TEXT, the command shows the note. A new note replaces the previous one. Notes are private: only \
            the user who is logged in sees them. list --noted lists the articles with notes. Searches do not include \
            notes.
            """,
        arguments: [
            ArgumentSpec(name: "ARTICLE", summary: "the number or slug of the article", values: .names(.article)),
            ArgumentSpec(
                name: "TEXT", summary: "the note, as one or more words; - reads it from standard input",
                isRequired: false,
                isRepeating: true),
        ],
        options: [OptionSpec(name: "remove", summary: "remove the note")],
        examples: [
            Example(command: "articlesctl note welcome 'Send this to Grace.'", summary: "write a note"),
            Example(command: "articlesctl note welcome", summary: "show a note"),
            Example(command: "articlesctl note welcome - < summary.txt", summary: "write a note from a file"),
        ])

    private let reference: ArticleReference
    private let text: String?
    private let removes: Bool

    init(_ parsed: ParsedCommand) throws {
        reference = ArticleReference(parsed.argument("ARTICLE") ?? "")
        let words = parsed.arguments("TEXT")
        text = words.isEmpty ? nil : words.joined(separator: " ")
        removes = parsed.flag("remove")
        if removes, text != nil { throw parsed.error(.other("TEXT and --remove cannot be combined")) }
    }

    func run(in context: Context) async throws {
        guard text != nil || removes else { return try await show(in: context) }
        var note = try text == "-" ? InputText.standardInput() : text
        // The line feed at the end of the last line belongs to the file.
        if text == "-", note?.hasSuffix("\n") == true { note?.removeLast() }
        if let empty = note, empty.trimmed.isEmpty {
            throw CommandError("the note is empty", hint: "remove it with --remove", code: .badData)
        }
        let front = try await context.front()
        try await front.go(to: .articles()) { $0 == .articles() }
        let words = try await context.suggesting { try await front.send(.marked(.note(note), [reference])) }
        try context.report(words, json: ["changed": JSON(front.application.notice?.count ?? 0)])
    }

    private func show(in context: Context) async throws {
        let shown = try await context.suggesting { try await context.screen(at: .article(reference)) }
        guard let screen = shown,
            case .article(let article, let marks) = screen.model
        else { return }
        let note = marks?.note.value
        if context.json {
            return try context.report(
                nil, json: ["id": JSON(article.id), "slug": .string(article.slug), "note": JSON(note)])
        }
        guard let note else { return context.say("“\(article.title)” has no note.") }
        // The note may come from another program. Remove control sequences even for a pipe, because its output may end
        // at a terminal. JSON contains the original text.
        try context.write(source: (note.hasSuffix("\n") ? note : note + "\n").sanitized(keeping: [.newline, .tab]))
    }
}
