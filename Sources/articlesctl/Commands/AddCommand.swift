import ArticleFetching
import ArticleImporting
import Arguments
import ArticleStore
import HTTPClient
import Terminal
import Text

/// `add`: saves pages, or adds an article that the user writes.
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

    static let name = "add"
    static let spec = CommandSpec(
        name: name, summary: "save a page, or add an article from options, standard input, or the editor",
        discussion: """
            With an ADDRESS, the command fetches the page there and saves its main text, without menus and \
            advertisements, with its title, authors, date, canonical address, and language. If an article has that \
            address already, the command names it and changes nothing. If a page cannot be saved, the others are.

            Without an ADDRESS, the text comes from --body or standard input; at a terminal, the command opens the editor \
            named by VISUAL or EDITOR. The text may begin with front matter, as in a file for seed: options override its values, and \
            tags are combined. Without a title, the first heading of the text becomes the title.

            Each call without an ADDRESS adds a new article. It is added to the source “library”, a page to the source \
            “saved pages”. With --source, both are added to another source that is not a folder, file, or feed. An empty \
            text adds nothing: the exit code is 1 if the text came from the editor, else 65. Like seed, this command \
            needs no login.

            The exit code for a page that is not HTML, has no main text, or is larger than 32 MiB is 65; for a page that \
            does not exist 66; for a login or an address that is not allowed 77; and for a server that does not respond 75.
            """,
        arguments: [
            ArgumentSpec(
                name: "ADDRESS", summary: "the address of a page to save", isRequired: false, isRepeating: true)
        ],
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
                name: "source",
                summary:
                    "the source of the article; the default is “\(SourceFacts.library.name)”, and for pages "
                    + "“\(SourceFacts.savedPages.name)”",
                value: "NAME", values: .names(.source)),
        ] + Context.fetchOptions,
        examples: [
            Example(
                command: "articlesctl add --tag travel https://example.org/a-walk", summary: "save a page with a tag"),
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
    private let addresses: [String]
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
        addresses = parsed.arguments("ADDRESS")
        let usual = addresses.isEmpty ? SourceFacts.library : .savedPages
        source = SourceFacts(name: try parsed.sourceName("source") ?? usual.name, kind: .stream)
        if !addresses.isEmpty,
            let name = ["title", "author", "language", "date", "url", "body", "format"].first(where: { name in
                !parsed.values(name).isEmpty
            })
        {
            throw parsed.error(.other("--\(name) is only for an article without an ADDRESS"))
        }
        if let title, !title.isVisible { throw parsed.error(.other("--title is empty")) }
        if let language, !LanguageTag.isTag(language) {
            throw parsed.error(.invalidValue(of: "--language", value: language, expected: "a code such as en or pt-BR"))
        }
    }

    func run(in context: Context) async throws {
        let repository = try await context.articles()
        let pictures = try await context.pictureFetcher(parsed)
        guard addresses.isEmpty else { return try await savePages(repository, pictures, in: context) }
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
        try await context.applyRules()
        try context.report(
            "Added “\(article.title)”: number \(article.id), slug \(article.slug).",
            json: .encoded(ArticleJSON.utf8(article)))
        try await context.interruptible(done: { "the article is stored" }) {
            try await context.fetchPictures(by: pictures)
        }
    }

    private func savePages(
        _ repository: any ArticleRepository, _ pictures: PictureFetcher?, in context: Context
    ) async throws {
        let pages = PageFetcher(send: try context.sender(parsed))
        let saver = PageSaver(pages, articles: repository, editor: try await context.editing())
        var failures: [any ExplainedError] = []
        for (index, address) in addresses.enumerated() {
            let outcome: PageSaver.Outcome
            do {
                outcome = try await context.interruptible(done: { "\(index) of \(addresses.count) pages were handled" })
                {
                    try await saver.save(address, to: source, tags: tags)
                }
            } catch let error where addresses.count > 1 && (error is PageError || error is HTTPClientError) {
                guard let error = error as? any ExplainedError else { throw error }
                context.say("\(address): \(error)")
                if context.json {
                    try context.report(
                        nil, json: ["outcome": "failed", "address": .string(address), "error": .string("\(error)")])
                }
                failures.append(error)
                continue
            }
            switch outcome {
            case .added(let article):
                try context.report(
                    "Added “\(article.title)”: number \(article.id), slug \(article.slug).",
                    json: ["outcome": "added", "article": .encoded(ArticleJSON.utf8(article))])
            case .known(let article):
                try context.report(
                    "The library has this page: “\(article.title)”, number \(article.id), slug \(article.slug).",
                    json: ["outcome": "known", "article": .encoded(ArticleJSON.utf8(article))])
            }
        }
        try await context.applyRules()
        try await context.interruptible(done: { "the pages are stored" }) {
            try await context.fetchPictures(by: pictures)
        }
        guard let first = failures.first else { return }
        throw CommandError(
            "\(failures.count) of \(addresses.count) pages could not be saved", hint: first.hint,
            code: ExitCode(first.errorKind))
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
