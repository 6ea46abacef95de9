import Foundation
import Testing

@Suite("Restoring", .enabled(if: Program.find("sqlite3") != nil))
struct RestoreTests {
    @Test("A backup is restored, the old database is kept, and the sessions of the backup have ended")
    func restore() async throws {
        let home = try await Home.signedIn()
        try await #require(home.run("tokens", "create", "phone").status == 0)
        try await #require(home.run("users", "invite").status == 0)
        try await #require(home.run("backup", "copy.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = ON; DELETE FROM article WHERE id > 10")
        let outcome = try await home.run("restore", "copy.db", "--yes")
        #expect(outcome.status == 0)
        let kept = try #require(outcome.lines.first?.split(separator: " ").last.map { String($0) })
        #expect(kept.hasPrefix(home.database + ".before-restore-2"))
        let ended = "1 session and 1 API token ended."
        #expect(outcome.lines.last == "Restored \(home.database): 60 articles, 1 user; \(ended)")
        #expect(try await home.sql("SELECT count(*) FROM article; SELECT count(*) FROM session") == "60\n0")
        #expect(try await home.sql("SELECT count(*) FROM article; SELECT count(*) FROM session", on: kept) == "10\n1")
        #expect(try await home.shell("stat -c %a data/articlesctl/*").lines.allSatisfy { $0 == "600" })
        #expect(try await home.sql("SELECT count(*) FROM session", on: home.path("copy.db")) == "1")
        // Tokens and codes may have been revoked or used since.
        let others = "SELECT (SELECT count(*) FROM api_token) + (SELECT count(*) FROM one_time_code)"
        #expect(try await home.sql(others) == "0")
        #expect(try await home.sql(others, on: kept) == "2")
        #expect(try await home.run("list").status == 77)
        #expect(try await home.run("doctor").status == 0)

        #expect(
            try await home.sql("SELECT count(*), user_id FROM audit WHERE event = 'sessionsEndedByRestore' GROUP BY 2")
                == "1|1")

