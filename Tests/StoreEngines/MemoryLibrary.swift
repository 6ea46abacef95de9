import ArticleStore
import Foundation
import Text

/// Articles, and the lists of queries.
struct MemoryLibrary: Sendable {
    /// The reason for a refused change, like a constraint of a database.
    enum Refusal: Error {
        case isTaken
        case isMissing
    }

    private(set) var sources: [Source] = []
    private var lastSource: Source.ID = 0
    private var entries: [Int64: Entry] = [:]
    private var lastID: Int64 = 0
    /// The articles that requests have created, by idempotency key.
    var creations: [[UInt8]: (article: Int64, content: [UInt8], time: Date)] = [:]
    private var deletions: [Source.ID: [ExactText: Deletion]] = [:]

    func article(id: Int64) -> Article? { entries[id]?.article }

    func article(slug: String) -> Article? {
        entries.values.first { ExactText($0.article.slug) == ExactText(slug) }?.article
    }

    func article(key: ExactText, in source: Source.ID) -> Article? {
        entries.values.first { $0.article.source.id == source && $0.article.key == key }?.article
    }

    func articles(titled title: String, of source: Source.ID) -> [Int64] {
        let key = ArticleQuery.titleKey(title)
        return entries.values.map(\.article).filter { article in
            article.source.id == source && ArticleQuery.titleKey(article.title) == key
        }.map(\.id).sorted()
    }

    func articles(at address: String, of source: Source.ID) -> [Int64] {
        entries.values.map(\.article).filter { $0.source.id == source && $0.sourceURL == address }.map(\.id).sorted()
    }

