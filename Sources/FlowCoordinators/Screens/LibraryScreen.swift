internal import ArticleStore
import Text

/// The screens from which the user chooses a list: all groups of lists, or a page of one group.
extension LibraryOverview {
    /// The maximum number of entries of all groups together that the first screen shows completely.
    private static let mostEntries = 100
    /// The maximum number of entries about an article.
    private static let mostOfArticle = 10

    /// A line of the overview.
    fileprivate struct Choice {
        let kind: String
        let name: String
        /// The heading.
        var section = ""
        /// The list; nil if the line leads to more entries.
        var query: ArticleQuery?
        /// The page with more entries.
        var part: LibraryPart?
        var source: Source.ID?
        var articles: Int?
        var unread: Int?

        var place: AppRoute? { query.map { .articles(ArticleList(query: $0)) } ?? part.map { .libraryPart($0) } }
    }

    private static let columns: [ListColumn<Choice>] = [
        .init("Kind", .fact, \.kind),
        .init("Name", .primary, \.name),
        .init("Unread", .fact, value: { $0.unread.map { .number($0) } ?? .text("") }),
        .init("Articles", .fact, value: { $0.articles.map { .number($0) } ?? .text("") }),
    ]

    /// Returns the screen of all groups. If there are too many entries, it shows the first of each group, and leads to the
    /// others.
    func screen(actions: [Action]) -> Screen {
        let groups = LibraryPart.Group.allCases.map { (group: $0, count: count(of: $0)) }
        let first = ofArticle.prefix(Self.mostOfArticle).map { $0.under("From this article") } + states
        let isComplete = first.count + groups.reduce(0) { $0 + $1.count } <= Self.mostEntries
        let others = groups.flatMap { group, count -> [Choice] in
            guard !isComplete, count > group.limit else { return entries(of: group) }
            return mostUnread(of: group).map { $0.under(group.title) } + [
                Choice(
                    kind: "", name: "All \(count) \(group.title.lowercased())", section: group.title,
                    part: LibraryPart(group))
            ]
        }
        return Screen(
            title: article.map { "Library, from “\($0.title)”" } ?? "Library", content: .list(list(of: first + others)),
            actions: actions)
    }

    /// Returns the screen of a page of one group.
    func screen(of part: LibraryPart) -> Screen {
        let entries = entries(of: part.group)
        var shown = Array(entries[part.page.range(of: entries.count)])
        if let next = part.page.next(of: entries.count) {
            shown.append(
                Choice(
                    kind: "", name: next.label, section: shown.last?.section ?? "",
                    part: LibraryPart(part.group, page: next.page)))
        }
        return Screen(
            title: "Library: \(part.group.title.lowercased())\(part.page.title)", content: .list(list(of: shown)))
    }

    private func list(of choices: [Choice]) -> List {
        let columns = Self.columns.filter { marks != nil || $0.column.title != "Unread" }
        var seen: Set<String> = []
        let rows = choices.compactMap { choice -> List.Row? in
            // Skip an entry that is already shown among those of the article. A saved search is always shown: it has a name
            // of its own, and the list may also be that of a source.
            let id = choice.kind == "search" ? "search \(choice.name)" : choice.place?.path
            if let id, !seen.insert(id).inserted { return nil }
            var row = List.Row(
                columns.map { $0.cell(choice) }, event: choice.place.map { .open($0) }, id: id,
                actions: choice.source.map { [Action("Settings", .open(.source($0)))] } ?? [])
            row.section = choice.section
            return row
        }
        return List(
            columns: columns.map(\.column), rows: rows, placeholder: "The library has no entries here.", choice: "List")
    }

    /// Returns all entries of a group, in their order.
    private func entries(of group: LibraryPart.Group) -> [Choice] {
        switch group {
        case .searches: searches.map { choice(of: $0).under(group.title) }
        case .sources: orderedSources
        case .folders: sourceTags.map { $0.under(group.title) }
        case .ownTags:
            (marks?.counts.tags ?? []).map { ownTag($0.tag, articles: $0.articles).under(group.title) }
        case .tags: largest(tags).map { $0.under(group.title) }
        case .authors: largest(authors).map { $0.under(group.title) }
        }
    }

    private func count(of group: LibraryPart.Group) -> Int {
        switch group {
        case .searches: searches.count
        case .sources: sources.count
        case .folders: Set(sources.flatMap(\.facts.tags)).count
        case .ownTags: marks?.counts.tags.count ?? 0
        case .tags: tags.count
        case .authors: authors.count
        }
    }

