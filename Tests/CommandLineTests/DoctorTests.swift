import Foundation
import Testing

@Suite("The doctor command", .enabled(if: Program.find("sqlite3") != nil))
struct DoctorTests {
    /// A fault that a test can make, and the finding of doctor.
    struct Fault: Sendable, CustomTestStringConvertible {
        let kind: String
        /// The subject: a table, or a part of a path.
        let subject: String
        var sql: String?
        var shell: String?
        var isRepairable = false
        var isFault = true

        /// Whether this is the finding of the fault.
        func isFound(in finding: JSONObject) -> Bool {
            guard let found = finding.string("subject"), finding.string("kind") == kind else { return false }
            return subject.contains(/[.\/]/) ? found.contains(subject) : found == subject
        }

        var testDescription: String { "\(kind) of \(subject): \(sql ?? shell ?? "")" }
    }

    static let faults = [
        Fault(
            kind: "mode", subject: "articles.db",
            shell: "chmod 666 data/articlesctl/articles.db",
            isRepairable: true),
        Fault(
            kind: "mode", subject: "articles.db-lock",
            shell: "chmod 644 data/articlesctl/articles.db-lock",
            isRepairable: true),
        Fault(
            kind: "mode", subject: "data/articlesctl/", shell: "chmod 777 data/articlesctl",
            isRepairable: true),
        Fault(
            kind: "mode", subject: "articles.db.20260101T000000Z.backup",
            shell: "touch data/articlesctl/articles.db.20260101T000000Z.backup; chmod 640 data/articlesctl/*.backup",
            isRepairable: true),
        Fault(
            kind: "mode", subject: "articles.db.x.backup",
            shell: "mkfifo -m 600 data/articlesctl/articles.db.x.backup"),
        Fault(kind: "links", subject: "articles.db", shell: "ln data/articlesctl/articles.db other.db"),
        Fault(
            kind: "leftover", subject: "articles.db.copy.partial",
            shell: "umask 077; touch data/articlesctl/articles.db.copy.partial", isRepairable: true),
        Fault(
            kind: "leftover", subject: "articles.db.aB3dEf",
            shell: "umask 077; touch data/articlesctl/articles.db.aB3dEf", isRepairable: true),
        Fault(
            kind: "count", subject: "label", sql: "UPDATE source_size SET articles = articles + 1",
            isRepairable: true),
        Fault(
            kind: "schema", subject: "articles.db", sql: "PRAGMA user_version = 99"),
        Fault(
            kind: "schema", subject: "articles.db", sql: "DROP TABLE schema_migration"),
        Fault(
            kind: "schema", subject: "articles.db",
            sql: "UPDATE schema_migration SET checksum = '0' WHERE version = 1"),
        Fault(
            kind: "schema", subject: "article_by_title", sql: "DROP INDEX article_by_title",
            isRepairable: true),
        Fault(
            kind: "schema", subject: "article_removed", sql: "DROP TRIGGER article_removed",
            isRepairable: true),
        Fault(
            kind: "schema", subject: "user_appearance", sql: "DROP TABLE user_appearance"),
        Fault(
            kind: "schema", subject: "article_by_title",
            sql: "DROP INDEX article_by_title; CREATE INDEX article_by_title ON article (title)"),
        Fault(
            kind: "schema", subject: "spy",
            sql: "CREATE TRIGGER spy AFTER INSERT ON user BEGIN UPDATE article SET summary = new.username; END"),
        Fault(
            kind: "schema", subject: "own",
            sql: "CREATE INDEX own ON article (updated_at)",
            isFault: false),
        Fault(
            kind: "damage", subject: "articles.db",
            sql: """
                CREATE INDEX spare ON article (published_at, number) WHERE id > 30;
                CREATE TEMP TABLE root AS SELECT name, rootpage FROM sqlite_schema;
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM root WHERE name = 'spare')
                    WHERE name = 'article_by_date';
                UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM root WHERE name = 'article_by_date')
                    WHERE name = 'spare';
                PRAGMA writable_schema = RESET;
                DROP INDEX spare;
                """, isRepairable: true),
        Fault(
            kind: "reference", subject: "session",
            sql: """
                INSERT INTO session VALUES ('ghost', zeroblob(32), 99, 'x', 1, 1, 1, '', 1)
                """, isRepairable: true),
        Fault(
            kind: "reference", subject: "device",
            sql: "INSERT INTO device VALUES (99, zeroblob(32), 1, 1)", isRepairable: true),
        Fault(
            kind: "reference", subject: "article_body",
            sql: "DROP TRIGGER article_removed; DELETE FROM article WHERE id = 8"),
        Fault(
            kind: "reference", subject: "article",
            sql: "UPDATE article SET id = 1000 WHERE id = 8", isRepairable: true),
        Fault(
            kind: "reference", subject: "article",
            sql: "UPDATE article SET id = id + 1000", isRepairable: true),
        Fault(
            kind: "damage", subject: "article_body", sql: "DELETE FROM article_body WHERE article_id = 8"),
        Fault(
            kind: "damage", subject: "articles.db", sql: "CREATE TABLE gone (x); DROP TABLE gone",
            shell:
                "printf '\\000\\000\\000\\005' | dd of=data/articlesctl/articles.db bs=1 seek=36 conv=notrunc status=none"
        ),
        Fault(
            kind: "database", subject: "articles.db",
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET rootpage = 21 WHERE name IN ('source', 'audit');
                """),
        Fault(
            kind: "checksum", subject: "article-7",
            sql: "UPDATE article_body SET body = replace(body, 'Body', 'Bodx') WHERE article_id = 8"),
        Fault(
            kind: "checksum", subject: "article-7",
            sql: "UPDATE article SET summary = 'other' WHERE id = 8"),
        Fault(
            kind: "checksum", subject: "article",
            sql: "UPDATE article_body SET checksum = NULL WHERE article_id = 8", isRepairable: true, isFault: false),
        Fault(
            kind: "index", subject: "label",
            sql: "DELETE FROM label_by_title WHERE article_id = 8", isRepairable: true),
        Fault(
            kind: "index", subject: "label",
            sql: "INSERT INTO label_by_date SELECT label_id, published_at + 1, article_id FROM label_by_date LIMIT 1",
            isRepairable: true),
        Fault(
            kind: "index", subject: "label",
            sql: "UPDATE article_label SET label_id = label_id + 1 WHERE article_id = 8", isRepairable: true),
        Fault(
            kind: "index", subject: "label",
            sql: "INSERT INTO label (kind, key) VALUES ('tag', 'nobody')", isRepairable: true),
        Fault(
            kind: "index", subject: "label",
            sql: "UPDATE article SET title_key = 'zz' WHERE id = 8", isRepairable: true),
        Fault(
            kind: "clock", subject: "audit",
            sql: "INSERT INTO audit (at, event, client) VALUES (4102444800, 'x', 'x')"),
        Fault(
            kind: "log", subject: "articles.db-wal",
            sql: """
                .filectrl persist_wal on
                PRAGMA wal_autocheckpoint = 0;
                INSERT INTO audit (at, event, client) VALUES (1, 'x', hex(zeroblob(34000000)));
                DELETE FROM audit WHERE at = 1;
                """, isRepairable: true),
        Fault(
            kind: "database", subject: "articles.db", sql: "PRAGMA application_id = 7"),
        Fault(
            kind: "database", subject: "articles.db",
            shell: "umask 077; truncate -s 0 data/articlesctl/articles.db; echo x >data/articlesctl/articles.db-wal"),
        Fault(
            kind: "database", subject: "articles.db",
            shell: "printf x | dd of=data/articlesctl/articles.db conv=notrunc status=none"),
        Fault(
            kind: "mode", subject: "state/articlesctl",
            shell: "mkdir -p state/articlesctl; chmod 777 state/articlesctl", isRepairable: true),
        Fault(
            kind: "mode", subject: "state/articlesctl/session-",
            shell:
                "umask 077; mkdir -p state/articlesctl; articlesctl login ada --password-stdin <password >/dev/null; "
                + "chmod 640 state/articlesctl/session-*"),
        Fault(
            kind: "mode", subject: "state/articlesctl/device-",
            shell:
                "umask 077; mkdir -p state/articlesctl; articlesctl login ada --password-stdin <password >/dev/null; "
                + "chmod 640 state/articlesctl/device-*"),
    ]

    @Test("An intact library is reported as intact")
    func well() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run("doctor")
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.lines.last?.hasPrefix(home.database) == true)
        let object = try await home.run("doctor", "--json").object()
        #expect(try object.objects("findings").allSatisfy { $0.bool("fault") == false })
        #expect(object.keys == ["database", "findings", "mended", "ok", "sqlite"])
        #expect(object.bool("ok") == true)
        for finding in try object.objects("findings") {
            #expect(finding.keys == ["advice", "fault", "kind", "mendable", "message", "subject"])
        }
    }

    @Test("A library of an earlier version is intact after its migration", arguments: 1...9)
    func upgraded(version: Int) async throws {
        let home = try await Home.ofVersion(version)
        try await home.shell("chmod 600 data/articlesctl/*; chmod 700 data/articlesctl")
        let behind = try await home.run("doctor", "--json")
        #expect(behind.status == 65)
        #expect(try behind.object().objects("findings").contains { $0.string("kind") == "schema" })
        try await home.run("migrate")
        let outcome = try await home.run("doctor", "--repair")
        #expect(outcome.status == 0, "\(outcome.output)")
        let left = try await home.run("doctor", "--json").object().objects("findings")
        #expect(!left.contains { $0.string("kind") == "checksum" })
    }

    @Test("Every fault is found and named, and repaired if that loses nothing", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let home = try await Home.prepared()
        try home.write("password", Home.password)
        if let sql = fault.sql { _ = try await home.sql(script: sql) }
        if let shell = fault.shell { try #require(try await home.shell(shell).status == 0) }
        let outcome = try await home.run("doctor", "--json")
        #expect(outcome.status == (fault.isFault ? 65 : 0))
        let finding = try #require(
            try outcome.object().objects("findings").first(where: fault.isFound), "\(outcome.output)")
        #expect(finding.bool("fault") == fault.isFault)
        if fault.isRepairable { #expect(finding.bool("mendable") == true) }
        #expect(try outcome.object().bool("ok") == !fault.isFault)

        guard fault.isRepairable else { return }
        let repair = try await home.run("doctor", "--repair", "--json")
        #expect(repair.status == 0, "\(repair.output)")
        #expect(try repair.object().objects("mended").contains(where: fault.isFound))
        let after = try await home.run("doctor", "--json")
        #expect(after.status == 0)
        #expect(try !after.object().objects("findings").contains(where: fault.isFound))
    }

    /// Returns the kind and the subject of each finding in this list of a report.
    private func subjects(_ list: String, of report: Outcome) throws -> [String] {
        try report.object().objects(list).map { "\($0.string("kind") ?? "") \($0.string("subject") ?? "")" }
    }

    @Test("The order by title of an article without authors and tags is checked")
    func bare() async throws {
        let home = try await Home.prepared()
        try home.write("bare.md", "# Bare\n\nText.")
        try await home.run("seed", "bare.md")
        let labels =
            "SELECT count(*) FROM article_label WHERE article_id = (SELECT id FROM article WHERE slug = 'bare')"
        #expect(try await home.sql(labels) == "0")
        #expect(try await home.run("doctor").status == 0)
        _ = try await home.sql("UPDATE article SET title_key = 'zz' WHERE slug = 'bare'")
        let outcome = try await home.run("doctor", "--json")
        #expect(outcome.status == 65)
        let faults = try outcome.object().objects("findings").filter { $0.bool("fault") == true }
        #expect(faults.map { $0.string("kind") } == ["index"])
        try await home.run("doctor", "--repair")
        #expect(try await home.run("doctor").status == 0)
        #expect(try await home.sql("SELECT title_key FROM article WHERE slug = 'bare'") == "bare")
    }

    @Test("A fault that cannot be repaired is reported with what to do")
    func advice() async throws {
        let home = try await Home.prepared()
        _ = try await home.sql(script: "UPDATE article SET summary = 'other' WHERE id = 8")
        let outcome = try await home.run("doctor", "--repair")
        #expect(outcome.status == 65)
        #expect(outcome.output.split(separator: "\n").filter { $0.hasPrefix("fault: ") }.count == 1)
        // The next import restores it.
        try home.write("articles.jsonl", Library.lines(Library.articles))
        #expect(try await home.run("seed", "articles.jsonl", "--json").object().integer("updated") == 1)
        #expect(try await home.run("doctor").status == 0)
    }

    @Test("An article that another program has renumbered keeps its text and its marks")
    func renumbered() async throws {
        let home = try await Home.prepared()
        let texts =
            "SELECT a.slug, b.body FROM article AS a JOIN article_body AS b ON b.article_id = a.id WHERE slug IN "
            + "('article-7', 'article-8') ORDER BY 1; "
        let before = try await home.sql(script: texts)
        _ = try await home.sql(
            script: """
                INSERT INTO article_note SELECT id, 8, 'mine', 1 FROM user LIMIT 1;
                INSERT INTO article_note SELECT id, 9, 'too', 1 FROM user LIMIT 1;
                UPDATE article SET id = id + 1000 WHERE id IN (8, 9);
                -- Marked since by its new number.
                INSERT INTO article_mark (user_id, article_id, is_starred, starred_at) SELECT id, 1009, 1, 1 FROM user LIMIT 1;
                """)
        let repair = try await home.run("doctor", "--repair", "--json")
        #expect(try subjects("mended", of: repair).contains("reference article"))
        // A note is not removed, although its article has another number now.
        #expect(repair.status == 65)
        #expect(try subjects("findings", of: repair).contains("reference article_note"))
        let state =
            texts + "SELECT article_id, note FROM article_note ORDER BY 1; SELECT id FROM article WHERE id IN (8, 1009)"
        #expect(try await home.sql(script: state) == before + "8|mine\n9|too\n8\n1009\n")
    }

    @Test("A user's text is not removed, even if it belongs to nothing")
    func kept() async throws {
        let home = try await Home.prepared()
        _ = try await home.sql(
            script: """
                INSERT INTO article_note SELECT id, 777, 'mine', 1 FROM user LIMIT 1;
                INSERT INTO article_mark (user_id, article_id) SELECT id, 777 FROM user LIMIT 1;
                INSERT INTO article_body (article_id, format, extra, body, checksum) VALUES (777, 'plain', '{}', 'mine', 7);
                """)
        let repair = try await home.run("doctor", "--repair", "--json")
        #expect(repair.status == 65)
        #expect(try subjects("findings", of: repair).contains("reference article_body"))
        let rows = """
            SELECT count(*) FROM article_mark WHERE article_id = 777;
            SELECT note FROM article_note; SELECT body FROM article_body WHERE article_id = 777
            """
        #expect(try await home.sql(script: rows) == "0\nmine\nmine\n")
    }

    @Test("doctor changes nothing without --repair", arguments: [[], ["--json"]])
    func readOnly(options: [String]) async throws {
        let home = try await Home.prepared()
        try home.write("password", Home.password)
        _ = try await home.sql(script: "DELETE FROM label_by_title WHERE article_id = 8; DROP INDEX article_by_title")
        try await home.shell(
            """
            articlesctl login ada --password-stdin <password >/dev/null
            touch data/articlesctl/articles.db.copy.partial
            chmod 666 data/articlesctl/* state/articlesctl/*
            chmod 777 data/articlesctl state/articlesctl
            """)
        let sums = "find data state -printf '%m %s %p\n' | sort; sha256sum data/articlesctl/articles.db"
        // SQLite creates the index of the log for reading.
        try await home.run("doctor")
        let before = try await home.shell(sums).output
        let outcome = try await home.run(["doctor"] + options)
        #expect(outcome.status == 65)
        #expect(outcome.output.contains("\(home.database)"))
        #expect(try await home.shell(sums).output == before)
        let repair = try await home.run(["doctor", "--repair"] + options)
        #expect(repair.output.contains("\(home.database)"))
        #expect(
            try await home.shell("stat -c %a data/articlesctl data/articlesctl/articles.db").lines == ["755", "600"])
    }

    @Test("A file or folder of another user is named", .enabled(if: canBecomeNobody))
    func owner() async throws {
        let home = try await Home.prepared()
        try await home.shell("chown 65534 data/articlesctl/articles.db")
        let file = try await home.run("doctor", "--json")
        #expect(file.status == 65)
        #expect(try subjects("findings", of: file).contains("owner \(home.database)"))
        try await home.shell("chown 0 data/articlesctl/articles.db; chown 65534 data/articlesctl")
        let folder = try await home.run("doctor", "--repair", "--json")
        #expect(folder.status == 65)
        #expect(try subjects("findings", of: folder).contains("owner \(home.path("data/articlesctl/"))"))
        try await home.shell("chown 0 data/articlesctl; mkdir -p state/articlesctl; chown 65534 state/articlesctl")
        let state = try await home.run("doctor", "--json")
        #expect(state.status == 65)
        #expect(try subjects("findings", of: state).contains("owner \(home.path("state/articlesctl"))"))
        try await home.shell("chown 0 state/articlesctl")
        #expect(try await home.run("doctor").status == 0)
    }

    @Test(
        "Root finds no fault with a service's library, but with root's files in it",
        .enabled(if: canBecomeNobody))
    func service() async throws {
        let home = try await Home.prepared()
        try await home.run("doctor")
        try await home.shell("chown -R 65534 data/articlesctl")
        let service = try await home.run("doctor")
        #expect(service.status == 0, "\(service.output)")
        try await home.shell("chown 0 data/articlesctl/articles.db-lock")
        let lock = try await home.run("doctor", "--json")
        #expect(lock.status == 65)
        #expect(try subjects("findings", of: lock).contains("owner \(home.database)-lock"))
    }

    @Test("A disk without space for a migration is named", .enabled(if: StorageTests.canMount))
    func space() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.shell(
            """
            mkdir -m 700 small
            exec unshare -m sh -c 'mount -t tmpfs -o size=15m,mode=700 none small
            cp -p data/articlesctl/articles.db small
            exec articlesctl doctor --json --database small/articles.db'
            """)
        #expect(outcome.status == 65)
        let finding = try #require(
            try outcome.object().objects("findings").first { $0.string("kind") == "space" }, "\(outcome.output)")
        #expect(finding.string("message")?.contains("14 MiB") == true)
    }

    @Test("A process whose long read keeps the log from restarting is named")
    func oldestReader() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.shell(
            """
            mkfifo hold
            sqlite3 "$1" <hold >/dev/null & reader=$!
            exec 3>hold
            printf 'BEGIN;\\nSELECT count(*) FROM article;\\n.output ready\\nSELECT 1;\\n.output\\n' >&3
            while ! test -s ready; do :; done
            sqlite3 "$1" "INSERT INTO audit (at, event, client) VALUES (1, 'x', hex(zeroblob(34000000)))"
            articlesctl doctor --json
            status=$?
            exec 3>&-
            wait $reader
            echo $reader >reader
            exit $status
            """, home.database)
        #expect(outcome.status == 65)
        let reader = try await home.shell("cat reader").lines.joined()
        let finding = try #require(try outcome.object().objects("findings").first { $0.string("kind") == "log" })
        #expect(finding.string("message")?.contains("sqlite3 (\(reader))") == true)
        #expect(finding.bool("mendable") == false)
    }

    @Test("A process that writes without the lock is named")
    func foreignLock() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.shell(
            """
            mkfifo hold
            sqlite3 "$1" <hold >/dev/null & writer=$!
            exec 3>hold
            printf 'BEGIN IMMEDIATE;\\nSELECT 1;\\n.output ready\\nSELECT 1;\\n.output\\n' >&3
            while ! test -s ready; do :; done
            articlesctl doctor --json
            status=$?
            exec 3>&-
            wait $writer
            echo $writer >writer
            exit $status
            """, home.database)
        #expect(outcome.status == 65)
        let writer = try await home.shell("cat writer").output.split(separator: "\n").joined()
        let finding = try #require(try outcome.object().objects("findings").first { $0.string("kind") == "lock" })
        #expect(finding.string("subject") == "sqlite3 (\(writer))")
    }

    @Test("Without a database, doctor says so")
    func missing() async throws {
        let home = try Home()
        let outcome = try await home.run("doctor")
        #expect(outcome.status == 69)
        #expect(outcome.error.hasSuffix(" articlesctl migrate\n"))
    }
}

extension Home {
    /// Runs SQL without enforcing foreign keys, as another program would.
    func sql(script: String) async throws -> String {
        try write("script.sql", script + "\n")
        let outcome = try await shell(#"sqlite3 -bail "$1" <script.sql"#, database)
        try #require(outcome.status == 0, "\(outcome.error)")
        return outcome.output
    }
}
