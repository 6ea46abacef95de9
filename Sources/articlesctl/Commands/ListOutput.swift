import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// The output of `list` and `search`: the number of articles, and the fields of each.
struct ListOutput {
    static let options = [
        OptionSpec(name: "all", summary: "all articles, without a limit"),
        OptionSpec(
            name: "json", summary: "write data and errors as JSON; with FIELDS, only these fields of each article",
            value: "FIELDS", isValueOptional: true, values: .names(.fields)),
        OptionSpec(
            name: "format", short: "f", summary: "a template for the line of each article, such as '{title}\\t{url}'",
            value: "TEMPLATE", values: .names(.template)),
    ]

    static let discussion = """
        If a list is longer than the limit, the command prints how to get the rest; --all writes the whole list. \
        FIELDS are names separated by commas, and a TEMPLATE contains them in braces: \
        \(ListedField.all.map(\.name).joined(separator: ", ")). A template may also contain \\t, \\n, \\r, \\0, \\\\, \\{, \
        and \\}; a newline is added unless it ends with \\n or \\0. The fields from sourceID on require reading whole \
        articles, which takes longer.
        """

    fileprivate enum Shape {
        /// A table, lines with tabs, or complete JSON objects.
        case usual
        case json([ListedField])
        case lines(LineTemplate)
    }

    /// The number of articles that are read at a time if all are printed.
    private static let pageOfAll = ArticleList.limits.upperBound

    private let parsed: ParsedCommand
    private let list: ArticleList
    private let shape: Shape
    private let isAll: Bool
    /// Whether to say that there are more articles. It is done if the user did not set a number, because a script may
    /// take the page for the whole list.
    private let saysRest: Bool

    /// - Throws: `UsageError`.
    init(_ parsed: ParsedCommand, list: ArticleList) throws {
        self.parsed = parsed
        isAll = parsed.flag("all")
        saysRest = parsed.values("limit").isEmpty
        guard !isAll || saysRest else { throw parsed.error(.other("--all and --limit cannot be combined")) }
        guard !isAll || list.query.sort != .relevance || list.query.search == nil else {
            throw parsed.error(
                .other(
                    "--all must be sorted by date or title, because the best matches are only searched among the latest articles"
                ))
        }
        guard parsed.values("format").isEmpty || !parsed.flag("json") else {
            throw parsed.error(.other("--format and --json cannot be combined"))
        }
        shape =
            if let template = try parsed.filled("format") {
                .lines(try Self.template(template, parsed))
            } else if let names = parsed.value("json"), !names.isEmpty {
                .json(try Self.fields(names, parsed))
            } else {
                .usual
            }
        var list = list
        if isAll { list.limit = Self.pageOfAll }
        self.list = list
    }

    private static func fields(_ names: String, _ parsed: ParsedCommand) throws(UsageError) -> [ListedField] {
        var fields: [ListedField] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false).map({ String($0.trimmed) }) {
            guard let field = ListedField(named: name) else { throw unknown(name, of: "--json", parsed) }
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }

    private static func template(_ text: String, _ parsed: ParsedCommand) throws(UsageError) -> LineTemplate {
        do {
            return try LineTemplate(text)
        } catch {
            if case .field(let name) = error { throw unknown(name, of: "--format", parsed) }
            throw parsed.error(.invalidTemplate(text, reason: error.description))
        }
    }

    private static func unknown(_ name: String, of option: String, _ parsed: ParsedCommand) -> UsageError {
        let names = ListedField.all.map(\.name)
        return parsed.error(
            .invalidValue(of: option, value: name, expected: "one of " + names.joined(separator: ", ")),
            suggestions: names.suggestions(for: name))
    }

    // MARK: Writing

    /// Loads the list and prints it.
    func write(in context: Context) async throws {
        if list.query.search != nil { await context.advanceSearch() }
        let front = try await context.front(isWhole: isAll)
        guard let screen = try await context.screen(at: .articles(list), by: front) else { return }
        guard case .articles(let page, let total, _) = screen.model else { return try context.write(screen) }
        let articles = try await context.articles()
        if let search = list.query.search, page.summaries.isEmpty || !search.ignored.isEmpty {
            context.say("Interpreted the search as: \(search).")
        }
        if let search = list.query.search { sayOperators(of: search, in: context) }
        if page.search?.isCut == true {
            context.say("To see all results, use --all or a more specific search.")
        }
        if page.summaries.isEmpty, list.cursor == nil {
            var query = list.query
            query.marks.userID = front.application.currentUser.session?.user.id
            try await context.requireKnownNames(of: query, in: articles)
        }
        if page.summaries.isEmpty { context.sayNothing(on: screen) }
        if isAll { return try await writeAll(screen, by: front, articles: articles, in: context) }

        switch shape {
        case .usual where context.json: return try context.write(screen)
        case .usual where context.terminal.output.isTerminal:
            let next = page.next.map { parsed.line(with: "cursor", $0.description) }
            return try context.draw(screen, width: context.terminal.width, next: next)
        case .usual: try context.output.write(PlainScreen(screen).text)
        case .lines(let template):
            try await write(screen, by: template, articles: articles, to: context.output.write)
        case .json(let fields):
            let objects = try await objects(of: screen, fields: fields, articles: articles)
            return try context.write(
                .object([JSON.Member("articles", .array(objects))] + page.members(total: total)))
        }
        guard saysRest, let next = page.next else { return }
        // Print the lines before counting, because counting takes longer in a large library.
        try context.output.flush()
        let count = page.summaries.count
        var query = list.query
        query.marks.userID = front.application.currentUser.session?.user.id
        let whole = query.text == nil ? try await articles.count(query) : nil
        context.say(
            "\(whole.map { "\(count) of \($0.articles)" } ?? "The first \(count.articles)"). For the rest, use --all or --cursor "
                + "\(next); --limit sets the number per page, up to \(ArticleList.limits.upperBound).")
    }

