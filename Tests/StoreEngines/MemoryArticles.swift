public import ArticleStore
public import Foundation
import Synchronization
public import Text

/// A library in memory: a value behind a lock.
public final class MemoryArticles: ArticleRepository {
    private let library = Mutex(MemoryLibrary())
    private let clock: @Sendable () -> Date
    /// The marks by user and article.
    let marks = Mutex<[Int64: [Int64: ArticleMarks]]>([:])
    /// The time of each user's last change of all articles to read or unread.
    let allReadTimes = Mutex<[Int64: Date]>([:])
    /// The saved searches of each user, with the sources of their lists.
    let searches = Mutex<[Int64: [(search: SavedSearch, source: Source.ID?)]]>([:])
    /// The rules of each user.
    let rules = Mutex<[Int64: UserRules]>([:])
    /// The changes of articles and marks.
    let log = Mutex(MemoryLog())
    private let undeclared = Mutex<[String]>([])
    /// Returns whether a user has this number.
    let isReader: @Sendable (Int64) -> Bool
    /// Returns the numbers of all users.
    private let readers: @Sendable () -> [Int64]
    /// Returns the users to whom a source is quiet.
    private let quietUsers: @Sendable (Source.ID) -> Set<Int64>

    /// Makes an empty library.
    ///
    /// - Parameters:
    ///   - clock: The time for articles of sources without dates.
    ///   - isReader: Returns whether a user has this number.
    ///   - readers: Returns the numbers of all users.
    ///   - quietUsers: Returns the users to whom a source is quiet.
    public init(
        clock: @escaping @Sendable () -> Date, isReader: @escaping @Sendable (Int64) -> Bool = { _ in true },
        readers: @escaping @Sendable () -> [Int64] = { [] },
        quietUsers: @escaping @Sendable (Source.ID) -> Set<Int64> = { _ in [] }
    ) {
        self.clock = clock
        self.isReader = isReader
        self.readers = readers
        self.quietUsers = quietUsers
    }

    /// Returns articles by their numbers. See `ArticleRepository`.
    public func articles(ids: [Int64], upTo size: Int) async throws -> [ArrivedArticle] {
        let (library, arrivals) = (library.withLock { $0 }, log.withLock(\.arrivals))
        var articles: [ArrivedArticle] = []
        var sum = 0
        for id in ids where sum < size {
            guard let article = library.article(id: id) else { continue }
            articles.append(
                ArrivedArticle(article, arrival: arrivals[id].map { Arrival(microseconds: $0) }))
            sum += article.body.utf8.count
        }
        return articles
    }

    /// Returns the summaries of the articles that references name. See `ArticleRepository`.
    public func summaries(of references: [ArticleReference]) async throws -> [ArticleReference: ArticleSummary] {
        let library = library.withLock { $0 }
        var summaries: [ArticleReference: ArticleSummary] = [:]
        for reference in references {
            let numbered = reference.number.flatMap { library.article(id: $0) }
            summaries[reference] = (numbered ?? library.article(slug: reference.description)).map { ArticleSummary($0) }
        }
        return summaries
    }

    /// Returns the summaries of the articles of a source with these keys. See `ArticleRepository`.
    public func summaries(keys: [ExactText], in source: Source.ID) async throws -> [ExactText: ArticleSummary] {
        let library = library.withLock { $0 }
        var summaries: [ExactText: ArticleSummary] = [:]
        for key in keys { summaries[key] = library.article(key: key, in: source).map { ArticleSummary($0) } }
        return summaries
    }

    /// Returns the addresses of the originals. See `ArticleRepository`.
    public func sourceURLs(of ids: [Int64]) async throws -> [Int64: String] {
        let everything = everything
        return ids.reduce(into: [:]) { $0[$1] = everything[$1]?.sourceURL }
    }

    /// Returns the articles with addresses. See `ArticleRepository`.
    public func articleIDs(at addresses: [String]) async throws -> [Int64] {
        let stories = Set(addresses.compactMap(StoryAddress.init))
        return everything.values.filter { article in
            guard let address = article.sourceURL else { return false }
            return addresses.contains(address) || StoryAddress(address).map(stories.contains) ?? false
        }.map(\.id).sorted()
    }

