import LibraryStores
import ArticleStore
import CFloor
import Database
import Foundation
import Migrations

/// Measures marks in one process, on a library that it creates. Each operation is compared with the same statement, or
/// with the minimal necessary work, in C:
///
///     marking FOLDER [ARTICLES [READERS [ROUNDS]]]
///
/// The first user has read half of the articles, one by one. The second has read all except three. The third has marked
/// everything as read. The fourth has read nothing. All others are like the first. Each user has starred one article in
/// two hundred.
@main
struct Marking {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: marking FOLDER [ARTICLES [READERS [ROUNDS]]]")
            exit(64)
        }
        func number(_ index: Int, _ standard: Int) -> Int {
            arguments.count > index ? Int(arguments[index]) ?? standard : standard
        }
        let (count, readers, rounds) = (number(2, 100_000), number(3, 100), number(4, 50))
        let path = arguments[1] + "/marks-\(count)-\(readers).db"
        let isNew = !FileManager.default.fileExists(atPath: path)
        if isNew { _ = try Migrator(path: path, schema: .articlesctl).migrate(backup: false) }
        let stores = try await Stores.open(.file(path))
        let database = try Database(path: path, schema: .articlesctl)
        if isNew { try await fill(database, marks: stores.marks, count: count, readers: readers) }
        try await measure(stores, database, path: path, count: count, rounds: rounds)
    }

    /// Fills a library. The dates are not in the order of the numbers. There are fifty sources, and each article has
    /// one author and three tags.
    static func fill(
        _ database: Database, marks: any MarkRepository, count: Int, readers: Int
    ) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                INSERT INTO user (id, username, region, password_hash, created_at, password_changed_at)
                SELECT i, 'reader' || i, 'SE', 'x', 0, 0 FROM n
                """, [Value(readers)])
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
                INSERT INTO source (id, uid, name, name_key, kind, problem_count, problems)
                SELECT i, printf('%032d', i), 'source' || i, 'source' || i, 'feed', 0, '[]' FROM n
                """)
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                INSERT INTO label (id, kind, key) SELECT i, iif(i > 500, 'tag', 'author'), 'label' || i FROM n
                """)
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                INSERT INTO article (id, source_id, key, is_edited, slug, title, title_key, authors, tags, summary,
                    published_at, published_offset, updated_at, reading_minutes)
                SELECT i, 1 + i % 50, 'k' || i, 0, 'slug-' || i, 'Title ' || i, printf('title %08d', i * 7919 % ?1), '[]', '[]',
                    printf('%.200c', 's'), 1700000000 - i * 104729 % ?1 * 600, 0, 1700000000, 3 FROM n
                """, [Value(count)])
            try transaction.run(
                """
                INSERT INTO article_label (article_id, label_id)
                SELECT id, 1 + id % 500 FROM article UNION SELECT id, 501 + id * 31 % 2000 FROM article
                UNION SELECT id, 501 + id * 37 % 1000 FROM article UNION SELECT id, 501 + id * 41 % 100 FROM article
                """)
            for (order, key) in [("date", "published_at"), ("title", "title_key")] {
                try transaction.run(
                    """
                    INSERT INTO label_by_\(order) (label_id, \(key), article_id)
                    SELECT l.label_id, a.\(key), a.id FROM article_label AS l CROSS JOIN article AS a ON a.id = l.article_id
                    ORDER BY 1, 2, 3
                    """)
            }
        }
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        for reader in 1...Int64(readers) {
            func put(_ change: MarkChange, _ numbers: ArticleSelection) async throws {
                try await marks.change(change, of: numbers, by: reader, at: now)
            }
            switch reader {
            case 2: try await put(.read(true), .ids((1...Int64(count)).filter { $0 % Int64(count / 3) != 7 }))
            case 3: try await put(.read(true), .all)
            case 4: break
            default:
                try await put(
                    .read(true),
                    .ids((1...Int64(count)).filter { ((($0 * 2_654_435_761) >> 7) + reader) % 2 == 0 }))
            }
            try await put(.starred(true), .ids((1...Int64(count)).filter { $0 % 200 == reader % 200 }))
        }
    }

    static func measure(_ stores: Stores, _ database: Database, path: String, count: Int, rounds: Int) async throws {
        let (marks, articles) = (stores.marks, stores.articles)
        guard let floor = floor_open(path) else { exit(1) }
        func report(_ name: String, _ sql: String, _ store: () async throws -> Void) async throws {
            var (own, least): ([Double], [Double]) = ([], [])
            let clock = ContinuousClock()
            for _ in 0..<rounds {
                var start = clock.now
                try await store()
                own.append((clock.now - start) / .milliseconds(1))
                start = clock.now
                _ = floor_run(floor, sql)
                least.append((clock.now - start) / .milliseconds(1))
            }
            own.sort()
            least.sort()
            let values = [own[rounds / 2], own[0], least[rounds / 2], least[0]]
            print(
                name.padding(toLength: 34, withPad: " ", startingAt: 0),
                values.map { String(format: "%9.3f ms", $0) }.joined(separator: " "),
                String(format: "%6.2f", values[1] / values[3]))
        }
        print("operation                           store: median, least     floor: median, least   ratio of leasts")
        let states = [(1, "half read"), (2, "3 unread"), (3, "all read"), (4, "nothing read")]
        for (reader, state) in states {
            let reader = Int64(reader)
            try await report(
                "counts of states, \(state)",
                "SELECT (SELECT sum(articles) FROM source_size) - ifnull((SELECT sum(articles) FROM source_read WHERE user_id = \(reader)), 0), (SELECT count(*) FROM article_mark INDEXED BY article_mark_starred WHERE user_id = \(reader) AND is_starred = 1)"
            ) { _ = try await marks.counts(of: reader) }
            try await report(
                "counts of sources and labels",
                "SELECT l.kind, l.key, r.articles FROM label_read AS r CROSS JOIN label AS l ON l.id = r.label_id WHERE r.user_id = \(reader)"
            ) { _ = try await marks.readCounts(of: reader) }
            for (name, condition) in [
                ("unread", MarkCondition(userID: reader, isRead: false)),
                ("starred", .init(userID: reader, isStarred: true)),
            ] {
                for query in [ArticleQuery(marks: condition), ArticleQuery(tag: "label510", marks: condition)] {
                    try await report(
                        "page of \(name)\(query.tag == nil ? "" : " with a tag"), \(state)", Self.plainPage
                    ) { _ = try await articles.list(query, after: nil, limit: 50) }
                }
            }
        }
        // Each of these changes is reverted, so that it can be repeated.
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        for (name, query) in [
            ("mark read --all", ArticleQuery()), ("mark read --source (1 of 50)", ArticleQuery(source: "source7")),
            ("mark read --since (everything)", ArticleQuery(since: Date(timeIntervalSince1970: 0))),
        ] {
            let selection = query == ArticleQuery() ? ArticleSelection.all : .query(query)
            let clock = ContinuousClock()
            for _ in 0..<3 {
                var start = clock.now
                let changed = try await marks.change(.read(true), of: selection, by: 4, at: now)
                let there = (clock.now - start) / .milliseconds(1)
                start = clock.now
                try await marks.change(.read(false), of: .all, by: 4, at: now)
                let back = (clock.now - start) / .milliseconds(1)
                print(String(format: "%@: %d articles in %.1f ms; unread again in %.1f ms", name, changed, there, back))
                try await database.write { transaction in
                    try transaction.run("DELETE FROM article_mark WHERE user_id = 4 AND is_starred IS NULL")
                    try transaction.run("UPDATE article_mark SET is_read = NULL, read_at = NULL WHERE user_id = 4")
                    try transaction.run("DELETE FROM all_read WHERE user_id = 4")
                }
            }
        }
    }

    /// The statement for a page without marks.
    static let plainPage = """
        SELECT a.id, s.name, a.slug, a.title, a.authors, a.summary, a.language, a.published_at, a.published_offset, \
        a.updated_at, a.tags, a.reading_minutes FROM article AS a INDEXED BY article_by_date \
        CROSS JOIN source AS s ON s.id = a.source_id ORDER BY a.published_at DESC, a.number DESC LIMIT 51
        """
}
