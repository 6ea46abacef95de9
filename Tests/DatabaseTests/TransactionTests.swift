import Database
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Transactions")
struct TransactionTests {
    struct Refusal: Error {}

    func count(_ database: Database) throws -> Int {
        try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } ?? -1
    }

    @Test("A write that throws changes nothing, and the next one works")
    func rollBack() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        #expect(throws: Refusal.self) {
            try database.write {
                try $0.run("INSERT INTO item (name) VALUES ('a')")
                throw Refusal()
            }
        }
        #expect(try count(database) == 0)
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try count(database) == 1)
    }

    @Test("Each commit changes the version, also in another process, and a read or a rollback does not")
    func version() throws {
        let folder = try TemporaryFolder()
        let (database, other) = (try folder.database(), try folder.database())
        let first = try database.version()
        #expect(try count(database) == 0)
        #expect(throws: Refusal.self) {
            try database.write {
                try $0.run("INSERT INTO item (name) VALUES ('a')")
                throw Refusal()
            }
        }
        #expect(try database.version() == first)
        var versions = [first]
        for writer in [database, other, database] {
            for isDurable in [true, false] {
                let name = Value.text("\(versions.count)")
                try writer.write(isDurable: isDurable) { try $0.run("INSERT INTO item (name) VALUES (?)", [name]) }
                versions.append(try database.version())
            }
        }
        #expect(Set(versions).count == 7 && !versions.contains(nil))
    }

    @Test("A savepoint that throws is rolled back alone, also a nested one")
    func savepoints() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { transaction in
            try transaction.run("INSERT INTO item (name) VALUES ('kept')")
            try? transaction.savepoint {
                try transaction.run("INSERT INTO item (name) VALUES ('lost')")
                try transaction.savepoint { try transaction.run("INSERT INTO item (name) VALUES ('lost too')") }
                throw Refusal()
            }
            try transaction.savepoint {
                try? transaction.savepoint {
                    try transaction.run("INSERT INTO item (name) VALUES ('inner')")
                    throw Refusal()
                }
                try transaction.run("INSERT INTO item (name) VALUES ('outer')")
            }
        }
        let names: [String] = try database.read {
            try $0.query("SELECT name FROM item ORDER BY id") { try $0.value(0) }
        }
        #expect(names == ["kept", "outer"])
    }

    @Test("A reader sees one snapshot while another thread writes")
    func snapshot() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.read { snapshot in
            let before: Int? = try snapshot.first("SELECT count(*) FROM item") { try $0.value(0) }
            try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
            let after: Int? = try snapshot.first("SELECT count(*) FROM item") { try $0.value(0) }
            #expect(before == 0 && after == 0)
        }
        #expect(try count(database) == 1)
    }

    @Test("A snapshot cannot write")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        #expect(throws: DatabaseError.readOnly(path: database.path)) {
            try database.read { try $0.first("DELETE FROM item RETURNING id") { try $0.value(0) as Int } }
        }
    }

    @Test("The same SQL may run inside its own rows")
    func reentrancy() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { transaction in
            for name in ["a", "b", "c"] { try transaction.run("INSERT INTO item (name) VALUES (?)", [.text(name)]) }
        }
        let sql = "SELECT name FROM item ORDER BY id"
        let pairs: [String] = try database.read { snapshot in
            var pairs: [String] = []
            try snapshot.forEach(sql) { outer in
                let left: String = try outer.value(0)
                try snapshot.forEach(sql) { pairs.append(left + (try $0.value(0) as String)) }
            }
            return pairs
        }
        #expect(pairs == ["aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc"])
    }

    @Test("More statements than the cache holds still run")
    func manyStatements() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.read { snapshot in
            for round in 0..<2 {
                for number in 0..<200 {
                    let value: Int? = try snapshot.first("SELECT \(number) + ?", [Value(round)]) { try $0.value(0) }
                    #expect(value == number + round)
                }
            }
        }
    }

    @Test("Many tasks read and write at once, and nothing is lost")
    func concurrency() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try await withThrowingTaskGroup { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        try await database.write {
                            try $0.run("INSERT INTO item (name) VALUES (?)", [.text("\(writer)-\(number)")])
                        }
                        _ = try database.read { try $0.first("SELECT max(id) FROM item") { try $0.value(0) as Int } }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try count(database) == 400)
        #expect(try database.integrityProblems() == [])
    }

    @Test(
        "A deadline ends the running statement, and inside of another one the earlier of both",
        arguments: [false, true])
    func deadlines(isInnerEarlier: Bool) throws {
        let folder = try TemporaryFolder()
        let endless = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"
        let (soon, late) = (Duration.milliseconds(20), Duration.seconds(3600))
        try folder.database().read { snapshot in
            func run(until deadline: ContinuousClock.Instant, _ body: () throws -> Void = {}) -> DatabaseError? {
                do {
                    try snapshot.withDeadline(deadline) {
                        try body()
                        _ = try snapshot.first(endless, []) { try $0.value(0) as Int64 }
                    }
                    return nil
                } catch {
                    return error as? DatabaseError
                }
            }
            var inner: DatabaseError?
            // The outer deadline still applies after the inner one.
            let outer = run(until: .now + (isInnerEarlier ? soon * 2 : soon)) {
                inner = run(until: .now + (isInnerEarlier ? soon : late))
            }
            #expect(outer == .interrupted)
            // On a busy machine, the outer deadline can pass before the inner statement begins.
            #expect(inner ?? .interrupted == .interrupted)
            // Without a deadline, a statement runs to its end.
            let one: Int64? = try snapshot.first("SELECT 1", []) { try $0.value(0) }
            #expect(one == 1)
        }
    }

    @Test("An interrupt ends the running statement and rolls it back")
    func interrupt() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        let endless = """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
            INSERT INTO item (name) SELECT 'item ' || n FROM numbers WHERE n % 1000000 = 0
            """
        let isFinished = Flag()
        let error = await withCheckedContinuation { continuation in
            // Use a thread, because a blocking task would take a thread from other tests.
            Thread {
                let result = Result { try database.write { try $0.run(endless) } }
                isFinished.value.store(true, ordering: .releasing)
                guard case .failure(let error) = result else {
                    return continuation.resume(returning: nil as (any Error)?)
                }
                continuation.resume(returning: error)
            }.start()
            Thread {
                // An interrupt before the statement does nothing, so repeat it until the statement ends.
                while !isFinished.value.load(ordering: .acquiring) { database.interrupt() }
            }.start()
        }
        #expect(error as? DatabaseError == .interrupted)
        #expect(try count(database) == 0)
    }

    @Test("Foreign keys are enforced, double quotes are never text, and nobody edits the schema table")
    func hardening() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        let orphan = try #require(throws: DatabaseError.self) {
            try database.write { try $0.run("INSERT INTO item (parent) VALUES (99)") }
        }
        if case .sqlite(let failure) = orphan {
            // SQLITE_CONSTRAINT_FOREIGNKEY
            #expect(failure.extendedCode == 787)
        } else {
            Issue.record(orphan)
        }
        #expect(throws: DatabaseError.self) {
            try database.read { try $0.first(#"SELECT "no such column""#) { try $0.value(0) as String } }
        }
        #expect(throws: DatabaseError.self) {
            try database.write { try $0.execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema") }
        }
    }

    @Test("An error contains the statement and the extended code, and never the values")
    func errors() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        let sql = "INSERT INTO item (name) VALUES (?)"
        try database.write { try $0.run(sql, ["secret"]) }
        let error = try #require(throws: DatabaseError.self) { try database.write { try $0.run(sql, ["secret"]) } }
        #expect(error.isUniqueViolation)
        guard case .sqlite(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.extendedCode == 2067 && failure.code == 19 && failure.sql == sql)
        #expect(!"\(error)".contains("secret"))
    }

    @Test("Two statements in one, none at all, or a wrong number of values are refused")
    func misuse() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        for (sql, values): (String, [Value]) in [
            ("SELECT 1; SELECT 2", []), ("", []), ("SELECT ?", []), ("SELECT 1", [1]),
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") {
                try database.read { try $0.first(sql, values) { try $0.value(0) as Int } }
            }
        }
    }

    @Test("A full disk is an error that says so, and loses nothing")
    func diskFull() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('kept')") }
        let error = try #require(throws: DatabaseError.self) {
            try database.write { transaction in
                try transaction.forEach("PRAGMA max_page_count=12") { _ in }
                for _ in 0..<100 {
                    try transaction.run("INSERT INTO item (data) VALUES (zeroblob(4000))")
                }
            }
        }
        #expect(error.isDiskFull)
        #expect(try count(database) == 1)
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('after')") }
        #expect(try count(database) == 2)
    }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