    /// Returns the entries of a group with the most unread articles, as many as the first screen shows.
    private func mostUnread(of group: LibraryPart.Group) -> [Choice] {
        switch group {
        case .tags: largest(tags, limit: group.limit) { unread(of: $0) ?? 0 }
        case .authors: largest(authors, limit: group.limit) { unread(of: $0) ?? 0 }
        case .searches, .sources, .folders, .ownTags:
            Array(entries(of: group).sorted { ($0.unread ?? 0) > ($1.unread ?? 0) }.prefix(group.limit))
        }
    }

    /// The sources, those of each folder together. A source with several tags is in the folder of the first one.
    private var orderedSources: [Choice] {
        let keyed = sources.map { source in
            let folder = source.facts.tags.first
            let section = folder.map { "Sources in \($0.name)" } ?? LibraryPart.Group.sources.title
            // Sources without a folder come first: no key is empty.
            return (folder?.key ?? "", FoldedKey.fold(source.name), choice(of: source).under(section))
        }
        return keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    private var states: [Choice] {
        let everything = Choice(
            kind: "state", name: "All articles", section: "Articles", query: ArticleQuery(), articles: total,
            unread: marks?.counts.unread)
        guard let counts = marks?.counts else { return [everything] }
        var states: [(String, MarkCondition, Int)] = [
            ("Unread", MarkCondition(isRead: false), counts.unread),
            ("Starred", MarkCondition(isStarred: true), counts.starred),
            ("Later", MarkCondition(isReadLater: true), counts.later),
            ("With a note", MarkCondition(isNoted: true), counts.noted),
        ]
        if counts.hidden > 0 { states.append(("Hidden", MarkCondition(isHidden: true), counts.hidden)) }
        return [everything]
            + states.map {
                Choice(
                    kind: "state", name: $0.0, section: "Articles", query: ArticleQuery(marks: $0.1), articles: $0.2)
            }
    }

    /// The source, author, and tags of the article.
    private var ofArticle: [Choice] {
        guard let article else { return [] }
        let own = ownTags.map { tag in
            ownTag(tag, articles: marks?.counts.tags.first { $0.tag.key == tag.key }?.articles)
        }
        return named(article.authors, among: authors) + named(article.tags, among: tags) + own
            + sources.filter { $0.id == article.source.id }.map { choice(of: $0) }
    }

    private func named(_ names: [String], among labels: [ArticleLabel]) -> [Choice] {
        let keys = Set(names.map { SearchText.fold($0) })
        return labels.filter { keys.contains($0.key) }.map(choice)
    }

    /// Returns the labels with the largest numbers, and of equal numbers those with the most articles. A library may have
    /// many thousands, so the sorting moves numbers instead of entries.
    private func largest(
        _ labels: [ArticleLabel], limit: Int = .max, by number: (ArticleLabel) -> Int = { _ in 0 }
    ) -> [Choice] {
        let ranks = labels.enumerated().map { (number: number($1), articles: $1.articles, index: $0) }
        return ranks.sorted { ($1.number, $1.articles, $0.index) < ($0.number, $0.articles, $1.index) }
            .prefix(limit).map { choice(of: labels[$0.index]) }
    }

    private func unread(of label: ArticleLabel) -> Int? {
        let read = label.kind == .author ? marks?.read.authors : marks?.read.tags
        return read.map { label.articles - ($0[label.key] ?? 0) }
    }

    private func choice(of listed: ListedSearch) -> Choice {
        Choice(kind: "search", name: listed.search.name.name, query: listed.query, unread: listed.unread)
    }

    private func choice(of source: Source) -> Choice {
        let articles = counts[source.id] ?? 0
        return Choice(
            kind: "source", name: source.name, query: ArticleQuery(source: source.name), source: source.id,
            articles: articles,
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
        return Choice(
            kind: label.kind.rawValue, name: label.name, query: query, articles: label.articles,
            unread: unread(of: label))
    }

    private func ownTag(_ tag: TagName, articles: Int?) -> Choice {
        Choice(
            kind: "my tag", name: tag.name, query: ArticleQuery(marks: MarkCondition(tag: tag.name)), articles: articles
        )
    }
}

extension LibraryOverview.Choice {
    /// Returns the line below a heading.
    fileprivate func under(_ section: String) -> LibraryOverview.Choice {
        var choice = self
        choice.section = section
        return choice
    }
}

extension LibraryPart.Group {
    /// The heading.
    fileprivate var title: String {
        switch self {
        case .searches: "Saved searches"
        case .sources: "Sources"
        case .folders: "Folders"
        case .ownTags: "My tags"
        case .tags: "Tags"
        case .authors: "Authors"
        }
    }

    /// The number of entries on the first screen if it does not show all. With the states, the links to the pages, and the
    /// entries of an article, these are at most 100.
    fileprivate var limit: Int {
        switch self {
        case .sources: 24
        case .searches, .folders, .tags: 12
        case .ownTags, .authors: 8
        }
    }
}
