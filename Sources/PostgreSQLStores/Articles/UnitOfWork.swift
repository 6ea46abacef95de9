internal import ArticleStore
internal import PostgreSQL
internal import Text

/// An author or a tag.
private struct Label: Hashable {
    let kind: String
    /// The name, folded and as it is stored.
    let key: ExactText
}

/// Collects the changes of a transaction without waiting for the server.
///
/// It answers from the facts that were read. If it does not have a fact, it answers as if the library did not have the
/// object, and adds a question. Then the caller discards this unit of work, reads the answers, and starts again. So a
/// batch of drafts needs a few round trips, however many drafts it has.
final class UnitOfWork: ArticleWriter {
    let now: Date
    private let makeUID: @Sendable () -> SourceUID
    private var facts: LibraryFacts
    private(set) var questions = LibraryQuestions()
    private var statements: [Statement] = []
    /// The articles to be added to the search index, and those whose labels are added, when the statements are sent.
    private var searchable: [Int64: Article] = [:]
    private var labeled: [Int64: Article] = [:]
    /// The articles whose earlier labels are removed first.
    private var relabeled: Set<Int64> = []
    private var sizeChanges: [Source.ID: Int] = [:]
    /// The sources of new articles.
    private var growingSources: Set<Source.ID> = []
    private var unreadArticles: Set<Int64> = []
    private let firstArticle: Int64

    init(_ facts: LibraryFacts, now: Date, makeUID: @escaping @Sendable () -> SourceUID) {
        (self.facts, self.now, self.makeUID) = (facts, now, makeUID)
        firstArticle = facts.lastArticle + 1
    }

    /// The articles to be added to the search index after the statements.
    var searchableArticles: [Article] { searchable.sorted { $0.key < $1.key }.map(\.value) }

    /// The statements of the transaction, without those for the search index.
    ///
    /// - Parameter arrival: the time at which new articles arrive.
    func finishedStatements(arrival: Arrival) -> [Statement] {
        var all = statements
        if !relabeled.isEmpty {
            all.append(
                Statement("DELETE FROM article_label WHERE article_id = ANY ($1)", [.integers(relabeled.sorted())]))
        }
        let labeled = labeled.sorted { $0.key < $1.key }.map(\.value)
        for start in stride(from: 0, to: labeled.count, by: 500) {
            all += Self.labelStatements(of: labeled[start..<min(start + 500, labeled.count)])
        }
        if !growingSources.isEmpty {
            let sources = growingSources.sorted()
            // Lock users before articles, as the writers of marks do: the opposite order could wait in a circle.
            all.insert(contentsOf: MarkWriter.lockQuietReaders(of: sources), at: 0)
            all.append(MarkWriter.markReadQuietly(from: firstArticle, of: sources))
        }
        if !unreadArticles.isEmpty {
            all.insert(MarkWriter.lockReaders, at: 0)
            all.append(MarkWriter.markUnread(unreadArticles.sorted(), at: now))
        }
        for (source, change) in sizeChanges.sorted(by: { $0.key < $1.key }) where change != 0 {
            all.append(
                Statement(
                    """
                    INSERT INTO source_size (source_id, articles) SELECT id, $2 FROM source WHERE id = $1
                    ON CONFLICT (source_id) DO UPDATE SET articles = source_size.articles + excluded.articles
                    """, [.integer(source), Value(change)]))
        }
        if facts.lastArticle >= firstArticle {
            all.append(
                Statement(
                    """
                    INSERT INTO arrival (first_id, arrived_at)
                    SELECT $1, greatest($2, coalesce(
                        (SELECT arrived_at + $1 - first_id FROM arrival ORDER BY first_id DESC LIMIT 1), 0))
                    """, [.integer(firstArticle), .integer(arrival.microseconds)]))
        }
        guard !all.isEmpty else { return [] }
        return all + [
            Statement(
                "UPDATE library SET last_article = $1, last_source = $2",
                [.integer(facts.lastArticle), .integer(facts.lastSource)])
        ]
    }

    // MARK: Sources

    func sources() throws -> [Source] { facts.sources }

