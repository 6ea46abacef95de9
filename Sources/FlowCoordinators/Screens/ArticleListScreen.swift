internal import ArticleStore
internal import Text

/// The list of articles.
struct ArticleListScreen: Sendable {
    let listed: ArticleLister.Page
    let additions: [Action]
    /// The article that was read last; nil if there is none.
    var current: Int64?

    /// Creates the screen of a list.
    ///
    /// - Parameter additions: the actions that add articles.
    init(_ listed: ArticleLister.Page, additions: [Action]) {
        (self.listed, self.additions) = (listed, additions)
    }

    /// Whether the visible range contains the article that was read last.
    var hasCurrent: Bool { page.summaries.contains { $0.id == current } }

    /// The visible range of the list.
    var range: ListRange { listed.range }
    private var page: ArticlePage { listed.page }
    /// The marks of the signed-in user; nil if marks are not stored.
    private var marks: [Int64: ArticleMarks]? { listed.marks }

    /// A column. It is not a ``ListColumn``, whose functions all requests would share: threads that count references to
    /// one object slow each other down.
    private enum Property: CaseIterable {
        // The marks come after the two columns that identify the article to programs, so that they are the first column
        // that a person sees.
        case id, slug, marks, published, author, title, source, tags, reading

        var column: List.Column {
            switch self {
            case .id: List.Column("ID", .identity)
            case .slug: List.Column("Slug", .alias)
            case .marks: List.Column("", .mark)
            case .published: List.Column("Published", .fact, orders: [.newest, .oldest])
            case .author: List.Column("Author", .fact, link: .author)
            case .title: List.Column("Title", .primary, orders: [.title])
            case .source: List.Column("Source", .origin)
            case .tags: List.Column("Tags", .labels, link: .tag)
            case .reading: List.Column("Reading", .estimate)
            }
        }

        func cell(of article: ArticleSummary, _ marks: ArticleMarks?) -> List.Cell {
            switch self {
            case .id: .text(String(article.id))
            case .slug: .text(article.slug)
            case .marks: .marks(marks?.listed ?? [])
            case .published: .day(article.published, offset: article.publishedOffset)
            case .author: .links(article.authors)
            case .title: .text(article.title)
            case .source: .text(article.source)
            case .tags: .links(article.tags)
            case .reading: .minutes(article.readingMinutes)
            }
        }
    }

    private var properties: [Property] {
        Property.allCases.filter { property in
            switch property {
            case .marks: marks != nil
            // The title of a list of one source names the source.
            case .source: list.query.source == nil
            default: true
            }
        }
    }

    var screen: Screen {
        let properties = properties
        var shown = List(
            columns: properties.map(\.column),
            rows: page.summaries.indices.map { row(of: page.summaries[$0], isFirst: $0 == 0, properties) },
            placeholder: placeholder,
            total: range.total, offset: range.offset, choice: "Read",
            earlier: list.cursor.map { _ in List.Beyond(some: .earlierRowsWanted, last: .firstRowsWanted) },
            more: page.next.map { next in
                List.Beyond(
                    some: .moreRowsWanted, last: .lastRowsWanted,
                    place: .articles(ArticleList(query: list.query, cursor: next, limit: list.limit)))
            },
            search: list.query.search?.typed ?? "", current: current.map { String($0) })
        shown.settings = settings
        if !isNarrowed {
            shown.emptyAction = additions.first
        } else if page.summaries.isEmpty, marks != nil, !list.query.marks.isEmpty {
            shown.emptyAction = Action(
                list.query.search == nil ? "Show all articles" : "Search all articles", .marksChosen(MarkCondition()))
        }
        return Screen(
            title: list.title, content: .list(shown), actions: actions,
            notice: listed.missingSource.map(Notice.init) ?? page.search?.words.map { Notice($0) },
            model: .articles(page, total: range.total, marks: marks))
    }

    private var list: ArticleList { range.list }

    private var placeholder: String {
        if !isNarrowed { return "The library is empty." }
        let isOfUnread = list.query == ArticleQuery(marks: .unread, sort: list.query.sort)
        return isOfUnread && marks != nil ? "Nothing is unread." : "No article matches."
    }

    /// Whether the list has a filter.
    private var isNarrowed: Bool { list.query != ArticleQuery(sort: list.query.sort) }

