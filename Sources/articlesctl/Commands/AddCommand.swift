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
        name: "add", summary: "add an article from options, standard input or the editor",
        discussion: """
            The text is that of --body, else of standard input; at a terminal it is written in the editor that VISUAL or \
            EDITOR names. It may begin with front matter, as in a file that seed reads: what the options say counts more, and \
            their tags are added. Without a title anywhere it is the heading that the text begins with.

            It is a new article each time, in the source “library”, or in another that is no folder, file or feed. Nothing is \
            added of a text that is empty: the exit code is 1 where it was left so in the editor, else 65. Like seed, this \
            needs no log-in.
            """,
        options: [
            OptionSpec(name: "title", summary: "the title", value: "TEXT"),
            OptionSpec(
                name: "tag", short: "t", summary: "a tag; once for each", value: "TAG", values: .names(.tag),
                isRepeating: true),
            OptionSpec(
                name: "author", short: "a", summary: "who wrote it; once for each", value: "NAME",
                values: .names(.author), isRepeating: true),
            OptionSpec(name: "language", summary: "the language, such as en or pt-BR", value: "CODE"),
            OptionSpec(name: "date", summary: "when it was published, where it is not now", value: "DATE"),
            OptionSpec(name: "url", summary: "where the original is", value: "URL"),
            OptionSpec(
                name: "body", summary: "the file that has the text; - is standard input", value: "FILE", values: .file),
            OptionSpec(
                name: "format", short: "f", summary: "how the text is to be read", value: "FORMAT",
                values: .choices(Format.allCases.map(\.rawValue)), defaultValue: Format.markdown.rawValue),
            OptionSpec(
                name: "source", summary: "the source that it is to be of", value: "NAME", values: .names(.source),
                defaultValue: SourceFacts.library.name),
        ],
        examples: [
            Example(command: "articlesctl add", summary: "write one in the editor"),
            Example(
                command: "articlesctl add --title 'A note' --tag idea --body note.md", summary: "a file, with a title"),
            Example(
                command: "pandoc -t gfm report.docx | articlesctl add --tag report", summary: "what a program writes"),
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
        if title == "" { throw parsed.error(.other("--title is empty")) }
        if let language, !LanguageTag.isTag(language) {
            throw parsed.error(.invalidValue(of: "--language", value: language, expected: "a code such as en or pt-BR"))
        }
    }

    func run(in context: Context) async throws {
        let repository = try context.articles()
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
            throw CommandError("the text was left empty: nothing was added", code: .declined)
        }
        try context.report(
            "Added “\(article.title)”: number \(article.id), slug \(article.slug).",
            json: .encoded(ArticleJSON.object(article)))
    }

    private func add(_ text: String, in context: Context) async throws -> Article {
        guard !text.trimmed.isEmpty else {
            throw CommandError(
                "the text is empty: nothing was added",
                hint: "write it to standard input, name its file with --body, or run articlesctl add at a terminal",
                code: .badData)
        }
        let draft = try WrittenArticle(text).draft(titled: title, format: format)
        return try await context.editing().add(
            draft.with(authors: authors, tags: tags, language: language, url: url, published: date), to: source)
    }

    /// Returns nil if the user did not write anything.
    private func write(in context: Context) async throws -> Article? {
        guard !parsed.flag("no-input") else {
            throw parsed.error(.unasked(["--body"], reason: "with --no-input nothing is asked"))
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