    func insert(_ facts: SourceFacts, uid: SourceUID?) throws -> Source {
        self.facts.lastSource += 1
        let source = Source(id: self.facts.lastSource, uid: uid ?? makeUID(), facts: facts)
        try check(source)
        self.facts.sources.append(source)
        self.facts.wholeSources.insert(source.id)
        self.facts.wholeDeletions.insert(source.id)
        self.facts.sizes[source.id] = 0
        statements.append(
            Statement(
                """
                INSERT INTO source (
                    id, uid, name, name_key, kind, location, home, feed_url, imported_at, problem_count, problems)
                VALUES ($10, $11, $1, $2, $3, $4, $5, $6, $7::bigint, $8, $9)
                """, SourceRow.values(facts, nil) + [.integer(source.id), .text(source.uid.description)]))
        addLists(of: source)
        return source
    }

    func update(_ source: Source) throws {
        guard let index = facts.sources.firstIndex(where: { $0.id == source.id }) else { return }
        try check(source)
        facts.sources[index] = source
        for (id, article) in facts.articles {
            if article?.source.id == source.id { facts.articles[id]??.source = source.reference }
            for index in (article?.appearances ?? []).indices
            where article?.appearances[index].source.id == source.id {
                facts.articles[id]??.appearances[index].source = source.reference
            }
        }
        statements += [
            Statement(
                """
                UPDATE source SET name = $1, name_key = $2, kind = $3, location = $4, home = $5, feed_url = $6,
                imported_at = $7::bigint, problem_count = $8, problems = $9 WHERE id = $10
                """, SourceRow.values(source.facts, source.lastImport) + [.integer(source.id)]),
            Statement("DELETE FROM source_tag WHERE source_id = $1", [.integer(source.id)]),
            Statement("DELETE FROM former_address WHERE source_id = $1", [.integer(source.id)]),
        ]
        addLists(of: source)
    }

    private func check(_ source: Source) throws {
        let key = FoldedKey.fold(source.name)
        let isTaken = facts.sources.contains {
            $0.id != source.id && ($0.uid == source.uid || FoldedKey.fold($0.name) == key)
        }
        if isTaken { throw StoreError(.refused, "A source has the name or the identifier already: \(source.name)") }
    }

    /// Stores the tags and the former addresses.
    private func addLists(of source: Source) {
        if !source.facts.formerAddresses.isEmpty {
            statements.append(
                Statement(
                    "INSERT INTO former_address (source_id, address) SELECT $1, unnest($2::text[])",
                    [.integer(source.id), .texts(source.facts.formerAddresses.map { AnyText.stored($0) })]))
        }
        guard !source.facts.tags.isEmpty else { return }
        statements.append(
            Statement(
                "INSERT INTO source_tag (source_id, key, name) SELECT $1, * FROM unnest($2::text[], $3::text[])",
                [
                    .integer(source.id), .texts(source.facts.tags.map { AnyText.stored($0.key) }),
                    .texts(source.facts.tags.map { AnyText.stored($0.name) }),
                ]))
    }

    func deleteSource(id: Source.ID) throws -> Int? {
        guard let index = facts.sources.firstIndex(where: { $0.id == id }) else { return nil }
        let count = size(of: id)
        facts.sources.remove(at: index)
        for (article, found) in facts.articles {
            if found?.source.id == id { facts.articles[article] = .some(nil) }
            facts.articles[article]??.appearances.removeAll { $0.source.id == id }
        }
        for story in facts.stories.keys { facts.stories[story] = facts.stories[story]?.filter { $0.value != id } }
        for (place, entry) in facts.appearances {
            guard let entry, place.source == id || facts.articles[entry.id] == .some(nil) else { continue }
            facts.appearances[place] = .some(nil)
        }
        for (slug, holder) in facts.holders where holder?.source == id { facts.holders[slug] = .some(nil) }
        for key in facts.entries.keys where key.source == id { facts.entries[key] = .some(nil) }
        for key in facts.titles.keys where key.source == id { facts.titles[key] = [] }
        for key in facts.addresses.keys where key.source == id { facts.addresses[key] = [] }
        for (request, made) in facts.requests {
            if let made, case .some(nil) = facts.articles[made.article] { facts.requests[request] = .some(nil) }
        }
        searchable = searchable.filter { $0.value.source.id != id }
        labeled = labeled.filter { $0.value.source.id != id }
        sizeChanges[id] = nil
        statements.append(Statement("DELETE FROM source WHERE id = $1", [.integer(id)]))
        return count
    }

    func isEmpty(_ source: Source.ID) throws -> Bool { size(of: source) == 0 }

    private func size(of source: Source.ID) -> Int {
        guard let size = facts.sizes[source] else {
            questions.sizes.insert(source)
            return 0
        }
        return size + (sizeChanges[source] ?? 0)
    }

