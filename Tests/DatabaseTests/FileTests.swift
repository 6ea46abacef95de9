import Database
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The database file")
struct FileTests {
    @Test(
        "A file that was emptied or lost under its log is always refused, and the log stays unchanged",
        arguments: [true, false])
    func lost(isEmptied: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('in the log')") }
        let log = try folder.bytes(of: "test.db-wal")
        try #require(!log.isEmpty)
        if isEmptied { try #require(truncate(path, 0) == 0) } else { try #require(unlink(path) == 0) }
        let expected = DatabaseError.lost(path: path, logPath: path + "-wal")
        #expect(throws: expected) { try Database(path: path, schema: .test) }
        #expect(throws: expected) { try Migrator(path: path, schema: .test).status() }
        #expect(throws: expected) { try Migrator(path: path, schema: .test).migrate() }
        #expect(try folder.bytes(of: "test.db-wal") == log)
        withExtendedLifetime(database) {}
    }

    @Test("A file with two names is refused by both, and left unchanged")
    func linked() throws {
        let folder = try TemporaryFolder()
        _ = try folder.database()
        try #require(link(folder.file("test.db"), folder.file("other.db")) == 0)
        let before = try folder.bytes(of: "test.db")
        for name in ["test.db", "other.db"] {
            let expected = DatabaseError.linked(path: folder.file(name), names: 2)
            #expect(throws: expected) { try Database(path: folder.file(name), schema: .test) }
            #expect(throws: expected) { try Migrator(path: folder.file(name), schema: .test).migrate() }
        }
        #expect(try folder.bytes(of: "test.db") == before)
        try #require(unlink(folder.file("other.db")) == 0)
        _ = try Database(path: folder.file("test.db"), schema: .test)
    }

    @Test("After the file was moved, replaced, or deleted, nothing is written or read", arguments: 0..<3)
    func replaced(number: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try database.first("SELECT count(*) FROM item") { try $0.value(0) } == 1)
        switch number {
        case 0: try #require(rename(path, folder.file("moved.db")) == 0)
        case 1:
            _ = try Migrator(path: folder.file("new.db"), schema: .test).migrate()
            try #require(rename(folder.file("new.db"), path) == 0)
        default: try #require(unlink(path) == 0)
        }
        let expected = DatabaseError.replaced(path: path)
        #expect(throws: expected) { try database.write { try $0.run("INSERT INTO item (name) VALUES ('b')") } }
        #expect(throws: expected) { try database.first("SELECT count(*) FROM item") { try $0.value(0) as Int } }
        #expect(throws: expected) { try database.read { _ in } }
    }

