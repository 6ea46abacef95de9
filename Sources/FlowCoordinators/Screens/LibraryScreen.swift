internal import ArticleStore
import Text

/// The screen from which the user chooses a list.
extension LibraryOverview {
    /// The maximum number of tags or authors that are shown. Beyond it, a search is faster than a list.
    private static let limit = 500

    /// A line of the overview.
    private struct Choice {
        let kind: String
        let name: String
        /// Nil if the line only says that there are more entries.
        var query: ArticleQuery?
        var articles: Int?
        var unread: Int?
    }

    private static let columns: [ListColumn<Choice>] = [
        .init("Kind", .fact, \.kind),
        .init("Name", .primary, \.name),
        .init("Unread", .fact, value: { $0.unread.map { .number($0) } ?? .text("") }),
        .init("Articles", .fact, value: { $0.articles.map { .number($0) } ?? .text("") }),
    ]

    var screen: Screen {
        let columns = Self.columns.filter { marks != nil || $0.column.title != "Unread" }
        var seen: Set<String> = []
        let rows = choices.compactMap { choice -> List.Row? in
            let path = choice.query.map { AppRoute.articles(ArticleList(query: $0)).path }
            // Skip an entry that is already shown among those of the article. A saved search is always shown: it has a name
            // of its own, and the list may also be that of a source.
            let id = choice.kind == "search" ? "search \(choice.name)" : path
            if let id, !seen.insert(id).inserted { return nil }
            return List.Row(
                columns.map { $0.cell(choice) }, event: choice.query.map { .open(.articles(ArticleList(query: $0))) },
                id: id)
        }
        return Screen(
            title: article.map { "Library, from “\($0.title)”" } ?? "Library",
            content: .list(
                List(
                    columns: columns.map(\.column), rows: rows, placeholder: "The library is empty.", choice: "List")),
            actions: [Action("Sources", .open(.sources))] + (marks == nil ? [] : [Action("Rules", .open(.rules))]))
    }

    private var choices: [Choice] {
        ofArticle + states + searches.map(choice)
            + sources.sorted { FoldedKey.fold($0.name) < FoldedKey.fold($1.name) }.map(choice)
            + sourceTags + (marks?.counts.tags ?? []).map { ownTag($0.tag, articles: $0.articles) }
            + largest(tags) + largest(authors)
    }

    private var states: [Choice] {
        let everything = Choice(
            kind: "state", name: "All articles", query: ArticleQuery(), articles: total, unread: marks?.counts.unread)
        guard let counts = marks?.counts else { return [everything] }
        var states: [(String, MarkCondition, Int)] = [
            ("Unread", MarkCondition(isRead: false), counts.unread),
            ("Starred", MarkCondition(isStarred: true), counts.starred),
            ("Later", MarkCondition(isReadLater: true), counts.later),
            ("With a note", MarkCondition(isNoted: true), counts.noted),
        ]
        if counts.hidden > 0 { states.append(("Hidden", MarkCondition(isHidden: true), counts.hidden)) }
        return [everything]
            + states.map { Choice(kind: "state", name: $0.0, query: ArticleQuery(marks: $0.1), articles: $0.2) }
    }

    /// The source, author, and tags of the article.
    private var ofArticle: [Choice] {
        guard let article else { return [] }
        let own = ownTags.map { tag in
            ownTag(tag, articles: marks?.counts.tags.first { $0.tag.key == tag.key }?.articles)
        }
        return named(article.authors, among: authors) + named(article.tags, among: tags) + own
            + sources.filter { $0.id == article.source.id }.map(choice)
    }

    private func named(_ names: [String], among labels: [ArticleLabel]) -> [Choice] {
        let keys = Set(names.map { SearchText.fold($0) })
        return labels.filter { keys.contains($0.key) }.map(choice)
    }

    /// The entries with the most articles.
    private func largest(_ labels: [ArticleLabel]) -> [Choice] {
        let largest = labels.sorted { ($1.articles, $0.key) < ($0.articles, $1.key) }.prefix(Self.limit).map(choice)
        guard let kind = labels.first?.kind, labels.count > largest.count else { return largest }
        let more = (labels.count - largest.count).quantity(of: "more " + kind.rawValue)
        let rest = "… and \(more): search for \(kind.rawValue):NAME"
        return largest + [Choice(kind: kind.rawValue, name: rest)]
    }

    private func choice(of listed: ListedSearch) -> Choice {
        Choice(kind: "search", name: listed.search.name.name, query: listed.query, unread: listed.unread)
    }

    private func choice(of source: Source) -> Choice {
        let articles = counts[source.id] ?? 0
        return Choice(
            kind: "source", name: source.name, query: ArticleQuery(source: source.name), articles: articles,
            unread: marks.map { articles - ($0.read.sources[source.id] ?? 0) })
    }

    private var sourceTags: [Choice] {
        var choices: [TagName: Choice] = [:]
        for source in sources where !source.facts.tags.isEmpty {
            let own = choice(of: source)
            for tag in source.facts.tags {
                let (articles, unread) = (choices[tag]?.articles ?? 0, choices[tag]?.unread ?? 0)
                choices[tag] = Choice(
                    kind: "source tag", name: choices[tag]?.name ?? tag.name, query: ArticleQuery(sourceTag: tag.name),
                    articles: articles + (own.articles ?? 0), unread: own.unread.map { unread + $0 })
            }
        }
        return choices.sorted { $0.key < $1.key }.map(\.value)
    }

    private func choice(of label: ArticleLabel) -> Choice {
        let query = label.kind == .author ? ArticleQuery(author: label.name) : ArticleQuery(tag: label.name)
        let read = label.kind == .author ? marks?.read.authors : marks?.read.tags
        return Choice(
            kind: label.kind.rawValue, name: label.name, query: query, articles: label.articles,
            unread: read.map { label.articles - ($0[label.key] ?? 0) })
    }

    private func ownTag(_ tag: TagName, articles: Int?) -> Choice {
        Choice(
            kind: "my tag", name: tag.name, query: ArticleQuery(marks: MarkCondition(tag: tag.name)), articles: articles
        )
    }
}
