import Foundation
import Testing

@Suite("Backing up", .enabled(if: Program.find("sqlite3") != nil))
struct BackupTests {
    @Test("A backup is a complete database, readable only by its owner")
    func file() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run("backup", "copy.db")
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.output.hasPrefix("copy.db: 60 "))
        #expect(try await home.shell("stat -c %a copy.db*").lines == ["600"])
        #expect(
            try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article", on: home.path("copy.db"))
                == "ok\n60")
        #expect(try await home.run("migrate", "status", "--database", "copy.db").status == 0)

        let again = try await home.run("backup", "copy.db")
        #expect(again.status == 73)
        #expect(again.error.contains("copy.db"))

        let object = try await home.run("backup", "other.db", "--json").object()
        #expect(object.keys == ["articles", "bytes", "feedPasswords", "path", "removed"])
        #expect(object.integer("articles") == 60)
        #expect(object.string("path") == "other.db")
    }

    @Test("A missing backup folder is created, and keeps the newest backups")
    func rotation() async throws {
        let home = try await Home.prepared()
        for _ in 0..<3 { #expect(try await home.run("backup", "kept/daily/").status == 0) }
        try home.write("kept/daily/mine.backup", "mine")
        #expect(try await home.shell("ls kept/daily | wc -l").output.contains("4"))
        let outcome = try await home.run("backup", "kept/daily", "--keep", "2")
        #expect(outcome.status == 0)
        let names = try await home.shell("ls kept/daily").lines
        #expect(names.filter { $0.hasPrefix("articles.db.2") && $0.hasSuffix(".backup") }.count == 2)
        #expect(names.contains("mine.backup"))
        let path = try #require(outcome.output.split(separator: ":").first)
        #expect(names.contains { path.hasSuffix("/" + $0) })
        #expect(try await home.shell("stat -c %a kept kept/daily").lines == ["700", "700"])

        let wrong = try await home.run("backup", "copy.db", "--keep", "2")
        #expect(wrong.status == 64)
        #expect(wrong.error.contains("--keep"))
    }

    @Test("A database that is damaged, missing, or another program's is not backed up")
    func refusals() async throws {
        let home = try await Home.prepared()
        let missing = try await home.run("backup", "copy.db", "--database", "none.db")
        #expect(missing.status == 69)
        try await home.shell(
            "dd if=/dev/urandom of=data/articlesctl/articles.db bs=4096 seek=20 count=1 conv=notrunc status=none")
        let damaged = try await home.run("backup", "copy.db")
        #expect(damaged.status == 74)
        #expect(damaged.error.contains("damaged") || damaged.error.contains("malformed"))
        #expect(try await home.shell("ls").lines.filter { $0.hasPrefix("copy") } == [])
    }

    @Test(
        "A backup killed at any point is complete or missing, and the next leaves nothing of it",
        .enabled(if: Program.find("strace") != nil),
        arguments: ["openat", "pwrite64", "fsync", "renameat2", "unlink", "ftruncate", "fcntl", "flock"])
    func kill(_ call: String) async throws {
        let home = try await Home.prepared()
        var (kills, number, step) = (0, 1, 1)
        while true {
            let outcome = try await home.killed(at: call, number, "backup", "copy.db")
            if outcome.status == 0 { break }
            kills += 1
            #expect(outcome.status == 137)
            if FileManager.default.fileExists(atPath: home.path("copy.db")) {
                #expect(
                    try await home.sql("PRAGMA integrity_check; SELECT count(*) FROM article", on: home.path("copy.db"))
                        == "ok\n60")
                try FileManager.default.removeItem(atPath: home.path("copy.db"))
            }
            // Tests the first and the last calls, and fewer of those that are made for each page.
            if number > 8 { step += 3 }
            number += step
        }
        #expect(kills > 0 || ["unlink", "ftruncate"].contains(call))
        #expect(try await home.shell("ls").lines.filter { $0.hasPrefix("copy") } == ["copy.db"])
        #expect(try await home.sql("PRAGMA integrity_check") == "ok")
    }
}

extension Home {
    /// Runs articlesctl and kills it just before the given occurrence of a system call.
    func killed(at call: String, _ number: Int, _ arguments: String...) async throws -> Outcome {
        try await shell(
            #"call=$1 number=$2; shift 2; strace -f -o /dev/null -e trace=$call -e inject=$call:signal=KILL:when=$number articlesctl "$@""#,
            [call, "\(number)"] + arguments)
    }
}
