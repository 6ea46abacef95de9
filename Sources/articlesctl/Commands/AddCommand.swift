import ArticleImporting
import Arguments
import ArticleStore
import Terminal
import Text

/// `add`: adds an article that the user writes.
struct AddCommand: Command {
    private enum Format: String, CaseIterable {
        case markdown, html, text

        var format: Article.Format {
            switch self {
            case .markdown: .markdown
            case .html: .html
            case .text: .plain
            }
        }
    }

    static let spec = CommandSpec(
        name: "add", summary: "add an article from options, standard input, or the editor",
        discussion: """
            The text comes from --body or standard input; at a terminal, the command opens the editor named by VISUAL \
            or EDITOR. The text may begin with front matter, as in a file for seed: options override its values, and \
            tags are combined. Without a title, the first heading of the text becomes the title.

            Each call adds a new article to the source “library”, or to another source that is not a folder, file, or \
            feed. An empty text adds nothing: the exit code is 1 if the text came from the editor, else 65. Like seed, \
            this command needs no login.
            """,
        options: [
            OptionSpec(name: "title", summary: "the title", value: "TEXT"),
            OptionSpec(
                name: "tag", short: "t", summary: "a tag; may be repeated", value: "TAG", values: .names(.tag),
                isRepeating: true),
            OptionSpec(
                name: "author", short: "a", summary: "an author; may be repeated", value: "NAME",
                values: .names(.author), isRepeating: true),
            OptionSpec(name: "language", summary: "the language, such as en or pt-BR", value: "CODE"),
            OptionSpec(name: "date", summary: "the publication date; the default is now", value: "DATE"),
            OptionSpec(name: "url", summary: "the URL of the original", value: "URL"),
            OptionSpec(
                name: "body", summary: "the file with the text; - is standard input", value: "FILE", values: .file),
            OptionSpec(
                name: "format", short: "f", summary: "the format of the text", value: "FORMAT",
                values: .choices(Format.allCases.map(\.rawValue)), defaultValue: Format.markdown.rawValue),
            OptionSpec(
                name: "source", summary: "the source of the article", value: "NAME", values: .names(.source),
                defaultValue: SourceFacts.library.name),
        ],
        examples: [
            Example(command: "articlesctl add", summary: "write an article in the editor"),
            Example(
                command: "articlesctl add --title 'A note' --tag idea --body note.md",
                summary: "add a file with a title"),
            Example(
                command: "pandoc -t gfm report.docx | articlesctl add --tag report",
                summary: "add the output of a program"),
        ])

    private let title: String?
    private let tags: [String]
    private let authors: [String]
    private let language: String?
    private let date: WrittenDate?
    private let url: String?
    private let body: String?
    private let format: Article.Format
    private let source: SourceFacts
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) throws {
        self.parsed = parsed
        title = parsed.value("title").map { String($0.trimmed) }
        do throws(TagError) {
            tags = try TagName.checked(parsed.values("tag"))
        } catch {
            throw parsed.error(.other("--tag: \(error)"))
        }
        authors = parsed.values("author")
        language = parsed.value("language")
        date = try parsed.date("date")
        url = try parsed.webAddress("url")
        body = parsed.value("body")
        format = parsed.value("format").flatMap(Format.init)?.format ?? .markdown
        source = SourceFacts(name: try parsed.sourceName("source") ?? SourceFacts.library.name, kind: .stream)
        if let title, !title.isVisible { throw parsed.error(.other("--title is empty")) }
        if let language, !LanguageTag.isTag(language) {
            throw parsed.error(.invalidValue(of: "--language", value: language, expected: "a code such as en or pt-BR"))
        }
    }

    func run(in context: Context) async throws {
        let repository = try await context.articles()
        try await repository.checkAdding(to: source.name)
        let article: Article
        if let body {
            article = try await add(
                try body == "-" ? InputText.standardInput() : InputText.file(body), in: context)
        } else if !context.terminal.input.isTerminal {
            article = try await add(InputText.standardInput(), in: context)
        } else if let written = try await write(in: context) {
            article = written
        } else {
            throw CommandError("the text is empty: nothing was added", code: .declined)
        }
        try context.report(
            "Added “\(article.title)”: number \(article.id), slug \(article.slug).",
            json: .encoded(ArticleJSON.object(article)))
    }

    private func add(_ text: String, in context: Context) async throws -> Article {
        guard !text.trimmed.isEmpty else {
            throw CommandError(
                "the text is empty: nothing was added",
                hint: "pass the text on standard input or with --body, or run articlesctl add at a terminal",
                code: .badData)
        }
        let draft = try WrittenArticle(text).draft(titled: title, format: format)
        return try await context.editing().add(
            draft.with(authors: authors, tags: tags, language: language, url: url, published: date), to: source)
    }

    /// Returns nil if the user did not write anything.
    private func write(in context: Context) async throws -> Article? {
        guard !parsed.flag("no-input") else {
            throw parsed.error(.unasked(["--body"], reason: "--no-input forbids prompts"))
        }
        let outcome = try await EditorSession(in: context).edit(template, name: "article" + format.fileEnding) { text in
            try await add(text, in: context)
        }
        if case .used(let article) = outcome { return article }
        return nil
    }

    /// A template with the fields that the options do not set.
    private var template: String {
        let given = [
            ("title", title != nil), ("tags", !tags.isEmpty), ("authors", !authors.isEmpty),
            ("language", language != nil),
            ("published", date != nil), ("url", url != nil),
        ]
        return WrittenArticle.blank(without: Set(given.filter(\.1).map(\.0)))
    }
}

extension Article.Format {
    /// The file extension of the format.
    var fileEnding: String {
        switch self {
        case .markdown: ".md"
        case .html: ".html"
        case .plain: ".txt"
        }
    }
}
