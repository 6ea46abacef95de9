import Foundation
import Testing

@Suite("Creating and migrating a database")
struct MigrateTests {
    static let steps = [
        "0001_accounts", "0002_articles", "0003_reading", "0004_sources", "0005_guards", "0006_roles", "0007_checksums",
        "0008_confirmation", "0009_second_factor", "0010_search", "0011_marks", "0012_clients",
        "0013_source_numbers", "0014_source_tags", "0015_stems", "0016_subscriptions",
        "0017_pages", "0018_visits", "0019_feed_passwords", "0020_source_settings", "0021_long_texts",
        "0022_former_feeds", "0023_compression", "0024_source_icons", "0025_saved_searches",
        "0026_rules", "0027_hubs", "0028_appearances", "0029_searches_of_sources", "0030_pictures",
        "0031_fields",
    ]

    @Test("A new database is created with its folder, private to its owner, and needs no further migration")
    func create() async throws {
        let home = try Home()
        let first = try await home.run("migrate")
        #expect(first.status == 0)
        #expect(first.error.isEmpty)
        #expect(Array(first.lines.prefix(Self.steps.count)) == Self.steps.map { "Applied " + $0 })
        let second = try await home.run("migrate")
        #expect(second.status == 0)
        #expect(second.lines.count == 1 && second.output.contains(home.database))

        let modes = try await home.shell("stat -c %a data/articlesctl data/articlesctl/*").lines
        #expect(modes.first == "700")
        #expect(modes.dropFirst().allSatisfy { $0 == "600" })
    }

    @Test("With --json, migrate lists the applied steps")
    func json() async throws {
        let home = try Home()
        let first = try await home.run("migrate", "--json").object()
        #expect(first.keys == ["applied", "backup", "database"])
        #expect(first.strings("applied") == Self.steps)
        #expect(first.isNull("backup"))
        #expect(first.string("database") == home.database)
        #expect(try await home.run("migrate", "--json").object().strings("applied") == [])
    }

    @Test("The status distinguishes pending from applied steps, and creates nothing")
    func status() async throws {
        let home = try Home()
        #expect(try await home.run("migrate", "status").lines == Self.steps.map { $0 + "\tpending\t\t" })
        let pending = try await home.run("migrate", "status", "--json").object()
        #expect(pending.keys == ["database", "migrations"])
        for step in try pending.objects("migrations") {
            #expect(step.keys == ["applied", "checksumOK", "name", "version"])
            #expect(step.isNull("applied"))
            #expect(step.isNull("checksumOK"))
        }
        #expect(!FileManager.default.fileExists(atPath: home.path("data")))

        try await home.run("migrate")
        for line in try await home.run("migrate", "status").lines {
            let cells = line.split(separator: "\t")
            #expect(cells.count == 4)
            #expect(cells[1] == "applied")
        }
        let applied = try await home.run("migrate", "status", "--json").object().objects("migrations")
        #expect(applied.map { $0.integer("version") } == Array(1...Self.steps.count))
        #expect(applied.map { $0.string("name") } == Self.steps.map { String($0.dropFirst(5)) })
        #expect(applied.allSatisfy { $0.bool("checksumOK") == true && $0.string("applied")?.hasSuffix("Z") == true })
    }

    @Test("A dry run prints SQL that sqlite3 accepts, and creates nothing")
    func dryRun() async throws {
        let home = try Home()
        let sql = try await home.run("migrate", "--dry-run")
        #expect(sql.status == 0)
        #expect(!FileManager.default.fileExists(atPath: home.path("data")))
        let object = try await home.run("migrate", "--dry-run", "--json").object()
        #expect(object.keys == ["pending"])
        let pending = try object.objects("pending")
        #expect(pending.map { $0.string("name") } == Self.steps)
        #expect(pending.allSatisfy { $0.keys == ["name", "sql"] })
        // sqlite3 lacks the tokenizer for the word tables.
        let comment = "-- This needs SQL functions of articlesctl; sqlite3 cannot run it.\n"
        #expect(sql.output.contains("-- 0010_search\n\(comment)"))
        #expect(sql.output.components(separatedBy: comment).count == 2)
        if Program.find("sqlite3") != nil {
            let plain = try #require(sql.output.range(of: "-- 0010_search\n")).lowerBound
            try home.write("dry.sql", String(sql.output[..<plain]))
            #expect(try await home.shell("sqlite3 dry.db <dry.sql").status == 0)
        }

        try await home.run("migrate")
        let nothing = try await home.run("migrate", "--dry-run")
        #expect(nothing.status == 0)
        #expect(nothing.output.isEmpty)
    }

    @Test("A database behind the program stays unchanged until it is migrated, after a backup")
    func pending() async throws {
        let home = try await Home.behind()
        for command in [["whoami"], ["list"], ["seed", "x.md"]] {
            let outcome = try await home.run(command)
            #expect(outcome.status == 69)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.hasSuffix(" articlesctl migrate\n"))
        }
        let states = try await home.run("migrate", "status").lines.map { $0.split(separator: "\t")[1] }
        #expect(states == ["applied", "applied", "applied"] + Array(repeating: "pending", count: Self.steps.count - 3))
        #expect(try await home.run("migrate", "--dry-run").output.hasPrefix("-- 0004_sources\n"))

        let outcome = try await home.run("migrate", "--json").object()
        #expect(outcome.strings("applied") == Array(Self.steps.dropFirst(3)))
        let backup = try #require(outcome.string("backup"))
        #expect(try await home.sql("PRAGMA user_version", on: backup) == "3")
        #expect(try await home.sql("SELECT username FROM user", on: backup) == "ada")
        #expect(try await home.shell("stat -c %a '\(backup)'").output == "600\n")
        #expect(try await home.run("seed", home.write("a.md", "# A\n")).status == 0)
    }

    @Test("--no-backup migrates without a backup")
    func noBackup() async throws {
        let home = try await Home.behind()
        #expect(try await home.run("migrate", "--no-backup", "--json").object().isNull("backup"))
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path("data/articlesctl"))
        #expect(!names.contains { $0.hasSuffix("backup") })
    }

    @Test("A step that was changed after it was applied is shown by the status and stops everything else")
    func changedStep() async throws {
        let home = try await Home.prepared()
        _ = try await home.sql("UPDATE schema_migration SET checksum = '0' WHERE version = 1")
        let status = try await home.run("migrate", "status")
        #expect(status.lines.first?.contains("CHANGED") == true)
        let steps = try await home.run("migrate", "status", "--json").object().objects("migrations")
        #expect(steps.map { $0.bool("checksumOK") } == [false] + Array(repeating: true, count: Self.steps.count - 1))
        let outcome = try await home.run("migrate")
        #expect(outcome.status == 69)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("1 (accounts)"))
        let list = try await home.run("list")
        #expect(list.status == 69)
        #expect(list.error == outcome.error)
    }

    @Test("Of two migrations at once, one migrates, and the other waits and does nothing")
    func twoAtOnce() async throws {
        let home = try Home()
        async let one = home.run("migrate", "--json")
        async let other = home.run("migrate", "--json")
        let outcomes = try await [one, other]
        #expect(outcomes.map(\.status) == [0, 0])
        let counts = try outcomes.map { try $0.object().strings("applied")?.count }
        #expect(counts.contains(Self.steps.count) && counts.contains(0))
    }
}

extension Home {
    /// Returns a home whose database is one step behind, with the account `ada` in it.
    fileprivate static func behind() async throws -> Home { try await ofVersion(3) }
}