    /// Operators of other search engines, with advice.
    private static let operators = [
        ("NOT", "use -word to exclude a word"), ("AND", "all words must match anyway"),
    ]

    private func sayOperators(of search: SearchQuery, in context: Context) {
        for (word, advice) in Self.operators where search.terms.contains(where: { $0.text == word && $0.field == nil })
        {
            context.say("Searching for \(word) as a word: \(advice).")
        }
    }

    /// Prints one page after the other, so that only one is in memory.
    private func writeAll(
        _ first: Screen, by front: Front, articles: any ArticleRepository, in context: Context
    ) async throws {
        let output = PagedOutput(context.output, through: try context.pager(), on: context.terminal)
        var json = context.json ? JSONStream(output: output, isLaidOut: context.terminal.output.isTerminal) : nil
        var screen = first
        var count = 0
        try json?.write(#"{"articles":["#)
        while case .articles(let page, _, _) = screen.model {
            if json != nil {
                for object in try await objects(of: screen, fields: shape.fields, articles: articles) {
                    try json?.write(object.description, isNext: true)
                }
            } else if let template = shape.template {
                try await write(screen, by: template, articles: articles, to: output.write)
            } else if context.terminal.output.isTerminal {
                let isColored = context.terminal.output.isColored
                var text = DrawnScreen(screen, width: context.terminal.width, isColored: isColored, isPart: true).text
                if count > 0 { text.lines.removeFirst() }
                try output.write(text.rendered(isColored: isColored))
            } else {
                try output.write(PlainScreen(screen).text)
            }
            count += page.summaries.count
            guard let next = page.next else {
                let rest = JSON.object(page.members(total: list.cursor == nil ? count : nil))
                try json?.write("]," + rest.description.dropFirst())
                if json != nil { try output.write("\n") }
                return try output.finish()
            }
            var list = list
            list.cursor = next
            let target = AppRoute.articles(list)
            screen = try await front.screen(at: target) { $0 == target }
        }
        throw ScreenError.misplaced(front.application.place)
    }

    /// Prints the articles of a screen with a template.
    private func write(
        _ screen: Screen, by template: LineTemplate, articles: any ArticleRepository,
        to write: (String) throws -> Void
    ) async throws {
        for object in try await objects(of: screen, fields: template.fields, articles: articles) {
            try write(template.text(of: try object.readMembers()))
        }
    }

    /// Returns the articles of a screen as JSON.
    ///
    /// - Parameter fields: the fields in this order; nil for all fields that a list has.
    private func objects(
        of screen: Screen, fields: [ListedField]?, articles: any ArticleRepository
    ) async throws -> [JSON] {
        guard case .articles(let page, _, let marks) = screen.model else { return [] }
        let listed = page.summaries.map { JSON(listed: $0, marks: marks) }
        guard let fields else { return listed }
        // Drop the other fields of each article immediately: the texts of a whole page would take much memory.
        var whole: [Int64: [JSON.Member]] = [:]
        if fields.contains(where: { !$0.isListed }) {
            try await articles.forEachArticle(ids: page.summaries.map(\.id)) { article in
                whole[article.id] = try JSON.encoded(ArticleJSON.utf8(article)).readMembers().filter { member in
                    fields.contains { $0.name == member.key }
                }
            }
        }
        return try zip(page.summaries, listed).map { summary, listed in
            let members = try listed.readMembers() + (whole[summary.id] ?? [])
            return .object(
                fields.map { field in
                    JSON.Member(field.name, members.first { $0.key == field.name }?.value ?? .null)
                })
        }
    }
}

extension ListOutput.Shape {
    fileprivate var template: LineTemplate? { if case .lines(let template) = self { template } else { nil } }
    fileprivate var fields: [ListedField]? { if case .json(let fields) = self { fields } else { nil } }
}

/// Writes JSON in pieces.
private struct JSONStream {
    private let output: PagedOutput
    private var layout: JSONLayout?
    private var isFirst = true

    /// - Parameter isLaidOut: whether to lay out the JSON for a person.
    init(output: PagedOutput, isLaidOut: Bool) {
        self.output = output
        layout = isLaidOut ? JSONLayout() : nil
    }

    /// - Parameter isNext: whether the piece is the next element of an array.
    mutating func write(_ piece: String, isNext: Bool = false) throws {
        let piece = (isNext && !isFirst ? "," : "") + piece
        if isNext { isFirst = false }
        try output.write(layout?.add(piece) ?? piece)
    }
}