    private func row(of article: ArticleSummary, isFirst: Bool, _ properties: [Property]) -> List.Row {
        let marked = marks?[article.id]
        let reference = ArticleReference(to: article)
        let above =
            !isFirst && marks != nil
            ? Action("Mark above as read", .readAbove(article.id, upTo: page.lastNumber), for: .readAbove) : nil
        return List.Row(
            properties.map { $0.cell(of: article, marked) }, event: .open(.article(reference)), id: String(article.id),
            excerpt: article.found?.excerpt, summary: article.summary.isEmpty ? nil : article.summary,
            actions: marked?.actions(on: reference, and: above) ?? above.map { [$0] } ?? [])
    }

    private var settings: [List.Setting] {
        let order = List.Setting(
            title: "Order",
            options: orders.map { sort in
                List.Setting.Option(
                    action: Action(sort.label, .sortChosen(sort), for: .sort(sort)), isSelected: sort == list.query.sort
                )
            })
        guard marks != nil else { return [order] }
        let shown =
            [
                List.Setting.Option(
                    action: Action("All", .marksChosen(MarkCondition()), id: "all"),
                    isSelected: list.query.marks.isEmpty)
            ]
            + ArticleList.narrowings.map { label, marks, purpose in
                .init(
                    action: Action(purpose == .onlyLater ? "Later" : label, .marksChosen(marks), for: purpose),
                    isSelected: marks == list.query.marks)
            }
        return [List.Setting(title: "Show", options: shown), order]
    }

    /// The orders that the list can have.
    private var orders: [ArticleQuery.Sort] {
        ArticleQuery.Sort.allCases.filter { $0 != .relevance || list.query.search != nil }
    }

    private var markActions: [Action] {
        guard marks != nil else { return [] }
        var actions: [Action] = []
        if !page.summaries.isEmpty {
            let count = range.total.map { $0 == 1 ? "the article" : "all \($0) articles" } ?? "all articles"
            actions += [
                Action("Next unread", .nextUnreadChosen, for: .nextUnread),
                Action(
                    "All read", .listMarked(.read(true), upTo: page.lastNumber), for: .allRead,
                    confirmation: "Mark \(count) of this list as read?"),
            ]
        }
        return actions
            + ArticleList.narrowings.filter { $0.1 != list.query.marks }.map {
                Action($0.0, .marksChosen($0.1), for: $0.2)
            }
    }

    private var actions: [Action] {
        orders.filter { $0 != list.query.sort }.map { sort in
            Action(sort.label, .sortChosen(sort), for: .sort(sort), atRow: { .sortChosen(sort, at: Int64($0)) })
        }
            + markActions
            + (marks != nil && isNarrowed
                ? [Action("Save list", .open(.savingSearch(ArticleList(query: list.query))))] : [])
            + (marks.flatMap { _ in RuleDraft(list.query) }.map { [Action("Make rule", .open(.savingRule($0)))] } ?? [])
            + [Action.library()]
            + (isNarrowed ? [Action("Everything", .everythingChosen, for: .everything)] : [])
            + additions + [Action("Account", .open(.account), for: .account), Action.logOut]
    }
}

extension SearchReport {
    /// The messages of the search for the user; nil if there are none.
    fileprivate var words: String? {
        var sentences: [String] = []
        if let suggestion { sentences.append("Did you mean “\(suggestion)”?") }
        if waiting > 0 {
            sentences.append(
                waiting.quantity(of: "article is", "articles are") + " not indexed yet.")
        }
        if isCut { sentences.append("The search stopped early: there may be more results.") }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

extension ArticleList {
    /// The title of the list, with its filters.
    package var title: String {
        let words = query.words
        if words.isEmpty { return "Articles" }
        // Only the marks are a filter.
        guard query == ArticleQuery(marks: query.marks, sort: query.sort),
            let label = Self.narrowings.first(where: { $0.1 == query.marks })?.0
        else { return "Articles \(words)" }
        return label
    }

    fileprivate static let narrowings: [(String, MarkCondition, Action.Purpose)] = [
        ("Unread", .unread, .onlyUnread),
        ("Starred", MarkCondition(isStarred: true), .onlyStarred),
        ("Later list", MarkCondition(isReadLater: true), .onlyLater),
    ]
}