    // MARK: Articles

    func entry(key: ExactText, of source: Source.ID) throws -> ArticleEntry? {
        let place = SourceKey(source: source, key: key)
        if let known = facts.entries[place] { return known }
        guard !facts.wholeSources.contains(source) else { return nil }
        questions.entries.insert(place)
        return nil
    }

    func articles(titled title: String, of source: Source.ID) throws -> [Int64] {
        let place = Self.title(title, of: source)
        guard let known = facts.titles[place] else {
            questions.titles.insert(place)
            return []
        }
        return known.sorted()
    }

    func articles(at address: String, of source: Source.ID) throws -> [Int64] {
        let place = SourceKey(source: source, key: ExactText(address))
        guard let known = facts.addresses[place] else {
            questions.addresses.insert(place)
            return []
        }
        return known.sorted()
    }

    func articles(at address: StoryAddress) throws -> [Int64: Source.ID] {
        guard let known = facts.stories[address] else {
            questions.stories.insert(address)
            return [:]
        }
        return known
    }

    func appearance(key: ExactText, of source: Source.ID) throws -> ArticleEntry? {
        let place = SourceKey(source: source, key: key)
        guard let known = facts.appearances[place] else {
            questions.entries.insert(place)
            return nil
        }
        return known
    }

    func articlesAppearingElsewhere(from source: Source.ID) throws -> [Int64] {
        guard let stored = facts.sharedArticles[source] else {
            questions.sharingSources.insert(source)
            return []
        }
        // This unit of work may have moved articles.
        return stored.union(facts.articles.keys).filter { id in
            guard let known = facts.articles[id] else { return true }
            return known.map { $0.source.id == source && !$0.appearances.isEmpty } ?? false
        }.sorted()
    }

    func put(_ appearance: ArticleAppearance, of article: Int64) throws {
        let place = SourceKey(source: appearance.source.id, key: appearance.key)
        if let old = facts.articles[article]??.appearances.firstIndex(where: { $0.source.id == place.source }) {
            if let key = facts.articles[article]??.appearances[old].key {
                facts.appearances[SourceKey(source: place.source, key: key)] = .some(nil)
            }
            facts.articles[article]??.appearances[old] = appearance
        } else {
            facts.articles[article]??.appearances.append(appearance)
        }
        facts.appearances[place] = ArticleEntry(id: article, origin: ArticleOrigin(content: appearance.content))
        statements.append(
            Statement(
                """
                INSERT INTO article_appearance (source_id, key, article_id, content_hash, appeared_at, published_at,
                    title_key, title, address, format, body)
                SELECT $1, $2, id, $3::bigint, $4, published_at, title_key, $5, $6, $7, $8 FROM article WHERE id = $9
                ON CONFLICT (article_id, source_id) DO UPDATE SET key = excluded.key,
                    content_hash = excluded.content_hash, title = excluded.title, address = excluded.address,
                    format = excluded.format, body = excluded.body
                """,
                [
                    .integer(place.source), Value(anyText: place.key.text), Self.value(of: appearance.content),
                    Value(now), Value(anyText: appearance.title), Value(anyText: appearance.address),
                    Value(anyText: appearance.text?.format.rawValue), Value(anyText: appearance.text?.body),
                    .integer(article),
                ]))
    }

    func deleteAppearance(in source: Source.ID, of article: Int64) throws {
        facts.articles[article]??.appearances.removeAll { $0.source.id == source }
        for (place, entry) in facts.appearances where place.source == source && entry?.id == article {
            facts.appearances[place] = .some(nil)
        }
        statements.append(
            Statement(
                "DELETE FROM article_appearance WHERE article_id = $1 AND source_id = $2",
                [.integer(article), .integer(source)]))
    }

    private static func title(_ title: String, of source: Source.ID) -> SourceKey {
        SourceKey(source: source, key: ExactText(ArticleQuery.titleKey(title)))
    }

    private static func address(of article: Article) -> SourceKey? {
        article.sourceURL.map { SourceKey(source: article.source.id, key: ExactText($0)) }
    }

    func forEachEntry(of source: Source.ID, _ body: (ExactText, ArticleEntry) throws -> Void) throws {
        guard facts.wholeSources.contains(source) else {
            questions.sources.insert(source)
            return
        }
        let entries = facts.entries.compactMap { place, entry in
            place.source == source ? entry.map { (place.key, $0) } : nil
        }
        for (key, entry) in entries.sorted(by: { $0.0 < $1.0 }) { try body(key, entry) }
    }

