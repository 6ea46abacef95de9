import Foundation
import TestSupport
import Testing

@Suite("Recovering", .enabled(if: Program.find("sqlite3") != nil))
struct RecoverTests {
    @Test("All rows of an intact database are recovered")
    func well() async throws {
        let home = try await Home.prepared()
        let before = try await home.shell("sha256sum data/articlesctl/articles.db").output
        let outcome = try await home.run("recover", home.database, "new.db")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.lines.contains("article: 60 rows"))
        #expect(try await home.sql(RobustnessTests.dump) == home.sql(RobustnessTests.dump, on: home.path("new.db")))
        #expect(try await home.run("doctor", "--database", "new.db").status == 0)
        #expect(try await home.shell("stat -c %a new.db*").lines.allSatisfy { $0 == "600" })
        #expect(try await home.shell("sha256sum data/articlesctl/articles.db").output == before)
        let again = try await home.run("recover", home.database, "new.db")
        #expect(again.status == 73)
        #expect(again.error.contains("new.db"))
    }

    @Test("Rows around unreadable pages are recovered, and the result passes the doctor", arguments: 0..<12)
    func pages(seed: Int) async throws {
        let home = try await Home.prepared()
        try home.write("bulk.jsonl", Library.lines(0..<600))
        try await #require(home.run("seed", "bulk.jsonl").status == 0)
        try await #require(home.run("backup", "damaged.db").status == 0)
        var random = SeededGenerator(seed: UInt64(seed))
        let pages = try #require(Int(try await home.sql("PRAGMA page_count", on: home.path("damaged.db"))))
        let root = try await home.sql(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'article'", on: home.path("damaged.db"))
        // The first page contains the schema, and another the root of the articles.
        let damageable = (1..<pages).filter { "\($0 + 1)" != root }
        for _ in 0..<3 {
            let page = try #require(damageable.randomElement(using: &random))
            try await home.shell(
                "head -c 4096 /dev/urandom | dd of=damaged.db bs=4096 seek=\(page) conv=notrunc status=none")
        }
        let outcome = try await home.run("recover", "damaged.db", "new.db", "--json")
        let isWhole = try outcome.object().bool("whole") == true
        #expect(outcome.status == (isWhole ? 0 : 65), "\(outcome.error)")
        let articles = try #require(try outcome.object().objects("tables").first { $0.string("name") == "article" })
        #expect(try #require(articles.integer("rows")) > 300)
        let doctor = try await home.run("doctor", "--database", "new.db")
        #expect(doctor.status == 0, "\(doctor.output)")
        #expect(try await home.run("seed", "bulk.jsonl", "--database", "new.db").status == 0)
        #expect(try await home.shell("ls").lines.filter { $0.contains("partial") } == [])
    }

    @Test("If a row is left out, the exit code says so, whatever the reason")
    func leftOut() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        for (name, damage) in [
            ("orphan", "DELETE FROM user"), ("rejected", "UPDATE article SET published_at = 'x' WHERE id = 1"),
        ] {
            try await home.shell("cp copy.db \(name).db")
            _ = try await home.sql(
                "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON; "
                    + "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'article'",
                on: home.path("\(name).db"))
            _ = try await home.sql("PRAGMA foreign_keys = OFF; \(damage)", on: home.path("\(name).db"))
            let outcome = try await home.run("recover", "\(name).db", "new-\(name).db")
            #expect(outcome.status == 65)
            #expect(outcome.error.contains("new-\(name).db"))
            #expect(try await home.run("recover", "\(name).db", "json-\(name).db", "--json").status == 65)
        }
    }

    @Test("Articles without their source get a source that says so")
    func sources() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "damaged.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = OFF; DELETE FROM source", on: home.path("damaged.db"))
        let outcome = try await home.run("recover", "damaged.db", "new.db")
        #expect(outcome.status == outcome.recoveryStatus, "\(outcome.error)")
        let sources = try await home.run("sources", "--json", "--database", "new.db").object().objects("sources")
        #expect(sources.map { $0.string("name") } == ["recovered-1"])
        #expect(sources.first?.integer("articles") == 60)
        #expect(try await home.run("doctor", "--database", "new.db").status == 0)
    }

    @Test("An overwritten header is restored")
    func header() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "damaged.db").status == 0)
        try await home.shell("head -c 100 /dev/zero | dd of=damaged.db conv=notrunc status=none")
        let outcome = try await home.run("recover", "damaged.db", "new.db")
        #expect(outcome.status == outcome.recoveryStatus, "\(outcome.error)")
        #expect(try await home.run("doctor", "--database", "new.db").status == 0)
        #expect(try await home.sql(RobustnessTests.dump) == home.sql(RobustnessTests.dump, on: home.path("new.db")))
    }

    @Test("A truncated file yields the rows before the cut", arguments: [60, 600], [5, 7, 9])
    func cut(count: Int, tenths: Int) async throws {
        let home = try await Home.prepared()
        if count > 60 {
            try home.write("bulk.jsonl", Library.lines(0..<count))
            try await #require(home.run("seed", "bulk.jsonl").status == 0)
        }
        try await #require(home.run("backup", "damaged.db").status == 0)
        try await home.shell("truncate -s $(($(stat -c %s damaged.db) * \(tenths) / 10)) damaged.db")
        let outcome = try await home.run("recover", "damaged.db", "new.db")
        #expect(outcome.status == outcome.recoveryStatus, "\(outcome.error)")
        // A large file ends with the word index, which is rebuilt; a small one ends with articles.
        #expect(outcome.status == (tenths < 9 || count == 60 ? 65 : 0))
        #expect(try await home.run("doctor", "--database", "new.db").status == 0)
    }

    @Test("If the pages with the places of the tables are lost, the tables are found and recovered completely")
    func schema() async throws {
        let home = try await Home.prepared()
        try home.write("bulk.jsonl", Library.lines(0..<600))
        try await #require(home.run("seed", "bulk.jsonl").status == 0)
        try await #require(home.run("backup", "damaged.db").status == 0)
        try await home.shell("head -c 4096 /dev/urandom | dd of=damaged.db conv=notrunc status=none")
        let outcome = try await home.run("recover", "damaged.db", "new.db")
        #expect(outcome.status == outcome.recoveryStatus, "\(outcome.error)")
        let new = home.path("new.db")
        #expect(try await home.sql(RobustnessTests.dump) == home.sql(RobustnessTests.dump, on: new))
        #expect(try await home.sql("SELECT username FROM user; SELECT count(*) FROM session", on: new) == "ada\n1")
        #expect(try await home.run("doctor", "--database", "new.db").status == 0)
    }

    @Test("Without any page of the schema, tables are recognized by their rows", arguments: [60, 600])
    func rows(count: Int) async throws {
        let home = try await Home.prepared()
        if count > 60 {
            try home.write("bulk.jsonl", Library.lines(0..<count))
            try await #require(home.run("seed", "bulk.jsonl").status == 0)
        }
        try await #require(home.run("backup", "damaged.db").status == 0)
        // The rows of the schema are on the first page and on its child pages.
        _ = try await home.sql(
            """
            PRAGMA writable_schema = ON; PRAGMA secure_delete = ON; DELETE FROM sqlite_schema;
            """, on: home.path("damaged.db"))
        let outcome = try await home.run("recover", "damaged.db", "new.db")
        #expect(outcome.status == outcome.recoveryStatus, "\(outcome.error)")
        #expect(outcome.status == 65)
        let new = home.path("new.db")
        let articles = """
            SELECT slug, title, authors, tags, summary, language, published_at, format, extra, body
            FROM article JOIN article_body ON article_id = id ORDER BY slug
            """
        #expect(try await home.sql(articles) == home.sql(articles, on: new))
        #expect(try await home.sql("SELECT username FROM user", on: new) == "ada")
        #expect(try await home.run("doctor", "--database", "new.db").status == 0)
    }

    @Test("A file that was never a database of this program is refused")
    func refusals() async throws {
        let home = try await Home.prepared()
        try home.write("text.db", String(repeating: "text ", count: 3000))
        _ = try await home.sql("CREATE TABLE x (y); PRAGMA application_id = 7", on: home.path("other.db"))
        for (file, status) in [("none.db", 66), ("other.db", 69), ("text.db", 69)] as [(String, Int32)] {
            let outcome = try await home.run("recover", file, "new.db")
            #expect(outcome.status == status)
            #expect(outcome.error.contains(file))
        }
        #expect(try await home.shell("ls").lines.filter { $0.hasPrefix("new") } == [])
    }
}

extension Outcome {
    /// The exit code that matches the output of a recovery.
    fileprivate var recoveryStatus: Int32 { error.isEmpty ? 0 : 65 }
}
