import Foundation
import Testing

@Suite("Restoring", .enabled(if: Program.find("sqlite3") != nil))
struct RestoreTests {
    @Test("a backup comes back, what was there is kept, and the sessions of the backup have ended")
    func restore() async throws {
        let home = try await Home.signedIn()
        try await #require(home.run("backup", "copy.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = ON; DELETE FROM article WHERE id > 10")
        let outcome = try await home.run("restore", "copy.db")
        #expect(outcome.status == 0)
        let kept = try #require(outcome.lines.first?.split(separator: " ").last.map(String.init))
        #expect(kept.hasPrefix(home.database + ".before-restore-2"))
        #expect(outcome.lines.last == "Restored \(home.database): 60 articles, 1 user; 1 session ended.")
        #expect(try await home.sql("SELECT count(*) FROM article; SELECT count(*) FROM session") == "60\n0")
        #expect(try await home.sql("SELECT count(*) FROM article; SELECT count(*) FROM session", on: kept) == "10\n1")
        #expect(try await home.shell("stat -c %a data/articlesctl/*").lines.allSatisfy { $0 == "600" })
        #expect(try await home.sql("SELECT count(*) FROM session", on: home.path("copy.db")) == "1")
        #expect(try await home.run("list").status == 77)
        #expect(try await home.run("doctor").status == 0)

        let back = try await home.run("restore", kept, "--keep-sessions", "--json").object()
        #expect(back.keys == ["articles", "database", "kept", "sessions", "sessionsEnded", "users", "version"])
        #expect(back.integer("articles") == 10)
        #expect(back.bool("sessionsEnded") == false)
        #expect(try await home.run("list").status == 0)
    }

    @Test("a database that is damaged, or gone, is replaced", arguments: ["dd", "rm", "truncate"])
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
        let outcome = try await home.run("restore", "copy.db")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.contains("Kept: ") == (how != "rm"))
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article") == "ok\n60")
    }

    @Test("a log that is there is of what is kept, not of what comes back")
    func log() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        // A process that is killed leaves its log.
        try await home.shell(
            """
            mkfifo hold
            sqlite3 "$1" <hold >/dev/null & writer=$!
            exec 3>hold
            echo "DELETE FROM article WHERE id > 20; .output ready\nSELECT 1; .output" | tr ';' '\\n' >&3
            while ! test -e ready; do :; done
            printf 'SELECT 1;\\n' >&3
            while ! test -s data/articlesctl/articles.db-wal; do :; done
            kill -9 $writer
            wait $writer
            """, home.database)
        let outcome = try await home.run("restore", "copy.db", "--json").object()
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article") == "ok\n60")
        let kept = try #require(outcome.string("kept"))
        #expect(try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article", on: kept) == "ok\n20")
    }

    @Test("while another process has the database open it is refused, and says which")
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
            articlesctl restore copy.db
            status=$?
            exec 3>&-
            wait $reader
            echo $reader >reader
            exit $status
            """, home.database)
        let reader = try await home.shell("cat reader").lines.joined()
        #expect(outcome.status == 75)
        #expect(outcome.error.contains("articles.db is open in sqlite3 (\(reader))"))
        #expect(outcome.error.contains("end them"))
        #expect(try await home.shell("ls data/articlesctl").lines.allSatisfy { !$0.contains("restore") })
    }

    @Test("what is no whole backup of this program is refused, and nothing is changed")
    func refusals() async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        try home.write("text.db", String(repeating: "text ", count: 2000))
        _ = try await home.sql("CREATE TABLE x (y); PRAGMA application_id = 7", on: home.path("other.db"))
        try await home.shell(
            """
            cp copy.db newer.db; sqlite3 newer.db 'PRAGMA user_version = 99'
            cp copy.db damaged.db; dd if=/dev/urandom of=damaged.db bs=4096 seek=20 count=1 conv=notrunc status=none
            cp copy.db orphans.db; sqlite3 orphans.db 'DELETE FROM user'
            """)
        let before = try await home.shell("sha256sum data/articlesctl/articles.db; ls data/articlesctl").output
        for (file, status, words) in [
            ("none.db", 69, "there is no database at none.db"), ("text.db", 69, "text.db is not a SQLite database"),
            ("other.db", 69, "other.db is the database of another program"),
            ("newer.db", 69, "newer.db has schema version 99"), ("damaged.db", 74, "damaged.db"),
            ("orphans.db", 74, "orphans.db is damaged: row ? of session refers to a row of user that is not there"),
            ("data/articlesctl/articles.db", 73, "it is the database that is to be replaced"),
        ] as [(String, Int32, String)] {
            let outcome = try await home.run("restore", file)
            #expect(outcome.status == status, "\(file)")
            #expect(outcome.error.contains(words), "\(outcome.error)")
        }
        let after = try await home.shell("sha256sum data/articlesctl/articles.db; ls data/articlesctl").output
        #expect(after == before)
    }

    @Test("a backup of an earlier version comes back, and is to be migrated")
    func older() async throws {
        let old = try await Home.ofVersion(3)
        try await #require(old.run("backup", "copy.db").status == 0)
        try await old.run("migrate")
        let outcome = try await old.run("restore", "copy.db")
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("articlesctl migrate"))
        #expect(try await old.sql("PRAGMA user_version") == "3")
        #expect(try await old.run("migrate").status == 0)
    }

    @Test(
        "killed at any point, there is what was there or what was restored, each whole",
        .enabled(if: Program.find("strace") != nil),
        arguments: ["openat", "pwrite64", "fsync", "renameat2", "unlink", "ftruncate", "fdatasync", "flock"])
    func kill(_ call: String) async throws {
        let home = try await Home.prepared()
        try await #require(home.run("backup", "copy.db").status == 0)
        _ = try await home.sql("PRAGMA foreign_keys = ON; DELETE FROM article WHERE id > 20")
        try await home.shell("mkdir saved; cp -p data/articlesctl/articles.db saved")
        var (number, step) = (1, 1)
        while true {
            let outcome = try await home.killed(at: call, number, "restore", "copy.db")
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
