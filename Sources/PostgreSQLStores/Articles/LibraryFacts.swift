internal import ArticleStore
internal import PostgreSQL
internal import Text

/// A key in a source.
struct SourceKey: Hashable {
    let source: Source.ID
    let key: ExactText
}

/// The articles of a source that it does not keep.
struct Expiry: Hashable {
    let source: Source.ID
    let retention: Retention
    /// The maximum number of articles.
    let limit: Int
}

/// The facts about a library that a unit of work asks for.
struct LibraryQuestions {
    /// Keys whose entries and appearances are needed.
    var entries: Set<SourceKey> = []
    var articles: Set<Int64> = []
    var stories: Set<StoryAddress> = []
    /// Sources whose articles that appear elsewhere are needed.
    var sharingSources: Set<Source.ID> = []
    var slugs: Set<ExactText> = []
    /// Titles in the form of `ArticleQuery.titleKey`.
    var titles: Set<SourceKey> = []
    /// Addresses of originals.
    var addresses: Set<SourceKey> = []
    /// Sources of which all entries are needed.
    var sources: Set<Source.ID> = []
    /// Sources whose articles are counted.
    var sizes: Set<Source.ID> = []
    var requests: Set<[UInt8]> = []
    var deletions: Set<SourceKey> = []
    /// Sources of which all deletions are needed.
    var deletingSources: Set<Source.ID> = []
    var expiries: Set<Expiry> = []

    init() {}

    /// Asks for the articles and requests that a write has declared. Its first run asks for the records, whose sources are
    /// not known here, and with them for the slugs.
    init(_ needs: WriteNeeds) {
        articles = needs.articles
        requests = needs.requests
    }

    var isEmpty: Bool {
        entries.isEmpty && articles.isEmpty && slugs.isEmpty && titles.isEmpty && addresses.isEmpty && sources.isEmpty
            && stories.isEmpty && sharingSources.isEmpty && sizes.isEmpty && requests.isEmpty && deletions.isEmpty
            && deletingSources.isEmpty && expiries.isEmpty
    }
}

/// The part of a library that a unit of work has read, with the changes of the unit of work. An inner nil means that the
/// library does not have it.
struct LibraryFacts {
    var sources: [Source]
    var lastArticle: Int64
    var lastSource: Int64
    var entries: [SourceKey: ArticleEntry?] = [:]
    /// The articles that appear in a source under a key.
    var appearances: [SourceKey: ArticleEntry?] = [:]
    var articles: [Int64: Article?] = [:]
    var stories: [StoryAddress: [Int64: Source.ID]] = [:]
    /// The stored articles of a source that appear in other sources.
    var sharedArticles: [Source.ID: Set<Int64>] = [:]
    var holders: [ExactText: (id: Int64, source: Source.ID)?] = [:]
    var titles: [SourceKey: Set<Int64>] = [:]
    var addresses: [SourceKey: Set<Int64>] = [:]
    var wholeSources: Set<Source.ID> = []
    var sizes: [Source.ID: Int] = [:]
    var requests: [[UInt8]: (article: Int64, content: [UInt8], created: Date)?] = [:]
    var deletions: [SourceKey: Deletion?] = [:]
    var wholeDeletions: Set<Source.ID> = []
    var expired: [Expiry: [Int64]] = [:]

    /// Locks the library for writing, and reads its sources.
    init(locking transaction: Transaction) async throws {
        let rows = try await transaction.run([
            "SELECT last_article, last_source FROM library FOR UPDATE", SourceRow.select,
        ])
        guard let row = rows[0].first else {
            throw StoreError(.damaged, "The database has no library: the table library is empty")
        }
        (lastArticle, lastSource) = (try row.value(0), try row.value(1))
        sources = try rows[1].map(SourceRow.source)
    }