    func article(id: Int64) throws -> Article? {
        if let known = facts.articles[id] { return known }
        questions.articles.insert(id)
        return nil
    }

    func holder(ofSlug slug: String) throws -> (id: Int64, source: Source.ID)? {
        if let known = facts.holders[ExactText(slug)] { return known }
        questions.slugs.insert(ExactText(slug))
        return nil
    }

    func insert(_ article: Article, from origin: ArticleOrigin) throws -> Int64 {
        try check(article, replacing: nil)
        facts.lastArticle += 1
        var article = article
        article.id = facts.lastArticle
        remember(article, from: origin)
        sizeChanges[article.source.id, default: 0] += 1
        growingSources.insert(article.source.id)
        statements += [
            Statement(
                """
                INSERT INTO article (source_id, key, content_hash, is_edited, slug, title, title_key, authors, tags,
                    summary, language, published_at, published_offset, updated_at, reading_minutes, id, address_hash)
                VALUES ($1, $2, $3::bigint, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::bigint)
                """, columns(of: article, from: origin)),
            Statement(
                """
                INSERT INTO article_body (format, source_url, base_url, extra, body, article_id)
                VALUES ($1, $2, $3, $4, $5, $6)
                """, bodyColumns(of: article)),
        ]
        labeled[article.id] = article
        searchable[article.id] = article
        return article.id
    }

    func update(_ old: Article, to new: Article, from origin: ArticleOrigin) throws {
        try check(new, replacing: old)
        forget(old)
        var present = new
        present.appearances = facts.articles[new.id]??.appearances ?? old.appearances
        remember(present, from: origin)
        sizeChanges[old.source.id, default: 0] -= 1
        sizeChanges[new.source.id, default: 0] += 1
        statements += [
            Statement(
                """
                UPDATE article SET source_id = $1, key = $2, content_hash = $3::bigint, is_edited = $4, slug = $5,
                title = $6, title_key = $7, authors = $8, tags = $9, summary = $10, language = $11, published_at = $12,
                published_offset = $13, updated_at = $14, reading_minutes = $15, address_hash = $17::bigint
                WHERE id = $16
                """, columns(of: new, from: origin)),
            Statement(
                """
                UPDATE article_body SET format = $1, source_url = $2, base_url = $3, extra = $4, body = $5
                WHERE article_id = $6
                """, bodyColumns(of: new)),
        ]
        let labelsStay =
            new.published == old.published && new.title.isIdentical(to: old.title)
            && new.authors.isIdentical(to: old.authors) && new.tags.isIdentical(to: old.tags)
        if !labelsStay {
            relabeled.insert(new.id)
            labeled[new.id] = new
        }
        let wordsStay =
            new.title.isIdentical(to: old.title) && new.authors.isIdentical(to: old.authors)
            && new.tags.isIdentical(to: old.tags) && new.summary.isIdentical(to: old.summary)
            && new.body.isIdentical(to: old.body) && new.format == old.format && new.language == old.language
        if !wordsStay { searchable[new.id] = new }
    }

    func expiredArticles(of source: Source.ID, keeping retention: Retention, limit: Int) throws -> [Int64] {
        guard retention != .all else { return [] }
        let expiry = Expiry(source: source, retention: retention, limit: limit)
        if let known = facts.expired[expiry] { return known }
        questions.expiries.insert(expiry)
        return []
    }

    func markUnread(_ article: Int64) throws { unreadArticles.insert(article) }

    func update(_ entry: ArticleEntry) throws {
        for (place, known) in facts.entries where known?.id == entry.id { facts.entries[place] = entry }
        statements.append(
            Statement(
                "UPDATE article SET content_hash = $1::bigint, is_edited = $2 WHERE id = $3",
                [Self.value(of: entry.origin.content), .bool(entry.origin.isEdited), .integer(entry.id)]))
    }

