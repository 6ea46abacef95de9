import Foundation
import Testing

@Suite("Unusable databases")
struct WrongDatabaseTests {
    static let commands = [
        ["list"], ["whoami"], ["show", "1"], ["logout"], ["sessions"], ["seed", "a.md"],
        ["login", "ada", "--password-stdin"], ["register", "ada", "-r", "SE", "--password-stdin"],
        ["passwd", "--password-stdin"], ["open", "/articles"],
    ]

    @Test("Without a database every command says how to create one, and creates none", arguments: commands)
    func missing(_ command: [String]) async throws {
        let home = try Home()
        let outcome = try await home.run(command)
        #expect(outcome.status == 69)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("\(home.database)\n") && outcome.error.hasSuffix(" articlesctl migrate\n"))
        let failure = try await home.run(command + ["--json"]).failure()
        #expect(failure.integer("code") == 69)
        #expect(!FileManager.default.fileExists(atPath: home.database))
    }

    @Test("The hint names the database that the user named")
    func hintNamesDatabase() async throws {
        let home = try Home()
        let outcome = try await home.run("list", "--database", "my own.db")
        #expect(outcome.error.hasSuffix(" articlesctl migrate --database 'my own.db'\n"))
    }

    @Test("The missing folder of a named database is not created")
    func missingParent() async throws {
        let home = try Home()
        let outcome = try await home.run("migrate", "--database", "no/where.db")
        #expect(outcome.status == 73)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("no/where.db"))
        #expect(!FileManager.default.fileExists(atPath: home.path("no")))
        #expect(try await home.run("list", "--database", "no/where.db").status == 69)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var testDescription: String { name }
    }

    static let wrong: [Wrong] = [
        Wrong(name: "a folder", script: "mkdir x.db"),
        Wrong(name: "a device", script: "ln -s /dev/null x.db"),
        Wrong(name: "a FIFO", script: "mkfifo x.db"),
        Wrong(name: "text", script: "echo 'Dear diary' >x.db"),
        Wrong(name: "long text", script: "seq 100000 >x.db"),
        Wrong(
            name: "another program's", script: "sqlite3 x.db 'PRAGMA application_id = 77; CREATE TABLE t (a)'"),
        Wrong(
            name: "a database that says nothing of itself", script: "sqlite3 x.db 'CREATE TABLE t (a)'"),
        Wrong(
            name: "of a newer version",
            script: "articlesctl migrate --database x.db >/dev/null; sqlite3 x.db 'PRAGMA user_version = 99; VACUUM'"),
        Wrong(
            name: "of ours, without the record of its schema",
            script: "articlesctl migrate --database x.db >/dev/null; sqlite3 x.db 'DROP TABLE schema_migration; VACUUM'"
        ),
    ]

    @Test("A foreign file is refused, and left unchanged byte for byte", arguments: wrong)
    func refused(_ wrong: Wrong) async throws {
        let home = try Home()
        let made = try await home.shell(wrong.script)
        try #require(made.status == 0, "\(made.error)")
        let before = try await home.shell("test ! -f x.db || md5sum x.db")
        try home.write("a.md", "# A")
        for command in [["migrate"], ["migrate", "status"], ["migrate", "--dry-run"], ["list"], ["seed", "a.md"]] {
            let outcome = try await home.run(command + ["--database", "x.db"])
            #expect(outcome.status == 69)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.contains("x.db"))
            #expect(outcome.lines.isEmpty && outcome.error.split(separator: "\n").count == 2)
        }
        #expect(try await home.shell("test ! -f x.db || md5sum x.db").output == before.output)
    }

