import Foundation
import TestSupport
import Testing

@Suite("Files and disks that fail")
struct StorageTests {
    /// Whether folders can be mounted only for a test.
    static let canMount = Program.find("unshare") != nil && (try? runProgram(["unshare", "-m", "true"]))?.status == 0

    @Test(
        "A database that was emptied or lost under its log is refused by all commands, and the log stays",
        arguments: [true, false])
    func lost(isEmptied: Bool) async throws {
        let home = try await Home.prepared()
        try home.write("a.md", "# A")
        try home.write("bulk.jsonl", Library.lines(0..<Library.firstBatch))
        // Killed, so that the log is not moved.
        let outcome = try await home.shell(
            """
            mkfifo feed
            articlesctl seed - <feed & pid=$!
            exec 3>feed
            cat bulk.jsonl >&3
            until [ -s "$1-wal" ]; do sleep 0.01; done
            kill -9 $pid
            wait $pid
            if $2; then truncate -s 0 "$1"; else rm "$1"; fi
            md5sum "$1-wal"
            """, home.database, "\(isEmptied)")
        for command in [
            ["list"], ["whoami"], ["seed", "a.md"], ["migrate"], ["migrate", "status"], ["migrate", "--dry-run"],
        ] {
            let refused = try await home.run(command)
            #expect(refused.status == 69, "\(command)")
            #expect(refused.error.contains("\(home.database)-wal") && refused.error.contains("articlesctl restore"))
        }
        #expect(try await home.shell(#"md5sum "$1-wal""#, home.database).output == outcome.output)
        #expect(FileManager.default.fileExists(atPath: home.database) == isEmptied)
    }