    @Test(
        "If the log or its index is removed or replaced, writes fail and every earlier write is saved", arguments: 0..<4
    )
    func replacedLog(number: Int) throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try database.first("SELECT count(*) FROM item") { try $0.value(0) } == 1)
        let removed = folder.file(number < 2 ? "test.db-wal" : "test.db-shm")
        try #require(unlink(removed) == 0)
        if number % 2 == 1 { try #require(FileManager.default.createFile(atPath: removed, contents: Data([0]))) }
        let expected = DatabaseError.replaced(path: removed)
        #expect(throws: expected) { try database.write { try $0.run("INSERT INTO item (name) VALUES ('b')") } }
        #expect(throws: expected) { try database.first("SELECT count(*) FROM item") { try $0.value(0) as Int } }
        // If no other file replaces the database, the log is moved into it: a kill loses nothing.
        if number % 2 == 0 { #expect(try Self.names(inFile: folder.file("test.db")) == ["a"]) }
    }

    @Test(
        "A write during which the log is removed is in the database file before it returns", arguments: [false, true])
    func logRemovedDuringWrite(hasWritten: Bool) throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        if hasWritten { try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") } }
        try database.write {
            try $0.run("INSERT INTO item (name) VALUES ('b')")
            try #require(unlink(folder.file("test.db-wal")) == 0)
        }
        #expect(try Self.names(inFile: folder.file("test.db")) == (hasWritten ? ["a", "b"] : ["b"]))
        #expect(throws: DatabaseError.replaced(path: folder.file("test.db-wal"))) {
            try database.write { try $0.run("INSERT INTO item (name) VALUES ('c')") }
        }
    }

    @Test("If another process has the removed log open for an old view, the write fails instead of returning unsaved")
    func logThatCannotBeSaved() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        // A view from before the write prevents moving its frame.
        try database.read { snapshot in
            _ = try snapshot.first("SELECT 1 FROM item") { try $0.value(0) as Int }
            #expect(throws: DatabaseError.replaced(path: folder.file("test.db-wal"))) {
                try database.write {
                    try $0.run("INSERT INTO item (name) VALUES ('b')")
                    try #require(unlink(folder.file("test.db-wal")) == 0)
                }
            }
        }
    }

    /// Returns the names in a copy of the database file alone, as after a kill and without the log.
    private static func names(inFile path: String) throws -> [String] {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: copy.file("test.db"))
        let database = try Database(path: copy.file("test.db"), schema: .test)
        return try database.query("SELECT name FROM item ORDER BY id") { try $0.value(0) }
    }

    @Test("A lock file that was replaced during the wait is not a lock")
    func replacedLock() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 60))
        let path = folder.file("test.db-lock")
        let old = open(path, O_RDWR)
        try #require(old >= 0 && flock(old, LOCK_EX) == 0)
        let isWaiting = DispatchSemaphore(value: 0)
        let isFree = Atomic(false)
        let waiter = try Database(
            path: database.path, schema: .test,
            configuration: Database.Configuration(
                busyTimeout: 60,
                isInterrupted: {
                    isWaiting.signal()
                    return isFree.load(ordering: .acquiring)
                }))
        let error: DatabaseError? = await withCheckedContinuation { continuation in
            Thread {
                do {
                    try waiter.write { try $0.run("DELETE FROM item") }
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error as? DatabaseError)
                }
            }.start()
            Thread {
                isWaiting.wait()
                unlink(path)
                let new = open(path, O_RDWR | O_CREAT, 0o600)
                flock(new, LOCK_EX)
                // Now the waiter gets the old file, which is nobody's lock any more, and waits for the new one.
                releaseLock(of: old)
                isWaiting.wait()
                isFree.store(true, ordering: .releasing)
            }.start()
        }
        #expect(error == .interrupted)
    }

    @Test("A wait for another process ends when it is interrupted", .timeLimit(.minutes(30)))
    func interruptedWait() throws {
        let folder = try TemporaryFolder()
        _ = try folder.database()
        let database = try Database(
            path: folder.file("test.db"), schema: .test,
            configuration: Database.Configuration(busyTimeout: 600, isInterrupted: { true }))
        // Without a wait, the closure is not called.
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        let descriptor = open(folder.file("test.db-lock"), O_RDWR)
        defer { close(descriptor) }
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        #expect(throws: DatabaseError.interrupted) { try database.write { try $0.run("DELETE FROM item") } }
    }

    @Test("The next writer removes exactly the listed files of killed processes")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        _ = try folder.database()
        let stale = [
            "test.db.a1B2c3", "test.db.v1-20230102T030405Z.backup.partial",
            "test.db.v12-20230102T030405Z-2.backup.partial",
            "test.db.v1-20230102T030405Z.backup.partial-journal",
        ]
        let others = [
            "other.db.v1-20230102T030405Z.backup.partial", "test.db.mine.backup.partial", "test.db.old",
            "test.db.v1-20230102T030405Z.backup", "test.db.v1-mine.backup.partial", "test.db.backup", "other.db.a1B2c3",
        ]
        for name in stale + others { try folder.write(name, "") }
        try folder.write("test.db.A1B2C3", "x")
        let database = try Database(path: folder.file("test.db"), schema: .test)
        #expect(Set(database.leftovers) == Set(stale.map(folder.file)))
        _ = try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) as Int } }
        #expect(try stale.allSatisfy(folder.names.contains))
        try database.write { try $0.run("DELETE FROM item") }
        let names = try folder.names
        #expect(!stale.contains(where: names.contains))
        #expect((others + ["test.db.A1B2C3"]).allSatisfy(names.contains))
        #expect(database.leftovers.isEmpty)
    }

    @Test("The incomplete write of a killed process is rolled back before a read")
    func hotJournal() throws {
        let folder = try TemporaryFolder()
        let configuration = Database.Configuration(isOnNetwork: true)
        let database = try folder.database(configuration)
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('kept')") }
        try database.write { transaction in
            // The file then contains uncommitted pages.
            try transaction.execute("PRAGMA cache_size=5")
            for _ in 0..<100 { try transaction.run("INSERT INTO item (data) VALUES (zeroblob(4000))") }
            for name in ["test.db", "test.db-journal"] {
                try folder.write(name.replacing("test", with: "copy"), folder.bytes(of: name))
            }
        }
        let copy = try Database(path: folder.file("copy.db"), schema: .test)
        #expect(try copy.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 1)
        #expect(try copy.integrityProblems() == [])
    }

    @Test("A process that keeps an old view of the database is named, with the size of the log it keeps")
    func readers() throws {
        let sqlite3 = "/usr/bin/sqlite3"
        guard FileManager.default.isExecutableFile(atPath: sqlite3) else { return }
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try database.logState()?.readers == [])

        let (input, output) = (Pipe(), Pipe())
        let (question, answer) = (input.fileHandleForWriting, output.fileHandleForReading)
        for end in [question, answer] { try #require(fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0) }
        let process = try ChildProcess(
            [sqlite3, database.path], environment: [],
            streams: [
                .descriptor(input.fileHandleForReading.fileDescriptor),
                .descriptor(output.fileHandleForWriting.fileDescriptor),
            ])
        try question.write(contentsOf: Data("BEGIN; SELECT count(*) FROM item;\n".utf8))
        #expect(try answer.read(upToCount: 2) == Data("1\n".utf8))
        for name in ["b", "c"] {
            try database.write { try $0.run("INSERT INTO item (name) VALUES (?)", [.text(name)]) }
        }

        let state = try #require(try database.logState())
        #expect(state.readers.map(\.processID) == [process.id])
        let behind = try #require(state.readers.first).framesBehind
        #expect(behind > 0 && behind < state.frames && state.size > 0 && state.movedFrames <= state.frames)
        try question.close()
        #expect(process.wait() == 0)
        #expect(try database.logState()?.readers == [])
    }
}