        let back = try await home.run("restore", kept, "--yes", "--keep-sessions", "--json").object()
        let keys = ["apiTokens", "articles", "database", "kept", "sessions", "sessionsEnded", "users", "version"]
        #expect(back.keys == keys)
        #expect(back.integer("articles") == 10)
        #expect(back.bool("sessionsEnded") == false)
        #expect(try await home.run("list").status == 0)
    }

    @Test("Without a terminal, restore replaces a database only with --yes, and a dry run changes nothing")
    func confirmation() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = ON; DELETE FROM article WHERE id > 10")
        let before = try await home.shell("sha256sum data/articlesctl/articles.db").output
        let unasked = try await home.run("restore", "copy.db")
        #expect(unasked.status == 64)
        #expect(unasked.error.contains("--yes"))
        #expect(try await home.run("restore", "copy.db", "--no-input").status == 64)

        let dry = try await home.run("restore", "copy.db", "--dry-run")
        #expect(dry.status == 0, "\(dry.error)")
        #expect(["copy.db", " 60 ", home.database, "(10 "].allSatisfy(dry.output.contains))
        let object = try await home.run("restore", "copy.db", "--dry-run", "--json").object()
        #expect((object.bool("dryRun"), object.bool("replaces"), object.integer("articles")) == (true, true, 60))
        try await home.shell(
            "cp copy.db damaged.db; dd if=/dev/urandom of=damaged.db bs=4096 seek=20 count=1 conv=notrunc status=none")
        #expect(try await home.run("restore", "damaged.db", "--dry-run").status == 74)
        #expect(try await home.shell("sha256sum data/articlesctl/articles.db").output == before)
        #expect(try await home.shell("ls data/articlesctl").lines.filter { $0.contains("restore") } == [])

        // Without an old database nothing is lost.
        let fresh = try await home.run("restore", "copy.db", "--database", "fresh.db")
        #expect(fresh.status == 0, "\(fresh.error)")
    }

    @Test("At a terminal, restore asks before it replaces a database", .enabled(if: Screen.isAvailable))
    func question() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = ON; DELETE FROM article WHERE id > 10")
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl restore copy.db; echo ended: $?")
            let text = try await screen.wait(for: "[y/N]").replacing("\n", with: "")
            #expect([" 10 ", "copy.db", " 60 "].allSatisfy(text.contains))
            try await screen.type("")
            try await screen.wait(for: "ended: 1")
            #expect(try await home.sql("SELECT count(*) FROM article") == "10")
            try await screen.type("clear; articlesctl restore copy.db; echo again: $?")
            try await screen.wait(for: "[y/N]")
            try await screen.type("y")
            try await screen.wait(for: "again: 0")
        }
        #expect(try await home.sql("SELECT count(*) FROM article") == "60")
    }

    @Test("The numbers of lost articles and sources are never used again", arguments: [false, true])
    func numbers(isEmpty: Bool) async throws {
        let home = isEmpty ? try await Home.migrated() : try await Home.prepared()
        func add(_ title: String, to source: String) async throws -> Int? {
            try await home.run("add", "--title", title, "--source", source, "--json", input: "Text.").object()
                .integer("id")
        }
        try await #require(home.run("backup", "copy.db").status == 0)
        let lost = try #require(try await add("Lost", to: "lost"))
        let sources = try await home.sql("SELECT max(id) FROM source")
        try await #require(home.run("restore", "copy.db", "--yes").status == 0)
        #expect(try await home.sql("SELECT count(*) FROM article WHERE id = \(lost)") == "0")
        #expect(try await add("New", to: "new") == lost + 1)
        #expect(try await home.sql("SELECT id - \(sources) FROM source WHERE name = 'new'") == "1")
        // The higher number of both databases counts.
        try await #require(home.run("backup", "later.db").status == 0)
        try await #require(home.run("restore", "copy.db", "--yes").status == 0)
        try await #require(home.run("restore", "later.db", "--yes").status == 0)
        #expect(try await add("Newer", to: "newer") == lost + 2)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("A damaged or missing database is replaced", arguments: ["dd", "rm", "truncate"])
    func damaged(how: String) async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        let path = "data/articlesctl/articles.db"
        let script =
            switch how {
            case "dd": "dd if=/dev/urandom of=\(path) bs=4096 count=30 conv=notrunc status=none"
            case "rm": "rm \(path)"
            default: "truncate -s 0 \(path)"
            }
        try await home.shell(script)
        let outcome = try await home.run("restore", "copy.db", "--yes")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.contains("Old database: ") == (how != "rm"))
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article") == "ok\n60")
    }

    @Test("The kept database contains the last writes of a killed process")
    func killedWriter() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        try await home.leaveLog("DELETE FROM article WHERE id > 20;")
        let outcome = try await home.run("restore", "copy.db", "--yes", "--json").object()
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article") == "ok\n60")
        let kept = try #require(outcome.string("kept"))
        #expect(try await home.shell("ls data/articlesctl").lines.filter { $0.contains("restore") }.count == 1)
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article", on: kept) == "ok\n20")
    }

    /// Commands that damage a database, or make it impossible to check.
    static let damages = [
        "dd if=/dev/urandom of=articles.db bs=4096 count=1 conv=notrunc status=none",
        "dd if=/dev/urandom of=articles.db bs=4096 seek=2 count=40 conv=notrunc status=none",
        "printf x | dd of=articles.db conv=notrunc status=none", "truncate -s 70000 articles.db",
        "truncate -s 0 articles.db", "rm articles.db", "ln articles.db other.db",
    ]

    @Test("A database that cannot be checked is replaced, and kept unchanged with its log", arguments: damages)
    func unsound(damage: String) async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        try await home.leaveLog("UPDATE article SET summary = 'x' WHERE id = 1;")
        let sums = "cd data/articlesctl; \(damage); for file in articles.db articles.db-wal; do sha256sum <$file; done"
        let before = try await home.shell(sums + " 2>/dev/null").output
        let outcome = try await home.run("restore", "copy.db", "--yes", "--json")
        try #require(outcome.status == 0, "\(outcome.error)")
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article") == "ok\n60")
        let kept = try #require(try outcome.object().string("kept"))
        let name = kept.hasSuffix("-wal") ? String(kept.dropLast(4)) : kept
        let after = try await home.shell(#"for file in "$1" "$1-wal"; do sha256sum <"$file"; done 2>/dev/null"#, name)
        #expect(after.output == before)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test(
        "A restore killed at any point keeps a database that cannot be checked complete",
        .enabled(if: Program.find("strace") != nil),
        arguments: ["fsync", "fdatasync", "link", "unlink", "rename", "renameat2", "flock"])
    func killUnsound(_ call: String) async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        try await home.leaveLog("UPDATE article SET summary = 'x' WHERE id = 1;")
        let sums = "for file in $1 $1-wal; do sha256sum <$file; done 2>/dev/null"
        try await home.shell(
            """
            cd data/articlesctl; dd if=/dev/urandom of=articles.db bs=4096 count=1 conv=notrunc status=none
            cp -pr . ../saved
            """)
        let whole = try await home.shell(sums, "data/saved/articles.db").output
        for number in 1...200 {
            let outcome = try await home.killed(at: call, number, "restore", "copy.db", "--yes")
            let isRestored =
                try await home.shell("cmp -s data/articlesctl/articles.db data/saved/articles.db").status != 0
            if isRestored {
                #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article") == "ok\n60")
            }
            let names = try await home.shell("ls -d data/articlesctl/*Z; :").lines
            var isKept = try await home.shell(sums, home.database).output == whole
            for name in names where !isKept { isKept = try await home.shell(sums, name).output == whole }
            #expect(isKept, "at \(number)")
            if outcome.status == 0 {
                #expect(isRestored)
                return
            }
            try await home.shell("rm -rf data/articlesctl; cp -pr data/saved data/articlesctl")
        }
        Issue.record("it was never whole")
    }

    @Test("Files that others could read or write become private, with a warning")
    func loose() async throws {
        let home = try await Home.prepared()
        for (command, options) in [
            ("backup", ["copy.db"]), ("restore", ["copy.db", "--json", "--yes"]), ("migrate", []),
        ] {
            try await home.shell("chmod 666 data/articlesctl/articles.db")
            let outcome = try await home.run([command] + options)
            #expect(outcome.status == 0)
            #expect(outcome.error.contains(home.database))
            #expect(try await home.shell("stat -c %a data/articlesctl/articles.db*").lines.allSatisfy { $0 == "600" })
        }
    }

    @Test("restore is refused while another process has the database open, and names the process")
    func inUse() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        let outcome = try await home.shell(
            """
            mkfifo hold
            sqlite3 "$1" <hold >/dev/null & reader=$!
            exec 3>hold
            printf 'SELECT count(*) FROM article;\\n.output ready\\nSELECT 1;\\n.output\\n' >&3
            while ! test -s ready; do :; done
            articlesctl restore copy.db --dry-run >dry
            articlesctl restore copy.db --yes
            status=$?
            exec 3>&-
            wait $reader
            echo $reader >reader
            exit $status
            """, home.database)
        let reader = try await home.shell("cat reader").lines.joined()
        #expect(outcome.status == 75)
        #expect(outcome.error.contains("sqlite3 (\(reader))"))
        #expect(try await home.shell("cat dry").output.contains("copy.db"), "a check does not need the database")
        #expect(try await home.shell("ls data/articlesctl").lines.allSatisfy { !$0.contains("restore") })
    }

    @Test("A file that is not a complete backup of this program is refused, and nothing changes")
    func refusals() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        try home.write("text.db", String(repeating: "text ", count: 2000))
        _ = try await home.sql("CREATE TABLE x (y); PRAGMA application_id = 7", on: home.path("other.db"))
        try await home.shell(
            """
            cp copy.db newer.db; sqlite3 newer.db 'PRAGMA user_version = 99'
            cp copy.db damaged.db; dd if=/dev/urandom of=damaged.db bs=4096 seek=20 count=1 conv=notrunc status=none
            cp copy.db orphans.db; sqlite3 orphans.db 'DELETE FROM device; DELETE FROM user'
            """)
        let before = try await home.shell("sha256sum data/articlesctl/articles.db; ls data/articlesctl").output
        for (file, status, words) in [
            ("none.db", 66, "none.db"), ("text.db", 69, "text.db"), ("text.db", 69, "articlesctl backup"),
            ("other.db", 69, "other.db"), (".", 66, "."), ("newer.db", 69, "newer.db"),
            ("damaged.db", 74, "damaged.db"), ("orphans.db", 74, "orphans.db"),
            ("damaged.db", 74, " articlesctl recover 'damaged.db' NEW"),
            ("data/articlesctl/articles.db", 66, "data/articlesctl/articles.db"),
        ] as [(String, Int32, String)] {
            let outcome = try await home.run("restore", file, "--yes")
            #expect(outcome.status == status, "\(file)")
            #expect(outcome.error.contains(words), "\(outcome.error)")
        }
        let after = try await home.shell("sha256sum data/articlesctl/articles.db; ls data/articlesctl").output
        #expect(after == before)
        let foreign = try await home.run("restore", "copy.db", "--yes", "--database", "other.db")
        #expect(foreign.status == 69)
        #expect(foreign.error.contains("other.db"))
    }

    @Test("A backup of an earlier version is restored, and needs a migration", arguments: 1...9)
    func older(version: Int) async throws {
        let old = try await Home.ofVersion(version)
        try await #require(old.run("backup", "copy.db").status == 0)
        try await old.run("migrate")
        let outcome = try await old.run("restore", "copy.db", "--yes")
        #expect(outcome.status == 0)
        #expect(outcome.error.contains(" articlesctl migrate"))
        #expect(try await old.sql("PRAGMA user_version; SELECT count(*) FROM session") == "\(version)\n0")
        #expect(try await old.run("migrate").status == 0)
    }

    @Test(
        "A restore killed at any point leaves the old or the restored database, complete",
        .enabled(if: Program.find("strace") != nil),
        arguments: ["openat", "pwrite64", "fsync", "renameat2", "unlink", "ftruncate", "fdatasync", "flock"])
    func kill(_ call: String) async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = ON; DELETE FROM article WHERE id > 20")
        try await home.shell("mkdir saved; cp -p data/articlesctl/articles.db saved")
        var (number, step) = (1, 1)
        while true {
            let outcome = try await home.killed(at: call, number, "restore", "copy.db", "--yes")
            let state = try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article")
            if outcome.status == 0 {
                #expect(state == "ok\n60")
                break
            }
            #expect(outcome.status == 137)
            #expect(state == "ok\n20" || state == "ok\n60", "at \(number)")
            if state != "ok\n20" { try await home.shell("cp -p saved/articles.db data/articlesctl") }
            if number > 8 { step += 4 }
            number += step
        }
        try await home.run("doctor", "--repair")
        #expect(try await home.shell("ls data/articlesctl").lines.filter { $0.hasSuffix(".partial") } == [])
    }
}

extension Home {
    /// Changes the database like a process that is killed before it moves its log.
    fileprivate func leaveLog(_ statements: String) async throws {
        let outcome = try await shell(
            #"""
            mkfifo feed
            sqlite3 "$1" <feed >/dev/null & writer=$!
            exec 3>feed
            printf '%s\n.output done\nSELECT 1;\n.output\n' "$2" >&3
            while ! test -s done; do :; done
            { kill -9 $writer; wait $writer; } 2>/dev/null
            test -s "$1-wal"
            """#, database, statements)
        try #require(outcome.status == 0, "\(outcome.error)")
    }
}