    @Test("The database is that of --database, else the environment, XDG_DATA_HOME, or HOME")
    func places() async throws {
        let home = try Home()
        func database(_ arguments: [String], _ variables: [String: String]) async throws -> String? {
            try await home.run(["migrate", "status", "--json"] + arguments, environment: variables).object()
                .string("database")
        }
        #expect(try await database(["--database", "a.db"], ["ARTICLESCTL_DATABASE": "b.db"]) == "a.db")
        #expect(try await database([], ["ARTICLESCTL_DATABASE": "b.db"]) == "b.db")
        #expect(try await database([], ["ARTICLESCTL_DATABASE": ""]) == home.database)
        #expect(
            try await database([], ["XDG_DATA_HOME": ""]) == home.path(".local/share/articlesctl/articles.db"))
        #expect(
            try await database([], ["XDG_DATA_HOME": "not/absolute"])
                == home.path(".local/share/articlesctl/articles.db"))
    }

    @Test("A command that waits too long for a writer says to try again", .enabled(if: Program.find("flock") != nil))
    func busy() async throws {
        let home = try await Home.prepared()
        try home.write("a.md", "# A")
        let outcome = try await home.shell(
            #"exec flock "$1-lock" articlesctl seed a.md --busy-timeout 0"#, home.database)
        #expect(outcome.status == 75)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(home.database) && outcome.error.contains("--busy-timeout"))
        // Readers do not wait.
        let reading = try await home.shell(
            #"exec flock "$1-lock" articlesctl migrate status --busy-timeout 0"#, home.database)
        #expect(reading.status == 0)
    }

    @Test("If the system does not permit reading or writing, the error has its reason", .enabled(if: canBecomeNobody))
    func permissions() async throws {
        let home = try await Home.prepared()
        let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=$PWD/theirs XDG_STATE_HOME= "
        try await home.shell("mkdir -m 777 theirs; cp data/articlesctl/articles.db* theirs; chown 65534 theirs/*")
        func run(_ command: String) async throws -> Outcome {
            try await home.shell(nobody + "articlesctl " + command, environment: ["LLVM_PROFILE_FILE": "/dev/null"])
        }
        try #require(try await run("version").status == 0)

        let hidden = try await run("list --database data/articlesctl/articles.db")
        #expect(hidden.status == 69)
        #expect(hidden.error.contains("articles.db") && hidden.error.contains("Permission denied"))

        // A file that others may write is not trusted if their permissions cannot be removed.
        try await home.shell("cp data/articlesctl/articles.db theirs/loose.db; chmod 666 theirs/loose.db")
        let loose = try await run("list --database theirs/loose.db")
        #expect(loose.status == 69)
        #expect(loose.error.contains("theirs/loose.db"))
        // The owner of an empty file could read everything that is written to it.
        try await home.shell("mkdir -m 755 ours; touch ours/empty.db; chown 65534 ours/empty.db")
        let empty = try await home.run("migrate", "--database", "ours/empty.db")
        #expect(empty.status == 73)
        #expect(empty.error.contains("ours/empty.db"))
        // The owner of a folder could replace the session file in it.
        try await home.shell("mkdir -p state/articlesctl; chown 65534 state/articlesctl")
        for arguments in [["whoami"], ["login", "ada", "--password-stdin"]] {
            let folder = try await home.run(arguments, input: Data("\(Home.password)\n".utf8))
            #expect(folder.status == 74)
            #expect(folder.error.contains(home.path("state/articlesctl")))
        }

        try home.write("note.md", "# A")
        try await home.shell("chmod 444 theirs/articles.db; chmod 644 note.md")
        // No file is created beside it that would block its owner.
        #expect(try await run("sources list --database theirs/articles.db").status == 0)
        #expect(try await home.shell("test ! -e theirs/articles.db-shm").status == 0)
        let readOnly = try await run("seed note.md --database theirs/articles.db")
        #expect(readOnly.status == 74)
        #expect(readOnly.error.contains("theirs/articles.db"))

        try await home.shell("chmod 600 theirs/articles.db; mkdir -m 755 mine")
        let noFolder = try await run("migrate --database mine/new.db")
        #expect(noFolder.status == 73)
        #expect(noFolder.error.contains("mine/new.db") && noFolder.error.contains("Permission denied"))

        try home.write("secret.md", "# Secret")
        try await home.shell("chmod 600 secret.md; mkdir -m 700 closed; mkdir -m 755 open; cp secret.md open/b.md")
        try await home.shell("echo '# A' >open/a.md; chmod 644 open/a.md; chmod 600 open/b.md")
        for path in ["secret.md", "closed"] {
            let unreadable = try await run("seed \(path) --database theirs/articles.db")
            #expect(unreadable.status == 66)
            #expect(unreadable.output.isEmpty)
            #expect(unreadable.error.contains("\(path):"))
        }
        // In a folder, it is one of many files: the rest is imported.
        let rest = try await run("seed open --json --database theirs/articles.db")
        #expect(rest.status == 65)
        #expect(try rest.object().integer("inserted") == 1)
        let rejected = try rest.object().objects("rejected")
        #expect(rejected.map { $0.string("source") } == ["open/b.md"])
    }

    @Test("A database that others may read or write becomes private, with a warning")
    func loose() async throws {
        let home = try await Home.signedIn()
        try await home.shell("chmod 666 data/articlesctl/*")
        let outcome = try await home.run("list", "--limit", "1")
        #expect(outcome.status == 0)
        #expect(outcome.error.contains(home.database))
        #expect(try await home.shell("stat -c %a data/articlesctl/articles.db*").lines.allSatisfy { $0 == "600" })
        #expect(try await home.run("list", "--limit", "1").error.isEmpty)
        try await home.shell("mkdir -p state/articlesctl; chmod 777 state/articlesctl")
        let folder = try await home.run("logout", environment: ["ARTICLESCTL_TOKEN": ""])
        #expect(folder.status == 74)
        #expect(folder.error.contains(home.path("state/articlesctl")))
    }

    @Test("A full disk fails the command, keeps the database intact, and says where to look")
    func quota() async throws {
        let home = try await Home.prepared()
        try home.write("bulk.jsonl", Library.lines(0..<5000))
        let outcome = try await home.shell("ulimit -f 1200; articlesctl seed bulk.jsonl")
        #expect(outcome.status == 74)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(home.database))
        #expect(try await home.sql("PRAGMA integrity_check") == "ok")
        #expect(try await home.run("seed", "bulk.jsonl").status == 0)
        #expect(try await home.sql("SELECT count(*) FROM article") == "5060")
    }
}

/// Whether a program can run as an unprivileged user.
let canBecomeNobody = getuid() == 0 && Program.find("setpriv") != nil