    func articles(at address: StoryAddress) -> [Int64: Source.ID] {
        let found = entries.values.map(\.article).filter { article in
            article.sourceURL.flatMap(StoryAddress.init) == address
        }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.source.id) })
    }

    func appearance(key: ExactText, of source: Source.ID) -> ArticleEntry? {
        for article in entries.values.map(\.article) {
            for appearance in article.appearances where appearance.source.id == source && appearance.key == key {
                return ArticleEntry(id: article.id, origin: ArticleOrigin(content: appearance.content))
            }
        }
        return nil
    }

    func articlesAppearingElsewhere(from source: Source.ID) -> [Int64] {
        entries.values.map(\.article).filter { $0.source.id == source && !$0.appearances.isEmpty }.map(\.id).sorted()
    }

    mutating func put(_ appearance: ArticleAppearance, of article: Int64) throws {
        let holder = self.appearance(key: appearance.key, of: appearance.source.id)
        guard let entry = entries[article], holder.map({ $0.id == article }) ?? true,
            entry.article.source.id != appearance.source.id
        else { throw Refusal.isTaken }
        if let index = entry.article.appearances.firstIndex(where: { $0.source.id == appearance.source.id }) {
            entries[article]?.article.appearances[index] = appearance
        } else {
            entries[article]?.article.appearances.append(appearance)
        }
    }

    mutating func deleteAppearance(in source: Source.ID, of article: Int64) {
        entries[article]?.article.appearances.removeAll { $0.source.id == source }
    }

    func linkCandidates(named names: [String], in source: Source.ID) -> [LinkCandidate] {
        entries.values.map(\.article).filter { article in
            names.contains(article.slug)
                || article.source.id == source
                    && names.contains { article.key.text.lowercased().contains($0.lowercased()) }
        }.sorted { $0.id < $1.id }.prefix(1000).map { LinkCandidate($0) }
    }

    mutating func insert(_ facts: SourceFacts, uid: SourceUID?) throws -> Source {
        let source = Source(id: lastSource + 1, uid: uid ?? SourceUID.random(), facts: facts)
        guard !isTaken(source) else { throw Refusal.isTaken }
        lastSource = source.id
        sources.append(source)
        return source
    }

    mutating func update(_ source: Source) throws {
        guard let index = sources.firstIndex(where: { $0.id == source.id }) else { throw Refusal.isMissing }
        guard !isTaken(source) else { throw Refusal.isTaken }
        sources[index] = source
        for (id, entry) in entries {
            if entry.article.source.id == source.id { entries[id]?.article.source = source.reference }
            for (index, appearance) in entry.article.appearances.enumerated() where appearance.source.id == source.id {
                entries[id]?.article.appearances[index].source = source.reference
            }
        }
    }

    mutating func deleteSource(id: Source.ID) -> Int? {
        guard let index = sources.firstIndex(where: { $0.id == id }) else { return nil }
        sources.remove(at: index)
        deletions[id] = nil
        let before = entries.count
        entries = entries.filter { $0.value.article.source.id != id }
        for article in entries.keys { deleteAppearance(in: id, of: article) }
        return before - entries.count
    }

    var sourcesOfArticles: [Int64: Source.ID] { entries.mapValues(\.article.source.id) }

    var articleCounts: [Source.ID: Int] {
        entries.values.flatMap(\.article.sourceIDs).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func isTaken(_ source: Source) -> Bool {
        sources.contains {
            $0.id != source.id
                && ($0.uid == source.uid || FoldedKey.fold($0.name) == FoldedKey.fold(source.name))
        }
    }

    func entry(key: ExactText, of source: Source.ID) -> ArticleEntry? {
        entries.values.first { $0.article.source.id == source && $0.article.key == key }?.origin
    }

    func entries(of source: Source.ID) -> [(ExactText, ArticleEntry)] {
        entries.values.filter { $0.article.source.id == source }.map { ($0.article.key, $0.origin) }
            .sorted { $0.0 < $1.0 }
    }

    mutating func insert(_ article: Article, from origin: ArticleOrigin) throws -> Int64 {
        lastID += 1
        var article = article
        article.id = lastID
        try put(article, from: origin)
        return lastID
    }

    mutating func update(_ article: Article, from origin: ArticleOrigin) throws {
        guard entries[article.id] != nil else { throw Refusal.isMissing }
        try put(article, from: origin)
    }

    mutating func update(_ entry: ArticleEntry) { entries[entry.id]?.origin = entry }

    private mutating func put(_ article: Article, from origin: ArticleOrigin) throws {
        let isTaken = entries.values.contains {
            $0.article.id != article.id
                && (ExactText($0.article.slug) == ExactText(article.slug)
                    || $0.article.source.id == article.source.id && $0.article.key == article.key)
        }
        guard !isTaken else { throw Refusal.isTaken }
        guard sources.contains(where: { $0.id == article.source.id }) else { throw Refusal.isMissing }
        var article = article
        article.appearances = entries[article.id]?.article.appearances ?? []
        entries[article.id] = Entry(article, ArticleEntry(id: article.id, origin: origin))
    }

    mutating func delete(id: Int64, forGood: Bool) -> Bool {
        guard let entry = entries.removeValue(forKey: id) else { return false }
        if forGood {
            record(Deletion(key: entry.article.key, content: entry.origin.origin.content), of: entry.article.source.id)
            for appearance in entry.article.appearances {
                record(Deletion(key: appearance.key, content: appearance.content), of: appearance.source.id)
            }
        }
        return true
    }

    func deletion(key: ExactText, of source: Source.ID) -> Deletion? { deletions[source]?[key] }

    mutating func record(_ deletion: Deletion, of source: Source.ID) {
        deletions[source, default: [:]][deletion.key] = deletion
    }

    mutating func forgetDeletion(key: ExactText, of source: Source.ID) { deletions[source]?[key] = nil }

    func deletions(of source: Source.ID) -> [Deletion] { (deletions[source] ?? [:]).values.sorted { $0.key < $1.key } }

    /// Returns the articles of a query, without an order.
    ///
    /// - Parameter marks: the marks of the query's user.
    func matches(_ query: ArticleQuery, marks: [Int64: ArticleMarks] = [:]) -> [Entry] {
        let (author, tag) = (query.author.map(SearchText.fold), query.tag.map(SearchText.fold))
        let language = query.language.map(LanguageTag.canonical)
        let source = query.source.map { name in
            sources.first { FoldedKey.fold($0.name) == FoldedKey.fold(name) }?.id
        }
        let tagged = query.sourceTag.map { name in
            Set(sources.filter { $0.facts.tags.contains { $0.key == SearchText.fold(name) } }.map(\.id))
        }
        let search = query.search.map { ArticleWords.Search($0) }
        let matches = entries.values.filter { entry in
            (tagged.map { !$0.isDisjoint(with: entry.article.sourceIDs) } ?? true)
                && (source.map { $0.map(entry.article.sourceIDs.contains) ?? false } ?? true)
                && (author.map(entry.authors.contains) ?? true) && (tag.map(entry.tags.contains) ?? true)
                && (language.map { entry.article.language == $0 } ?? true)
                && (query.numbers.map { $0.contains(entry.article.id) } ?? true)
                && (query.since.map { entry.article.published >= $0 } ?? true)
                && (query.until.map { entry.article.published < $0 } ?? true)
                && (search.map { holds(entry, $0, marks[entry.article.id] ?? ArticleMarks()) } ?? true)
        }
        return matches.map { $0.scored(by: search) }
    }

    private func holds(_ entry: Entry, _ search: ArticleWords.Search, _ marks: ArticleMarks) -> Bool {
        entry.words.meet(search, of: entry.article) {
            SingleMarkCondition(userID: nil, mark: $0, isSet: true).holds(of: marks)
        }
    }

    /// Returns the articles of a query, in order.
    ///
    /// - Parameter marks: the marks of the query's user.
    func list(_ query: ArticleQuery, marks: [Int64: ArticleMarks] = [:]) -> [Entry] {
        let places = matches(query, marks: marks).map { (entry: $0, position: $0.position(in: query)) }
        return places.sorted { $0.position.isBefore($1.position, in: query) }.map(\.entry)
    }

    /// Returns a position in the list of a query, with the score of the article if the cursor lacks it.
    func place(_ cursor: Cursor, in query: ArticleQuery) throws -> Cursor.Position {
        let position = try cursor.position(in: query)
        guard case .score(nil, let id) = position else { return position }
        return entries[id]?.scored(by: query.search.map { ArticleWords.Search($0) }).position(in: query) ?? position
    }

    /// An article, with the values that searches and orders use.
    struct Entry: Sendable {
        fileprivate(set) var article: Article
        fileprivate(set) var origin: ArticleEntry
        let authors: [String]
        let tags: [String]
        private let titleKey: String
        let words: ArticleWords
        /// The score in the search of the list.
        private var score: Double?

        init(_ article: Article, _ origin: ArticleEntry) {
            self.article = article
            self.origin = origin
            authors = article.authors.map(SearchText.fold)
            tags = article.tags.map(SearchText.fold)
            titleKey = ArticleQuery.titleKey(article.title)
            words = ArticleWords(article)
        }

        fileprivate func scored(by search: ArticleWords.Search?) -> Self {
            var scored = self
            scored.score = search.flatMap(words.score)
            return scored
        }

        /// Returns whether the article is after a position in the list of a query.
        func isAfter(_ position: Cursor.Position, in query: ArticleQuery) -> Bool {
            position.isBefore(self.position(in: query), in: query)
        }

        fileprivate func position(in query: ArticleQuery) -> Cursor.Position {
            switch query.order {
            case .newest, .oldest: .date(article.published, id: article.id)
            case .title: .title(key: titleKey, id: article.id)
            case .relevance: .score(score, id: article.id)
            }
        }

        /// Returns the article as it is in lists.
        func summary(in query: ArticleQuery) -> ArticleSummary {
            var summary = ArticleSummary(article)
            guard let search = query.search, search.marksWords else { return summary }
            summary.found = SearchMarker(search).hit(
                summary, body: article.body, format: article.format, score: query.order == .relevance ? score : nil)
            return summary
        }
    }
}

