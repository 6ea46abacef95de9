import LibraryStores
import ArticleStore
import Corpus
import Database
import Foundation
import Migrations

/// Measures searches in one process, each next to plain FTS5 on the same index:
///
///     searching DATABASE ARTICLES [ROUNDS [KIND]]
///
/// If the database does not exist, it is created with articles of 4 KB. Their words have the frequencies of a natural
/// language (Zipf), and one in a hundred is Chinese. The program then also prints the time of the creation, with and
/// without the index.
@main
struct Searching {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let count = Int(arguments[2]) else {
            print("usage: searching DATABASE ARTICLES [ROUNDS [KIND]]")
            exit(64)
        }
        let isNew = !FileManager.default.fileExists(atPath: arguments[1])
        if isNew { _ = try Migrator(path: arguments[1], schema: .articlesctl).migrate(backup: false) }
        let database = try Database(path: arguments[1], schema: .articlesctl)
        let articles = try await Stores.open(.file(arguments[1])).articles
        var words = Words(seed: 1)
        if isNew { try await make(count, in: articles, &words) }
        let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 3 : 3
        let kinds = SearchKind.all().filter { arguments.count < 5 || $0.name == arguments[4] }
        try await race(kinds, articles, database, rounds: rounds)
    }

    /// Imports articles, and then adds them to the search index.
    static func make(_ count: Int, in articles: any ArticleRepository, _ words: inout Words) async throws {
        let source = try await articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(SourceFacts(name: "bench", kind: .stream), uid: nil)
        }
        let clock = ContinuousClock()
        var imported = Duration.zero
        var number = 0
        while number < count {
            let drafts = (number..<min(count, number + 14_400)).map { Corpus.draft($0, &words) }
            imported += try await clock.measure {
                try await articles.write(needing: WriteNeeds()) { writer in
                    for draft in drafts { _ = try writer.upsert(draft, into: source) }
                }
            }
            number += drafts.count
        }
        let start = clock.now
        while try await articles.advanceSearch() > 0 {}
        let indexed = clock.now - start
        say("\(count) articles imported in \(seconds(imported)), searched \(seconds(indexed)) later")
    }

    static func race(
        _ kinds: [SearchKind], _ articles: any ArticleRepository, _ database: Database, rounds: Int
    ) async throws {
        say(
            "search of 20                  list: median,   99 %,  worst      plain FTS5: median,   99 %,  worst     cut"
        )
        let clock = ContinuousClock()
        var (all, allPlain): ([Double], [Double]) = ([], [])
        for kind in kinds {
            var (own, plain): ([Double], [Double]) = ([], [])
            var cut = 0
            for round in 0..<rounds {
                for (query, match) in kind.queries {
                    let start = clock.now
                    let page = try await articles.list(query, after: nil, limit: 20)
                    own.append(milliseconds(clock.now - start))
                    // Run plain FTS5 only once, because it takes seconds if there are many matches.
                    guard round == 0 else { continue }
                    if page.search?.isCut == true { cut += 1 }
                    let order = query.sort == .newest ? "rowid DESC" : "rank"
                    let plainStart = clock.now
                    _ = try database.query(
                        """
                        SELECT a.title FROM (SELECT rowid AS id FROM article_text WHERE article_text MATCH ?
                        ORDER BY \(order) LIMIT 20) AS found JOIN article AS a ON a.id = found.id
                        """, [.text(match)]
                    ) { try $0.value(0) as String }
                    plain.append(milliseconds(clock.now - plainStart))
                }
            }
            report(kind.name, own, plain, cut: "\(cut) of \(kind.queries.count)")
            all += own
            allPlain += plain
        }
        report("all", all, allPlain, cut: "")
    }

    static func report(_ name: String, _ own: [Double], _ plain: [Double], cut: String) {
        func text(_ values: [Double]) -> String {
            let sorted = values.sorted()
            return [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], sorted[sorted.count - 1]]
                .map { String(format: "%8.2f", $0) }.joined()
        }
        say(
            [name.padding(toLength: 28, withPad: " ", startingAt: 0), text(own), "          ", text(plain), "   ", cut]
                .joined(separator: " "))
    }

    /// Prints a line at once, because a library of a million articles takes a long time.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    static func seconds(_ duration: Duration) -> String { String(format: "%.2f s", duration / .seconds(1)) }
}