    @Test("A value that this program cannot have written is damage, not an error of the program")
    func impossibleValue() async throws {
        let home = try await Home.signedIn()
        try await home.sql("UPDATE user SET region = '??'")
        let outcome = try await home.run("whoami")
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("articlesctl doctor"))
    }

    /// Runs a long import, and a command when its first batch is in; `$1` is the database.
    private func seedLong(in home: Home, meanwhile command: String) async throws -> Outcome {
        try home.write("bulk.jsonl", Library.lines(0..<Library.firstBatch + 10))
        return try await home.shell(
            """
            mkfifo feed
            articlesctl seed - <feed & pid=$!
            exec 3>feed
            head -\(Library.firstBatch) bulk.jsonl >&3
            until [ -s "$1-wal" ]; do sleep 0.01; done
            \(command)
            tail -10 bulk.jsonl >&3
            exec 3>&-
            wait $pid
            """, home.database)
    }

    @Test("A file that is replaced under a long import ends it, and nothing is reported as saved")
    func replaced() async throws {
        let home = try await Home.prepared()
        let outcome = try await seedLong(in: home, meanwhile: #"mv "$1" moved.db"#)
        #expect(outcome.status == 75)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(home.database))
    }

    @Test("A file with two names is refused, with what to do")
    func linked() async throws {
        let home = try await Home.prepared()
        try await home.shell(#"ln "$1" other.db"#, home.database)
        for command in [["list"], ["list", "--database", "other.db"], ["migrate"]] {
            let outcome = try await home.run(command)
            #expect(outcome.status == 69)
            #expect(outcome.error.contains(command.last == "other.db" ? "other.db" : home.database))
        }
    }

    @Test("A lock of another program is reported with the path and what to do, without SQL")
    func foreignLock() async throws {
        let home = try await Home.prepared()
        try home.write("a.md", "# A")
        let outcome = try await home.shell(
            """
            mkfifo sql ready
            sqlite3 "$1" <sql >ready &
            exec 3>sql 4<ready
            printf 'BEGIN IMMEDIATE; SELECT 1;\\n' >&3
            read -r line <&4
            articlesctl seed a.md --busy-timeout 0
            """, home.database)
        #expect(outcome.status == 75)
        #expect(outcome.error.contains(home.database))
        #expect(outcome.error.contains("--busy-timeout"))
        #expect(!outcome.error.contains("BEGIN"))
    }

    @Test(
        "A signal ends an import that waits for any other process immediately",
        .enabled(if: LimitsTests.canTrace), .timeLimit(.minutes(30)),
        arguments: ["INT", "TERM"], [true, false])
    func interruptedWait(signal: String, isForeign: Bool) async throws {
        let home = try await Home.prepared()
        try home.write("a.md", "# A")
        let holder =
            isForeign
            ? "sqlite3 \"$1\" <hold >ready & exec 3>hold 4<ready; printf 'BEGIN IMMEDIATE; SELECT 1;\\n' >&3; read -r line <&4"
            : "exec 5>\"$1-lock\"; flock 5"
        let outcome = try await home.shell(
            """
            mkfifo hold ready
            \(holder)
            # Each line of a trace begins with the number of the process.
            {
                until grep -qE 'EAGAIN|clock_nanosleep' trace 2>/dev/null; do sleep 0.01; done
                kill -\(signal) $(head -1 trace | cut -d' ' -f1)
            } 3>&- 4>&- 5>&- &
            strace -qq -f -o trace -e trace=flock,clock_nanosleep articlesctl seed a.md --busy-timeout 600 3>&- 4>&- 5>&-
            """, home.database)
        #expect(outcome.status == (signal == "INT" ? 130 : 143))
        #expect(try await home.sql("SELECT count(*) FROM article") == "60")
    }

    @Test("Damage is reported with the file and what to do, without SQL")
    func damage() async throws {
        let home = try await Home.signedIn()
        // The roots of tables and indexes, not the header.
        try await home.shell(
            #"for page in 3 4 5 6 7 8 9 10 11 12; do dd if=/dev/urandom of="$1" bs=4096 seek=$page count=1 conv=notrunc; done"#,
            home.database)
        let outcome = try await home.run("list")
        #expect(outcome.status == 74)
        #expect(outcome.error.contains(home.database) && outcome.error.contains("articlesctl restore"))
        #expect(!outcome.error.contains("SELECT"))
    }

    @Test("An unusable log is named, with what to do", arguments: ["-wal", "-shm"])
    func brokenLog(ending: String) async throws {
        let home = try await Home.prepared()
        try await home.shell(#"rm -f "$1"; mkdir "$1""#, home.database + ending)
        try home.write("a.md", "# A")
        let outcome = try await home.run("seed", "a.md")
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("\(home.database)\(ending)"))
        #expect(!outcome.error.contains("PRAGMA"))
    }

    @Test("A truncated index of the log ends the process with a message, and loses nothing")
    func cutIndex() async throws {
        let home = try await Home.prepared()
        let outcome = try await seedLong(in: home, meanwhile: #"truncate -s 0 "$1-shm""#)
        #expect(outcome.status == 135)
        #expect(outcome.error.contains("-shm"))
        #expect(try await home.sql("PRAGMA integrity_check") == "ok")
        #expect(try await home.run("sources", "list").status == 0)
    }

    @Test("A library on read-only media can be read, and no file is created beside it", .enabled(if: canMount))
    func readOnlyMedia() async throws {
        let home = try await Home.signedIn()
        try await home.shell("mkdir media; cp data/articlesctl/articles.db media/a.db")
        try home.write("a.md", "# A")
        func run(_ command: String) async throws -> Outcome {
            try await home.shell(
                "exec unshare -m sh -c 'mount --bind media media && mount -o remount,ro,bind media && exec articlesctl \(command)'",
                environment: ["ARTICLESCTL_DATABASE": "media/a.db"])
        }
        #expect(try await run("list --json").object().integer("total") == 60)
        #expect(try await run("show article-7").status == 0)
        #expect(try await run("sources list").status == 0)
        #expect(try await run("migrate status").status == 0)
        let seed = try await run("seed a.md")
        #expect(seed.status == 74)
        #expect(seed.error.contains("media/a.db"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("media")) == ["a.db"])
    }

    @Test(
        "If a session cannot be stored, none is opened and no password is changed", .enabled(if: canMount),
        arguments: ["mount --bind state state && mount -o remount,ro,bind state", "fill"])
    func noRoomForTheSession(mount: String) async throws {
        let home = try await Home.prepared()
        try await #require(home.logIn("ada").status == 0)
        let token = try String(contentsOfFile: home.tokenFile(), encoding: .utf8)
        let mount =
            mount != "fill"
            ? mount
            : "cp -a state kept && mount -t tmpfs -o size=16k none state && cp -a kept/. state && { cat /dev/zero >state/fill || :; }"
        func run(_ command: String) async throws -> Outcome {
            try await home.shell("exec unshare -m sh -c '{ \(mount); } 2>/dev/null; exec articlesctl \(command)'")
        }
        try home.write("passwords", "\(Home.password)\n\(Home.otherPassword)\n")
        let before = try await home.sql("SELECT * FROM session; SELECT * FROM user")
        for command in ["passwd --password-stdin <passwords", "login ada --password-stdin <passwords"] {
            let outcome = try await run(command)
            #expect(outcome.status == 74)
            #expect(outcome.error.contains(home.path("state/articlesctl")))
            #expect(try await home.sql("SELECT * FROM session; SELECT * FROM user") == before)
        }
        #expect(try String(contentsOfFile: home.tokenFile(), encoding: .utf8) == token)
        #expect(try await home.run("whoami").status == 0)
    }

    @Test("If the report of a change cannot be written, the error contains it")
    func fullOutput() async throws {
        let home = try await Home.prepared()
        try home.write("a.md", "# A")
        let outcome = try await home.shell("articlesctl seed a.md >/dev/full")
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("No space left"))
        #expect(outcome.error.contains("1 inserted"))
    }

    @Test("A failed login leaves no file, and the next removes the file of a killed one")
    func leftoverTokenFiles() async throws {
        let home = try await Home.prepared()
        try await #require(home.logIn("ada").status == 0)
        let file = try home.tokenFile()
        // No process has this number.
        try Data("x".utf8).write(to: URL(filePath: file + ".99999999-7.partial"))
        try Data("x".utf8).write(to: URL(filePath: file + ".mine.partial"))
        #expect(try await home.logIn("ada", password: Home.otherPassword).status == 77)
        #expect(home.tokenFiles == [file, file + ".mine.partial"])
    }

    @Test(
        "Ctrl-C while a login waits for another process leaves no session and no file",
        .enabled(if: LimitsTests.canTrace), arguments: ["INT", "TERM"])
    func interruptedLogIn(signal: String) async throws {
        let home = try await Home.prepared()
        try home.write("password", Home.password)
        let before = try await home.sql("SELECT * FROM session")
        let outcome = try await home.shell(
            """
            exec 5>"$1-lock"
            flock 5
            {
                until grep -q EAGAIN trace 2>/dev/null; do sleep 0.01; done
                kill -\(signal) $(head -1 trace | cut -d' ' -f1)
            } 5>&- &
            strace -qq -f -o trace -e trace=flock articlesctl login ada --password-stdin --busy-timeout 600 <password 5>&-
            """, home.database)
        #expect(outcome.status == (signal == "INT" ? 130 : 143))
        #expect(try await home.sql("SELECT * FROM session") == before)
        #expect(home.tokenFiles.isEmpty)
    }
}