extension Cursor.Position {
    /// Returns whether this position is before another in the list of a query.
    fileprivate func isBefore(_ other: Self, in query: ArticleQuery) -> Bool {
        query.order == .newest || query.order == .relevance ? other.isLess(than: self) : isLess(than: other)
    }

    /// Returns whether this position comes first in ascending order. Titles are ordered byte by byte.
    fileprivate func isLess(than other: Self) -> Bool {
        switch (self, other) {
        case (.date(let date, let id), .date(let otherDate, let otherID)): (date, id) < (otherDate, otherID)
        case (.title(let key, let id), .title(let otherKey, let otherID)):
            key.utf8.elementsEqual(otherKey.utf8)
                ? id < otherID : key.utf8.lexicographicallyPrecedes(otherKey.utf8)
        case (.score(let score, let id), .score(let otherScore, let otherID)):
            (score ?? 0, id) < (otherScore ?? 0, otherID)
        // All positions of a list have the same order.
        default: false
        }
    }
}

extension Article {
    /// The numbers of all its sources.
    var sourceIDs: [Source.ID] { [source.id] + appearances.map(\.source.id) }
}

extension MemoryLibrary {
    /// All articles, by number.
    var everything: [Int64: Article] {
        Dictionary(uniqueKeysWithValues: list(ArticleQuery()).map { ($0.article.id, $0.article) })
    }
}