    /// Reads the answers to questions in one round trip.
    ///
    /// - Parameter now: the present time.
    mutating func read(_ questions: LibraryQuestions, at now: Date, in transaction: Transaction) async throws {
        let entries = Array(questions.entries), titles = Array(questions.titles)
        let addresses = Array(questions.addresses), stories = Array(questions.stories)
        let spellings = stories.enumerated().flatMap { index, story in story.spellings.map { (Int64(index), $0) } }
        let deletions = Array(questions.deletions)
        let rows = try await transaction.run([
            Statement(
                """
                SELECT q.source_id, q.key, a.id, a.content_hash, a.is_edited
                FROM unnest($1::bigint[], $2::text[]) AS q (source_id, key)
                JOIN article AS a ON a.source_id = q.source_id AND md5(a.key) = md5(q.key) AND a.key = q.key
                """, Self.pair(entries)),
            Statement(ArticleRow.selectByIDs, [.integers(Array(questions.articles))]),
            Statement(
                "SELECT slug, id, source_id FROM article WHERE slug = ANY ($1)",
                [.texts(questions.slugs.map { AnyText.stored($0.text) })]),
            Statement(
                """
                SELECT q.source_id, q.key, a.id FROM unnest($1::bigint[], $2::text[]) AS q (source_id, key)
                JOIN article AS a ON a.source_id = q.source_id AND a.title_key = q.key
                """, Self.pair(titles)),
            Statement(
                "SELECT source_id, key, id, content_hash, is_edited FROM article WHERE source_id = ANY ($1)",
                [.integers(Array(questions.sources))]),
            Statement(
                "SELECT source_id, count(*) FROM article WHERE source_id = ANY ($1) GROUP BY source_id",
                [.integers(Array(questions.sizes))]),
            Statement(
                "SELECT request_hash, article_id, content_hash, created_at FROM creation WHERE request_hash = ANY ($1)",
                [.byteStrings(Array(questions.requests))]),
            Statement(
                """
                SELECT q.source_id, d.key, d.content_hash FROM unnest($1::bigint[], $2::text[]) AS q (source_id, key)
                JOIN deleted_article AS d ON d.source_id = q.source_id AND md5(d.key) = md5(q.key) AND d.key = q.key
                """, Self.pair(deletions)),
            Statement(
                "SELECT source_id, key, content_hash FROM deleted_article WHERE source_id = ANY ($1)",
                [.integers(Array(questions.deletingSources))]),
            Statement(
                """
                SELECT q.source_id, q.key, a.id FROM unnest($1::bigint[], $2::text[]) AS q (source_id, key)
                JOIN article_body AS b ON b.source_url = q.key
                JOIN article AS a ON a.id = b.article_id AND a.source_id = q.source_id
                """, Self.pair(addresses)),
            Statement(
                """
                SELECT q.source_id, q.key, p.article_id, p.content_hash
                FROM unnest($1::bigint[], $2::text[]) AS q (source_id, key)
                JOIN article_appearance AS p
                    ON p.source_id = q.source_id AND md5(p.key) = md5(q.key) AND p.key = q.key
                """, Self.pair(entries)),
            // Two articles already make an address ambiguous, and a status page may have thousands.
            Statement(
                """
                SELECT q.place - 1, a.id, a.source_id FROM unnest($1::bigint[]) WITH ORDINALITY AS q (hash, place),
                LATERAL (SELECT id, source_id FROM article WHERE address_hash = q.hash LIMIT 2) AS a
                UNION ALL
                SELECT q.place, a.id, a.source_id FROM unnest($2::bigint[], $3::text[]) AS q (place, address),
                LATERAL (SELECT article_id FROM article_body WHERE source_url = q.address LIMIT 2) AS b
                JOIN article AS a ON a.id = b.article_id
                """,
                [
                    .integers(stories.map(\.hash)), .integers(spellings.map(\.0)),
                    .texts(spellings.map { AnyText.stored($0.1) }),
                ]),
            Statement(
                """
                SELECT DISTINCT a.source_id, a.id FROM article_appearance AS p JOIN article AS a ON a.id = p.article_id
                WHERE a.source_id = ANY ($1)
                """, [.integers(Array(questions.sharingSources))]),
        ])
        for key in entries {
            self.entries[key] = .some(nil)
            appearances[key] = .some(nil)
        }
        for row in rows[10] {
            appearances[try row.sourceKey(0)] = ArticleEntry(
                id: try row.value(2), origin: ArticleOrigin(content: try row.content(3)))
        }
        for story in stories { self.stories[story] = [:] }
        for row in rows[11] {
            let (place, article): (Int, Int64) = (try row.value(0), try row.value(1))
            self.stories[stories[place]]?[article] = try row.value(2)
        }
        for source in questions.sharingSources { sharedArticles[source] = [] }
        for row in rows[12] { sharedArticles[try row.value(0)]?.insert(try row.value(1)) }
        for row in [rows[0], rows[4]].joined() {
            self.entries[try row.sourceKey(0)] = ArticleEntry(
                id: try row.value(2),
                origin: ArticleOrigin(content: try row.content(3), isEdited: try row.value(4)))
        }
        wholeSources.formUnion(questions.sources)
        for id in questions.articles { articles[id] = .some(nil) }
        for slug in questions.slugs { holders[slug] = .some(nil) }
        for row in rows[1] {
            let article = try ArticleRow.article(row)
            articles[article.id] = article
            // An update asks whether the slug is free.
            holders[ExactText(article.slug)] = (article.id, article.source.id)
        }
        for row in rows[2] { holders[ExactText(try row.anyText(0))] = (try row.value(1), try row.value(2)) }
        for title in titles { self.titles[title] = [] }
        for row in rows[3] { self.titles[try row.sourceKey(0), default: []].insert(try row.value(2)) }
        for address in addresses { self.addresses[address] = [] }
        for row in rows[9] { self.addresses[try row.sourceKey(0), default: []].insert(try row.value(2)) }
        for source in questions.sizes { sizes[source] = 0 }
        for row in rows[5] { sizes[try row.value(0)] = try row.value(1) }
        for request in questions.requests { requests[request] = .some(nil) }
        for row in rows[6] { requests[try row.value(0)] = (try row.value(1), try row.value(2), try row.value(3)) }
        for key in deletions { self.deletions[key] = .some(nil) }
        for row in [rows[7], rows[8]].joined() {
            let key = try row.sourceKey(0)
            self.deletions[key] = Deletion(key: key.key, content: try row.content(2))
        }
        wholeDeletions.formUnion(questions.deletingSources)
        let expiries = Array(questions.expiries)
        guard !expiries.isEmpty else { return }
        // No user may mark an article between the question whether they need it and its removal.
        let expired = try await transaction.run([MarkWriter.lockReaders] + expiries.map { Self.expired($0, at: now) })
        for (expiry, rows) in zip(expiries, expired.dropFirst()) {
            self.expired[expiry] = try rows.map { try $0.value(0) }
        }
    }

