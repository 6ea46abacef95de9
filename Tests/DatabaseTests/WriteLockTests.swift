import Database
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Write lock")
struct WriteLockTests {
    @Test("A write fails as busy while another process holds the lock, and works once it is free")
    func busy() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 0.05))
        // A lock belongs to an open file, so a second descriptor behaves like a second process.
        let descriptor = open(folder.file("test.db-lock"), O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        #expect(throws: DatabaseError.busy(path: database.path, seconds: 0.05)) {
            try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        }
        // Reading needs no lock.
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 0)
        releaseLock(of: descriptor)
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 1)
    }

    @Test("A write that does not wait does not wait for its own process either", .timeLimit(.minutes(30)))
    func impatient() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 60))
        try database.write { transaction in
            try transaction.run("INSERT INTO item (name) VALUES ('a')")
            let done = DispatchSemaphore(value: 0)
            let failure = Mutex<DatabaseError?>(nil)
            Thread.detachNewThread {
                do {
                    try database.write(timeout: 0) { try $0.run("INSERT INTO item (name) VALUES ('b')") }
                } catch {
                    failure.withLock { $0 = error as? DatabaseError }
                }
                done.signal()
            }
            done.wait()
            #expect(failure.withLock { $0 } == .busy(path: database.path, seconds: 0))
        }
        try database.write(timeout: 0) { try $0.run("INSERT INTO item (name) VALUES ('c')") }
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 2)
    }

    @Test("A waiting write continues when the lock is released")
    func waiting() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 60))
        let descriptor = open(folder.file("test.db-lock"), O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        let changed = await withCheckedContinuation { continuation in
            // Use a thread, because a blocking task would take a thread from other tests.
            Thread {
                let changed = try? database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
                continuation.resume(returning: changed)
            }.start()
            Thread { releaseLock(of: descriptor) }.start()
        }
        #expect(changed == 1)
    }

    @Test("Waiting writes of tasks block no thread, so other tasks run")
    func tasks() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 600))
        let descriptor = open(folder.file("test.db-lock"), O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        // More than there are threads for tasks.
        let writes = 4 * ProcessInfo.processInfo.activeProcessorCount
        let begun = Counter()
        try await withThrowingTaskGroup { group in
            for _ in 0..<writes {
                group.addTask {
                    begun.value.add(1, ordering: .relaxed)
                    try await database.write { try $0.run("INSERT INTO item DEFAULT VALUES") }
                }
            }
            // Only a task that has read before releases the lock.
            group.addTask {
                while begun.value.load(ordering: .relaxed) < writes { await Task.yield() }
                let count: Int? = try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } }
                #expect(count == 0)
                releaseLock(of: descriptor)
            }
            try await group.waitForAll()
        }
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == writes)
    }

    @Test("Writes of tasks wait until their time is over, and only a limited number may wait")
    func waitingTasks() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 600, waitingWrites: 1))
        let descriptor = open(folder.file("test.db-lock"), O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        let insert = "INSERT INTO item DEFAULT VALUES"
        await #expect(throws: DatabaseError.busy(path: database.path, seconds: 0.05)) {
            try await database.write(timeout: 0.05) { try $0.run(insert) }
        }
        await withTaskGroup { group in
            // The first write has its turn, the second waits, and the third exceeds the maximum.
            for _ in 0..<3 {
                group.addTask { try? await database.write { try $0.run(insert) } }
            }
            let first = await group.next()
            #expect(first == .some(nil))
            await #expect(throws: DatabaseError.busy(path: database.path, seconds: 0)) {
                try await database.write(timeout: 0) { try $0.run(insert) }
            }
            releaseLock(of: descriptor)
            for await changed in group { #expect(changed == 1) }
        }
    }

    @Test("Writes of tasks and of threads take turns")
    func turns() async throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(busyTimeout: 600))
        let insert = "INSERT INTO item (name) SELECT max(id) FROM item"
        await withTaskGroup { group in
            for index in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        if index % 2 == 0 {
                            _ = try? await database.write(isDurable: false) { try $0.run(insert) }
                        } else {
                            await withCheckedContinuation { continuation in
                                Thread {
                                    _ = try? database.write(isDurable: false) { try $0.run(insert) }
                                    continuation.resume()
                                }.start()
                            }
                        }
                    }
                }
            }
        }
        #expect(try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 400)
    }

    @Test("A lock file that is a symbolic link is not followed")
    func symbolicLink() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try FileManager.default.removeItem(atPath: folder.file("test.db-lock"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("test.db-lock"), withDestinationPath: folder.file("elsewhere"))
        #expect(throws: DatabaseError.self) { try database.write { try $0.run("DELETE FROM item") } }
        #expect(try !folder.names.contains("elsewhere"))
    }

    @Test("The log is moved into the database before it grows without end")
    func checkpoint() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(checkpointFrames: 20))
        for _ in 0..<100 {
            try database.write { try $0.run("INSERT INTO item (data) VALUES (zeroblob(20000))") }
        }
        #expect(try folder.bytes(of: "test.db-wal").count < 1_000_000)
        #expect(try folder.bytes(of: "test.db").count > 1_000_000)
        #expect(try database.integrityProblems() == [])
    }

    @Test("A large transaction is moved with half of the next, so pages that both write move once")
    func largeTransactions() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database(Database.Configuration(checkpointFrames: 20))
        let isMoved = try (1...4).map { number in
            let size = try folder.bytes(of: "test.db").count
            try database.write { try $0.run("INSERT INTO item (data) VALUES (zeroblob(400000))") }
            return try folder.bytes(of: "test.db").count > size + 400_000
        }
        #expect(isMoved == [false, true, false, true])
        // After a large transaction, the log of a small one is moved, too.
        try database.write { try $0.run("INSERT INTO item (data) VALUES (zeroblob(400000))") }
        let size = try folder.bytes(of: "test.db").count
        try database.write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try folder.bytes(of: "test.db").count > size)
    }

    @Test("After the database is closed, its file contains all writes")
    func closing() throws {
        let folder = try TemporaryFolder()
        try folder.database().write { try $0.run("INSERT INTO item (name) VALUES ('a')") }
        #expect(try folder.bytes(of: "test.db-wal").isEmpty)
        try FileManager.default.copyItem(atPath: folder.file("test.db"), toPath: folder.file("copy.db"))
        let copy = try Database(path: folder.file("copy.db"), schema: .test)
        #expect(try copy.read { try $0.first("SELECT name FROM item") { try $0.value(0) } } == "a")
    }

    @Test("Another program that opens and closes the database does not remove its log from its users")
    func otherProgram() throws {
        let sqlite3 = "/usr/bin/sqlite3"
        guard FileManager.default.isExecutableFile(atPath: sqlite3) else { return }
        let folder = try TemporaryFolder()
        let database = try folder.database()
        for name in ["a", "b", "c"] {
            // Each opens the file in its own way; none may drop the locks of the connections.
            _ = try database.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) as Int } }
            _ = try Migrator(path: database.path, schema: .test).status()
            try database.write { try $0.run("INSERT INTO item (name) VALUES (?)", [.text(name)]) }
            let counted = try runProgram([sqlite3, database.path, "SELECT count(*) FROM item"])
            #expect(counted.status == 0)
        }
        let other = try Database(path: database.path, schema: .test)
        #expect(try other.read { try $0.first("SELECT count(*) FROM item") { try $0.value(0) } } == 3)
    }

    @Test("The lock belongs to the file, whatever name is used")
    func symbolicLinkToDatabase() throws {
        let folder = try TemporaryFolder()
        _ = try folder.database()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.db"), withDestinationPath: folder.file("test.db"))
        let database = try Database(
            path: folder.file("link.db"), schema: .test, configuration: Database.Configuration(busyTimeout: 0))
        let descriptor = open(folder.file("test.db-lock"), O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        defer { releaseLock(of: descriptor) }
        #expect(throws: DatabaseError.busy(path: folder.file("test.db"), seconds: 0)) {
            try database.write { try $0.run("DELETE FROM item") }
        }
    }
}

private final class Counter: Sendable {
    let value = Atomic(0)
}