    /// Returns the sources of articles. See `ArticleRepository`.
    public func sourceIDs(of ids: [Int64]) async throws -> [Int64: Source.ID] {
        let everything = everything
        return ids.reduce(into: [:]) { $0[$1] = everything[$1]?.source.id }
    }

    /// Returns the sources of the articles of a query. See `ArticleRepository`.
    public func sourceIDs(of query: ArticleQuery) async throws -> Set<Source.ID> {
        Set(entries(query).flatMap(\.article.sourceIDs))
    }

    /// Returns the range of the numbers of each source. See `ArticleRepository`.
    public func articleRanges() async throws -> [Source.ID: ClosedRange<Int64>] {
        everything.values.reduce(into: [:]) { ranges, article in
            for source in article.sourceIDs {
                let range = ranges[source] ?? article.id...article.id
                ranges[source] = min(range.lowerBound, article.id)...max(range.upperBound, article.id)
            }
        }
    }

    /// Returns the article with a slug. See `ArticleRepository`.
    public func article(slug: String) async throws -> Article? { library.withLock { $0.article(slug: slug) } }

    /// Returns the articles that a link may lead to. See `ArticleRepository`.
    public func linkCandidates(named names: [String], in source: Source.ID) async throws -> [LinkCandidate] {
        library.withLock { $0.linkCandidates(named: names, in: source) }
    }

    /// Returns all sources. See `ArticleRepository`.
    public func sources() async throws -> [Source] { currentSources() }

    /// Returns all sources.
    @Sendable package func currentSources() -> [Source] { library.withLock { $0.sources } }

    /// Returns the source of each article.
    func sourcesOfArticles() -> [Int64: Source.ID] { library.withLock(\.sourcesOfArticles) }

    /// Returns the number of articles of each source. See `ArticleRepository`.
    public func articleCounts() async throws -> [Source.ID: Int] { library.withLock { $0.articleCounts } }

    /// Returns the number of articles that are in no other source than these. See `ArticleRepository`.
    public func count(onlyIn sources: [Source.ID]) async throws -> Int {
        everything.values.count { $0.sourceIDs.allSatisfy(sources.contains) }
    }

    /// Returns a page of a list. See `ArticleRepository`.
    public func list(
        _ query: ArticleQuery, after cursor: Cursor?, limit: Int, counts: Bool
    ) async throws -> ArticlePage {
        let (all, position) = try list(query, from: cursor)
        let rest = position.map { position in all.drop { !$0.isAfter(position, in: query) } } ?? all[...]
        let page = rest.prefix(ArticlePage.size(limit)).map { $0.summary(in: query) }
        let last = page.count < rest.count ? page.last : nil
        return ArticlePage(
            summaries: page, next: last.map { Cursor(after: $0, in: query) },
            total: counts && (query.search == nil || page.count == all.count) ? all.count : nil,
            search: query.search.map { _ in SearchReport() }, lastNumber: everything.keys.max() ?? 0)
    }