    /// Returns the statement that selects the articles that a source does not keep and that no user needs.
    private static func expired(_ expiry: Expiry, at now: Date) -> Statement {
        let (condition, value): (String, Value) =
            switch expiry.retention {
            case .all: ("$2 <> 0", 0)
            case .newest(let count):
                (
                    """
                    (a.published_at, a.id) < (
                        SELECT n.published_at, n.id FROM article AS n WHERE n.source_id = $1
                        ORDER BY n.published_at DESC, n.id DESC LIMIT 1 OFFSET $2)
                    """, Value(count - 1)
                )
            case .days(let count): ("a.published_at < $2", Value(now.addingTimeInterval(-86_400 * Double(count))))
            }
        return Statement(
            """
            SELECT a.id FROM article AS a WHERE a.source_id = $1 AND \(condition) AND NOT a.is_edited
            AND NOT EXISTS (SELECT FROM article_star AS m WHERE m.article_id = a.id AND m.is_set)
            AND NOT EXISTS (SELECT FROM article_later AS m WHERE m.article_id = a.id AND m.is_set)
            AND NOT EXISTS (SELECT FROM article_note AS m WHERE m.article_id = a.id AND m.note IS NOT NULL)
            AND NOT EXISTS (SELECT FROM article_own_tag AS m WHERE m.article_id = a.id AND m.is_set)
            AND EXISTS (SELECT FROM account)
            AND NOT EXISTS (
                SELECT FROM account AS u LEFT JOIN reader AS r ON r.user_id = u.id
                LEFT JOIN article_read AS m ON m.user_id = u.id AND m.article_id = a.id
                WHERE NOT coalesce(m.is_set, a.id <= coalesce(r.read_up_to, 0)))
            ORDER BY a.published_at, a.id LIMIT $3
            """, [.integer(expiry.source), value, Value(expiry.limit)])
    }

    private static func pair(_ keys: [SourceKey]) -> [Value] {
        [.integers(keys.map(\.source)), .texts(keys.map { AnyText.stored($0.key.text) })]
    }
}

extension Row {
    /// Returns a source and a key from two columns.
    fileprivate func sourceKey(_ column: Int) throws -> SourceKey {
        SourceKey(source: try value(column), key: ExactText(try anyText(column + 1)))
    }

    /// Returns the hash of a record.
    fileprivate func content(_ column: Int) throws -> UInt64? {
        (try value(column) as Int64?).map { UInt64(bitPattern: $0) }
    }
}
