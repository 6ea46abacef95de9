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

    private var columns: [ListColumn<ArticleSummary>] {
        var columns = Self.columns
        // The title of a list of one source names the source.
        if list.query.source != nil { columns.removeAll { $0.column.role == .origin } }
        guard let marks else { return columns }
        // After the two columns that identify the article to programs, so that it is the first column that a person
        // sees.
        columns.insert(.init("", .mark, value: { .marks(marks[$0.id]?.listed ?? []) }), at: 2)
        return columns
    }

    // All requests share the columns, and threads that count references to one object slow each other down. So the functions
    // must not capture values.
    private static let columns: [ListColumn<ArticleSummary>] = [
        .init("ID", .identity, value: { .text(String($0.id)) }),
        .init("Slug", .alias, value: { .text($0.slug) }),
        .init(
            "Published", .fact, orders: [.newest, .oldest],
            value: { .day($0.published, offset: $0.publishedOffset) }),
        .init("Author", .fact, link: .author, value: { .links($0.authors) }),
        .init("Title", .primary, orders: [.title], value: { .text($0.title) }),
        .init("Source", .origin, value: { .text($0.source) }),
        .init("Tags", .labels, link: .tag, value: { .links($0.tags) }),
        .init("Reading", .estimate, value: { .minutes($0.readingMinutes) }),
    ]

    var screen: Screen {
        let columns = columns
        var shown = List(
            columns: columns.map(\.column), rows: page.summaries.indices.map { row(at: $0, columns) },
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

    private func row(at index: Int, _ columns: [ListColumn<ArticleSummary>]) -> List.Row {
        let article = page.summaries[index]
        let reference = ArticleReference(to: article)
        let above =
            index > 0 && marks != nil
            ? Action("Mark above as read", .readAbove(article.id, upTo: page.lastNumber), for: .readAbove) : nil
        return List.Row(
            columns.map { $0.cell(article) }, event: .open(.article(reference)), id: String(article.id),
            excerpt: article.found?.excerpt, summary: article.summary.isEmpty ? nil : article.summary,
            actions: marks?[article.id]?.actions(on: reference, and: above) ?? above.map { [$0] } ?? [])
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