    func delete(id: Int64, forGood: Bool) throws -> Bool {
        guard let article = try article(id: id) else { return false }
        let place = SourceKey(source: article.source.id, key: article.key)
        if forGood {
            // The stored article has the hash of its record.
            let content = try entry(key: place.key, of: place.source)?.origin.content
            try record(Deletion(key: place.key, content: content), of: place.source)
            for appearance in article.appearances {
                try record(Deletion(key: appearance.key, content: appearance.content), of: appearance.source.id)
            }
        }
        forget(article)
        for (place, entry) in facts.appearances where entry?.id == id { facts.appearances[place] = .some(nil) }
        facts.articles[id] = .some(nil)
        for (request, made) in facts.requests where made?.article == id { facts.requests[request] = .some(nil) }
        searchable[id] = nil
        labeled[id] = nil
        sizeChanges[place.source, default: 0] -= 1
        statements.append(Statement("DELETE FROM article WHERE id = $1", [.integer(id)]))
        return true
    }

    /// - Throws: `StoreError` if the slug or the key belongs to another article.
    private func check(_ article: Article, replacing old: Article?) throws {
        let entry = try entry(key: article.key, of: article.source.id)
        let holder = try holder(ofSlug: article.slug)
        guard entry == nil || entry?.id == old?.id, holder == nil || holder?.id == old?.id else {
            throw StoreError(.refused, "Another article has the key or the slug already: \(article.slug)")
        }
    }

    private func remember(_ article: Article, from origin: ArticleOrigin) {
        let place = SourceKey(source: article.source.id, key: article.key)
        facts.articles[article.id] = article
        if let story = article.sourceURL.flatMap(StoryAddress.init) {
            facts.stories[story]?[article.id] = article.source.id
        }
        facts.entries[place] = ArticleEntry(id: article.id, origin: origin)
        facts.holders[ExactText(article.slug)] = (article.id, article.source.id)
        facts.titles[Self.title(article.title, of: article.source.id)]?.insert(article.id)
        if let place = Self.address(of: article) { facts.addresses[place]?.insert(article.id) }
    }

    private func forget(_ article: Article) {
        facts.entries[SourceKey(source: article.source.id, key: article.key)] = .some(nil)
        if let story = article.sourceURL.flatMap(StoryAddress.init) { facts.stories[story]?[article.id] = nil }
        facts.holders[ExactText(article.slug)] = .some(nil)
        facts.titles[Self.title(article.title, of: article.source.id)]?.remove(article.id)
        if let place = Self.address(of: article) { facts.addresses[place]?.remove(article.id) }
    }

    /// The statements that add articles to the search index.
    static func searchStatements(of articles: [Article]) -> [Statement] {
        guard !articles.isEmpty else { return [] }
        let ids = articles.map(\.id)
        // A single text is too short for a cache.
        let cache = articles.count > 1 ? SearchWords.Cache() : nil
        return [Statement("DELETE FROM article_search_part WHERE article_id = ANY ($1)", [.integers(ids)])]
            + articles.flatMap { article in
                let (words, gap, parts) = SearchVector.values(of: article, with: cache)
                return [
                    Statement(
                        """
                        INSERT INTO article_search (article_id, words, gap) SELECT id, $2, $3::bigint FROM article WHERE id = $1
                        ON CONFLICT (article_id) DO UPDATE SET words = excluded.words, gap = excluded.gap
                        """, [.integer(article.id), words, Value(gap.rawValue)])
                ]
                    + parts.enumerated().map { number, words in
                        Statement(
                            """
                            INSERT INTO article_search_part (article_id, part, words)
                            SELECT article_id, $2, $3 FROM article_search WHERE article_id = $1
                            """, [.integer(article.id), Value(number), words])
                    }
            }
    }

    /// The statements that add the labels of articles.
    static func labelStatements(of articles: some Sequence<Article>) -> [Statement] {
        var labels: Set<Label> = []
        var (ids, kinds, keys, dates, titles): ([Int64], [String], [String], [Int64], [String]) = ([], [], [], [], [])
        for article in articles {
            let (date, title) = (article.published.wholeSeconds, ArticleQuery.titleKey(article.title))
            var own: Set<Label> = []
            for (kind, names) in [("author", article.authors), ("tag", article.tags)] {
                for name in names {
                    let label = Label(kind: kind, key: ExactText(AnyText.stored(SearchText.fold(name))))
                    guard own.insert(label).inserted else { continue }
                    labels.insert(label)
                    ids.append(article.id)
                    kinds.append(kind)
                    keys.append(label.key.text)
                    dates.append(date)
                    titles.append(AnyText.stored(title))
                }
            }
        }
        guard !labels.isEmpty else { return [] }
        return [
            Statement(
                """
                INSERT INTO label (kind, key) SELECT * FROM unnest($1::text[], $2::text[])
                ON CONFLICT (kind, md5(key)) DO NOTHING
                """, [.texts(labels.map(\.kind)), .texts(labels.map(\.key.text))]),
            // LATERAL with LIMIT makes the planner use the index. During a first import, it knows nothing about the size of
            // the table, and would read the whole table for each article.
            Statement(
                """
                INSERT INTO article_label (article_id, label_id, published_at, title_key)
                SELECT n.article_id, l.id, n.published_at, n.title_key
                FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[])
                    AS n (article_id, kind, key, published_at, title_key),
                LATERAL (SELECT id FROM label WHERE kind = n.kind AND md5(key) = md5(n.key) LIMIT 1) AS l
                """, [.integers(ids), .texts(kinds), .texts(keys), .integers(dates), .texts(titles)]),
        ]
    }