    /// Returns the last articles before a position. See `ArticleRepository`.
    public func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        let (all, position) = try list(query, from: cursor)
        let start = position.map { position in all.prefix { !$0.isAfter(position, in: query) } } ?? all[...]
        return start.suffix(ArticlePage.size(limit)).map { $0.summary(in: query) }
    }

    /// Returns whole articles of a list. See `ArticleRepository`.
    public func articles(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticleBatch {
        let (all, position) = try list(query, from: cursor)
        let rest = position.map { position in all.drop { !$0.isAfter(position, in: query) } } ?? all[...]
        let batch = rest.prefix(ArticlePage.size(limit))
        let last = batch.count < rest.count ? batch.last : nil
        return ArticleBatch(
            articles: batch.map(\.article), next: last.map { Cursor(after: $0.summary(in: query), in: query) })
    }

    private func list(
        _ query: ArticleQuery, from cursor: Cursor?
    ) throws -> (all: [MemoryLibrary.Entry], position: Cursor.Position?) {
        (entries(query), try cursor.map { cursor in try library.withLock { try $0.place(cursor, in: query) } })
    }

    /// Returns the number of articles of a query. See `ArticleRepository`.
    public func count(_ query: ArticleQuery) async throws -> Int { entries(query).count }

    /// Returns the numbers of a query's articles by arrival. See `ArticleRepository`.
    public func numbers(of query: ArticleQuery, latestFirst: Bool, limit: Int) async throws -> [Int64] {
        let numbers = entries(query).map(\.article.id).sorted()
        return Array((latestFirst ? numbers.reversed() : numbers).prefix(max(limit, 1)))
    }

    /// Returns the numbers of the articles that match each query. See `ArticleRepository`.
    public func numbers(
        ofEach queries: [ArticleQuery], latestFirst: Bool, limit: Int, within time: Duration
    ) async throws -> [[Int64]?] {
        let deadline = ContinuousClock.now + time
        var found: [[Int64]?] = []
        for query in queries {
            let isLate = ContinuousClock.now >= deadline
            found.append(isLate ? nil : try await numbers(of: query, latestFirst: latestFirst, limit: limit))
        }
        return found
    }

    /// Returns the size of the library. See `ArticleRepository`.
    public func size() async throws -> LibrarySize {
        let articles = everything.values
        let months = Dictionary(grouping: articles) { RFC3339.string(from: $0.published).prefix(7) }
        return LibrarySize(
            articles: articles.count, readingMinutes: articles.reduce(0) { $0 + $1.readingMinutes },
            months: months.sorted { $0.key < $1.key }.map { .init(String($0.key), articles: $0.value.count) })
    }

    /// Returns all authors or all tags. See `ArticleRepository`.
    public func labels(_ kind: ArticleLabel.Kind) async throws -> [ArticleLabel] {
        var labels: [String: ArticleLabel] = [:]
        // The latest article comes last, so its spelling of the label wins.
        for entry in entries(ArticleQuery(sort: .oldest)) {
            for name in kind == .author ? entry.article.authors : entry.article.tags {
                let key = SearchText.fold(name)
                labels[key] = ArticleLabel(
                    kind: kind, key: key, name: name, articles: (labels[key]?.articles ?? 0) + 1)
            }
        }
        return labels.values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// Returns the authors or tags that begin with a text. See `ArticleRepository`.
    public func labels(
        _ kind: ArticleLabel.Kind, beginningWith start: String, limit: Int
    ) async throws -> [ArticleLabel] {
        let key = SearchText.fold(start)
        return Array(try await labels(kind).filter { $0.key.utf8.starts(with: key.utf8) }.prefix(limit))
    }

    /// Returns the slugs that begin with a text. See `ArticleRepository`.
    public func slugs(beginningWith start: String, limit: Int) async throws -> [String] {
        Array(slugs.filter { $0.utf8.starts(with: start.utf8) }.prefix(limit))
    }

    /// Returns slugs that a person may have meant. See `ArticleRepository`.
    public func slugs(similarTo typed: String) async throws -> [String] {
        let slug = typed.lowercased()
        guard !slugs.contains(slug) else { return [slug] }
        return slugs.filter { $0.first == slug.first }.suggestions(for: slug)
    }

    private var slugs: [String] {
        everything.values.map(\.slug).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the languages of all articles. See `ArticleRepository`.
    public func languages() async throws -> [String] {
        Set(everything.values.compactMap(\.language)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the articles of a query, in its order.
    func entries(_ query: ArticleQuery) -> [MemoryLibrary.Entry] {
        let marks = query.marks.userID.map { self.marks(by: $0) } ?? [:]
        let criteria = query.markConditions
        return library.withLock { $0.list(query, marks: marks) }.filter { entry in
            criteria.allSatisfy { $0.holds(of: marks[entry.article.id] ?? ArticleMarks()) }
        }
    }

    /// All articles, by number.
    var everything: [Int64: Article] { library.withLock(\.everything) }

    /// The rows that the bodies of writes have read without declaring them.
    public var undeclaredReads: [String] { undeclared.withLock { $0 } }

    /// Changes articles without another reader or writer in between. See `ArticleRepository`.
    public func write<T: Sendable>(
        needing needs: WriteNeeds, _ body: (any ArticleWriter) throws -> T
    ) async throws -> T {
        let present = marks.withLock { $0 }
        let readers = readers()
        return try library.withLock { library in
            let writer = Writer(library: library, needs: needs, now: clock()) { article in
                let marks = readers.map { present[$0]?[article] ?? ArticleMarks() }
                return marks.isEmpty
                    || marks.contains { marks in
                        !marks.read.value || marks.starred.value || marks.later.value || marks.note.value != nil
                            || !marks.tags.isEmpty
                    }
            }
            defer { undeclared.withLock { $0 += writer.undeclared } }
            let result = try body(writer)
            let (before, after) = (library.everything, writer.library.everything)
            log.withLock { $0.note(before, after, at: clock()) }
            library = writer.library
            for article in after.values where before[article.id] == nil {
                for user in quietUsers(article.source.id) { mark(article.id, .init(true), by: user) }
            }
            for id in writer.unread {
                guard let source = after[id]?.source.id else { continue }
                for user in Set(readers).subtracting(quietUsers(source)) where present[user]?[id]?.read.value == true {
                    mark(id, .init(false, changed: writer.now), by: user)
                }
            }
            return result
        }
    }

    private func mark(_ article: Int64, _ read: ArticleMarks.Mark<Bool>, by user: Int64) {
        marks.withLock { marks in
            let before = marks[user] ?? [:]
            marks[user, default: [:]][article, default: ArticleMarks()].read = read
            log.withLock { $0.note(before, marks[user] ?? [:], of: user) }
        }
    }

    /// Changes a copy of the library, which replaces the original if nothing is thrown.
    private final class Writer: ArticleWriter {
        private(set) var library: MemoryLibrary
        private(set) var undeclared: [String] = []
        private(set) var unread: Set<Int64> = []
        private let needs: WriteNeeds
        private let isNeeded: (Int64) -> Bool
        /// The articles that this writer has added or changed. Their rows are known.
        private var own: Set<Int64> = []
        let now: Date

        init(library: MemoryLibrary, needs: WriteNeeds, now: Date, isNeeded: @escaping (Int64) -> Bool) {
            (self.library, self.needs, self.now, self.isNeeded) = (library, needs, now, isNeeded)
        }

        private func check(_ isDeclared: Bool, _ row: @autoclosure () -> String) {
            if !isDeclared { undeclared.append(row()) }
        }

        private func isDeclared(_ article: Article) -> Bool {
            guard !own.contains(article.id), !needs.articles.contains(article.id) else { return true }
            guard let content = needs.records[article.key] else {
                return article.sourceURL.flatMap(StoryAddress.init).map(needs.addresses.contains) ?? false
                    || article.appearances.contains { needs.records.keys.contains($0.key) }
            }
            return content.map { $0 != library.entry(key: article.key, of: article.source.id)?.origin.content } ?? true
        }

        func sources() throws -> [Source] { library.sources }
        func insert(_ facts: SourceFacts, uid: SourceUID?) throws -> Source { try library.insert(facts, uid: uid) }
        func update(_ source: Source) throws { try library.update(source) }
        func deleteSource(id: Source.ID) throws -> Int? { library.deleteSource(id: id) }
        func isEmpty(_ source: Source.ID) throws -> Bool { library.entries(of: source).isEmpty }
        func entry(key: ExactText, of source: Source.ID) throws -> ArticleEntry? {
            let entry = library.entry(key: key, of: source)
            check(needs.records.keys.contains(key) || entry.map { own.contains($0.id) } ?? false, "entry \(key)")
            return entry
        }
        func articles(titled title: String, of source: Source.ID) throws -> [Int64] {
            library.articles(titled: title, of: source)
        }
        func articles(at address: String, of source: Source.ID) throws -> [Int64] {
            library.articles(at: address, of: source)
        }
        func articles(at address: StoryAddress) throws -> [Int64: Source.ID] {
            check(needs.addresses.contains(address), "address \(address.text)")
            return library.articles(at: address)
        }
        func appearance(key: ExactText, of source: Source.ID) throws -> ArticleEntry? {
            check(needs.records.keys.contains(key), "appearance \(key)")
            return library.appearance(key: key, of: source)
        }
        func articlesAppearingElsewhere(from source: Source.ID) throws -> [Int64] {
            library.articlesAppearingElsewhere(from: source)
        }
        func put(_ appearance: ArticleAppearance, of article: Int64) throws { try library.put(appearance, of: article) }
        func deleteAppearance(in source: Source.ID, of article: Int64) throws {
            library.deleteAppearance(in: source, of: article)
        }
        func forEachEntry(of source: Source.ID, _ body: (ExactText, ArticleEntry) throws -> Void) throws {
            for (key, entry) in library.entries(of: source) { try body(key, entry) }
        }
        func article(id: Int64) throws -> Article? {
            let article = library.article(id: id)
            check(article.map(isDeclared) ?? needs.articles.contains(id), "article \(id)")
            return article
        }
        func holder(ofSlug slug: String) throws -> (id: Int64, source: Source.ID)? {
            let holder = library.article(slug: slug)
            check(needs.slugs.contains(slug) || holder.map { own.contains($0.id) } ?? false, "slug \(slug)")
            return holder.map { ($0.id, $0.source.id) }
        }
        func insert(_ article: Article, from origin: ArticleOrigin) throws -> Int64 {
            let id = try library.insert(article, from: origin)
            own.insert(id)
            return id
        }
        func update(_ old: Article, to new: Article, from origin: ArticleOrigin) throws {
            own.insert(new.id)
            try library.update(new, from: origin)
        }
        func update(_ entry: ArticleEntry) throws { library.update(entry) }
        func delete(id: Int64, forGood: Bool) throws -> Bool { library.delete(id: id, forGood: forGood) }
        func markUnread(_ article: Int64) throws { unread.insert(article) }
        func expiredArticles(of source: Source.ID, keeping retention: Retention, limit: Int) throws -> [Int64] {
            let articles = library.everything.values.filter { $0.source.id == source }.sorted {
                ($0.published, $0.id) < ($1.published, $1.id)
            }
            let expired: ArraySlice<Article> =
                switch retention {
                case .all: []
                case .newest(let count): articles.dropLast(count)
                case .days(let count):
                    articles.prefix { $0.published < now.addingTimeInterval(-86_400 * Double(count)) }
                }
            return expired.filter { article in
                library.entry(key: article.key, of: source)?.origin.isEdited == false && !isNeeded(article.id)
            }.prefix(limit).map(\.id)
        }
        func articleCreated(by request: [UInt8]) throws -> (id: Int64, content: [UInt8])? {
            check(needs.requests.contains(request), "request")
            guard let made = library.creations[request], library.article(id: made.article) != nil,
                made.time > now.addingTimeInterval(-Creation.lifetime)
            else { return nil }
            return (made.article, made.content)
        }
        func record(_ creation: Creation, of article: Int64) throws {
            library.creations[creation.request] = (article, creation.content, now)
        }
        func deletion(key: ExactText, of source: Source.ID) throws -> Deletion? {
            check(needs.records.keys.contains(key), "deletion \(key)")
            return library.deletion(key: key, of: source)
        }
        func record(_ deletion: Deletion, of source: Source.ID) throws { library.record(deletion, of: source) }
        func forgetDeletion(key: ExactText, of source: Source.ID) throws {
            library.forgetDeletion(key: key, of: source)
        }
        func deletions(of source: Source.ID) throws -> [Deletion] { library.deletions(of: source) }
    }
}
