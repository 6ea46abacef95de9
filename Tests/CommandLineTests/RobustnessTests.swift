import Foundation
import TestSupport
import Testing

@Suite("Killed and competing processes", .enabled(if: Program.find("sqlite3") != nil))
struct RobustnessTests {
    /// The articles in an order that does not depend on the order of the import.
    static let dump = """
        SELECT slug, title, authors, tags, summary, language, published_at, reading_minutes, format, extra, body
        FROM article JOIN article_body ON article_id = id ORDER BY slug;
        SELECT slug, kind, label.key, d.published_at, t.title_key FROM article_label AS l
        JOIN label ON label.id = l.label_id JOIN article ON article.id = l.article_id
        JOIN label_by_date AS d
            ON d.label_id = l.label_id AND d.published_at = article.published_at AND d.article_id = l.article_id
        JOIN label_by_title AS t
            ON t.label_id = l.label_id AND t.title_key = article.title_key AND t.article_id = l.article_id
        ORDER BY slug, kind, label.key;
        """

    /// The result of an undisturbed import, as `dump` shows it.
    private static let undisturbed = Task {
        let home = try await Home.prepared()
        try home.write("bulk.jsonl", Library.lines(0..<bulk))
        try await #require(home.run("seed", "bulk.jsonl").status == 0)
        return try await home.sql(dump)
    }

    private static let bulk = Library.batch + 400

    @Test(
        "An import killed at any point loses nothing that it reported, and continues to the same result",
        arguments: 0..<8
    )
    func kill(_ number: Int) async throws {
        // Reported as imported: the 60 articles of the prepared library.
        let home = try await Home.prepared()
        let lines = Library.lines(0..<Self.bulk)
        try home.write("bulk.jsonl", lines)
        var random = SeededGenerator(seed: UInt64(number))
        // Half of the processes are killed while they read, half while they write; no outcome depends on the length of
        // the pause.
        let isReading = number.isMultiple(of: 2)
        let bytes = isReading ? Int.random(in: 1..<lines.utf8.count, using: &random) : lines.utf8.count
        let pause = Double(Int.random(in: 0..<(isReading ? 40 : 800), using: &random)) / 1000
        let outcome = try await home.shell(
            """
            mkfifo feed
            articlesctl seed - <feed & pid=$!
            { head -c "$1" bulk.jsonl; sleep "$2"; kill -9 $pid; } >feed
            wait $pid
            """, "\(bytes)", "\(pause)")
        #expect(outcome.status == 137)
        #expect(try await home.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        let count = try #require(Int(try await home.sql("SELECT count(*) FROM article")))
        // A batch is in completely or not at all. The first is short; after it an import looks up known articles.
        #expect([0, Library.firstBatch, Self.bulk].contains(count - Library.articles.count))
        let known = try await home.sql("SELECT count(*) FROM article WHERE slug LIKE 'article-%'")
        #expect(known == "\(Library.articles.count)")

        let again = try await home.shell("articlesctl seed - <bulk.jsonl")
        #expect(again.status == 0)
        let rest = Self.bulk - (count - Library.articles.count)
        #expect(again.output == "\(rest) inserted, 0 updated, \(Self.bulk - rest) unchanged, 0 rejected\n")
        #expect(try await home.sql(Self.dump) == Self.undisturbed.value)
        #expect(try await home.sql("PRAGMA integrity_check") == "ok")
    }

    @Test(
        "After an import is killed before any of its transactions, the next search finds each article",
        .enabled(if: Program.find("strace") != nil))
    func killBetweenTransactions() async throws {
        let home = try await Home.signedIn()
        try home.write("bulk.jsonl", Library.lines(0..<2000))
        try await home.shell("mkdir saved; cp -p data/articlesctl/articles.db saved")
        var (number, unfinished) = (1, 0)
        // Each transaction takes the lock of the database once.
        while try await home.killed(at: "flock", number, "seed", "bulk.jsonl").status != 0 {
            let waiting = "SELECT count(*) FROM article WHERE id > (SELECT indexed_to FROM search_state)"
            if try await home.sql(waiting) != "0" { unfinished += 1 }
            let count = try await home.sql("SELECT count(*) FROM article WHERE slug LIKE 'bulk-%'")
            #expect(try await home.run("search", "bulk", "--all").lines.count == Int(count), "at \(number)")
            #expect(try await home.sql(waiting) == "0")
            try await home.shell("rm data/articlesctl/articles.db*; cp -p saved/articles.db data/articlesctl")
            number += 1
        }
        #expect(unfinished > 0)
    }

    @Test("Eight processes at once on one database cause no error, and lose nothing")
    func eightAtOnce() async throws {
        let home = try await Home.migrated()
        for number in 0..<8 {
            for round in 0..<3 {
                try home.write("in/\(number)-\(round).jsonl", Library.lines(0..<40, prefix: "p\(number)-\(round)"))
            }
            // An article that all processes change, each in its own way.
            try home.write(
                "in/shared-\(number).jsonl",
                #"{"title":"By \#(number)","slug":"shared","date":"2020-01-01","body":"x"}"#)
        }
        try home.write("password", Home.password)
        let outcome = try await home.shell(
            """
            worker() {
                export XDG_STATE_HOME=$PWD/state-$1
                articlesctl register user$1 -r SE --no-login --password-stdin <password || exit
                articlesctl login user$1 --password-stdin <password || exit
                for round in 0 1 2; do
                    articlesctl seed in/$1-$round.jsonl || exit
                    articlesctl seed in/shared-$1.jsonl || exit
                    articlesctl list -n 5 >list-$1 || exit
                    test $(wc -l <list-$1) = 5 || exit
                    articlesctl show p$1-$round-39 >/dev/null || exit
                done
                articlesctl logout
            }
            failures=0 pids=
            for number in 0 1 2 3 4 5 6 7; do (worker $number) & pids="$pids $!"; done
            for pid in $pids; do wait $pid || failures=$((failures + 1)); done
            echo failures: $failures
            """)
        #expect(outcome.error.isEmpty)
        #expect(outcome.lines.last == "failures: 0")
        #expect(outcome.lines.filter { $0.hasPrefix("40 inserted") }.count == 24)
        #expect(outcome.lines.filter { $0.hasPrefix("1 inserted") }.count == 8)
        #expect(try await home.sql("SELECT count(*) FROM article WHERE slug GLOB 'p?-?-*'") == "960")
        #expect(try await home.sql("SELECT count(*) FROM article") == "968")
        #expect(try await home.sql("SELECT count(*) FROM user") == "8")
        #expect(try await home.sql("SELECT count(*) FROM session") == "0")
        #expect(try await home.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    }
}