    private func columns(of article: Article, from origin: ArticleOrigin) -> [Value] {
        [
            .integer(article.source.id), Value(anyText: article.key.text), Self.value(of: origin.content),
            .bool(origin.isEdited), Value(anyText: article.slug), Value(anyText: article.title),
            Value(anyText: ArticleQuery.titleKey(article.title)), Value(names: article.authors),
            Value(names: article.tags), Value(anyText: article.summary), Value(anyText: article.language),
            Value(article.published), Value(article.publishedOffset), Value(article.updated),
            Value(article.readingMinutes), .integer(article.id),
            Value(article.sourceURL.flatMap(StoryAddress.init)?.hash),
        ]
    }

    private func bodyColumns(of article: Article) -> [Value] {
        [
            .text(article.format.rawValue), Value(anyText: article.sourceURL), Value(anyText: article.baseURL),
            Value(anyText: article.extra), Value(anyText: article.body), .integer(article.id),
        ]
    }

    private static func value(of content: UInt64?) -> Value { Value(content.map { Int64(bitPattern: $0) }) }

    // MARK: Requests and deletions

    func articleCreated(by request: [UInt8]) throws -> (id: Int64, content: [UInt8])? {
        guard let known = facts.requests[request] else {
            questions.requests.insert(request)
            return nil
        }
        guard let known, known.created > now.addingTimeInterval(-Creation.lifetime) else { return nil }
        return (known.article, known.content)
    }

    func record(_ creation: Creation, of article: Int64) throws {
        facts.requests[creation.request] = (article, creation.content, now)
        statements += [
            Statement(
                "DELETE FROM creation WHERE created_at <= $1", [Value(now.addingTimeInterval(-Creation.lifetime))]),
            Statement(
                """
                INSERT INTO creation (request_hash, content_hash, article_id, created_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (request_hash) DO UPDATE SET content_hash = excluded.content_hash,
                    article_id = excluded.article_id, created_at = excluded.created_at
                """, [.bytes(creation.request), .bytes(creation.content), .integer(article), Value(now)]),
        ]
    }

    func deletion(key: ExactText, of source: Source.ID) throws -> Deletion? {
        let place = SourceKey(source: source, key: key)
        if let known = facts.deletions[place] { return known }
        guard !facts.wholeDeletions.contains(source) else { return nil }
        questions.deletions.insert(place)
        return nil
    }

    func record(_ deletion: Deletion, of source: Source.ID) throws {
        facts.deletions[SourceKey(source: source, key: deletion.key)] = deletion
        statements.append(
            Statement(
                """
                INSERT INTO deleted_article (source_id, key, content_hash) VALUES ($1, $2, $3::bigint)
                ON CONFLICT (source_id, md5(key)) DO UPDATE SET key = excluded.key, content_hash = excluded.content_hash
                """, [.integer(source), Value(anyText: deletion.key.text), Self.value(of: deletion.content)]))
    }

    func forgetDeletion(key: ExactText, of source: Source.ID) throws {
        facts.deletions[SourceKey(source: source, key: key)] = .some(nil)
        statements.append(
            Statement(
                "DELETE FROM deleted_article WHERE source_id = $1 AND md5(key) = md5($2) AND key = $2",
                [.integer(source), Value(anyText: key.text)]))
    }

    func deletions(of source: Source.ID) throws -> [Deletion] {
        guard facts.wholeDeletions.contains(source) else {
            questions.deletingSources.insert(source)
            return []
        }
        return facts.deletions.compactMap { $0.key.source == source ? $0.value : nil }.sorted { $0.key < $1.key }
    }
}
