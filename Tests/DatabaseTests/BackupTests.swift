import Database
import Foundation
import TestSupport
import Testing

@Suite("Backups")
struct BackupTests {
    @Test("A copy is one view of the database, whatever is written in the meantime")
    func consistency() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.fill(3000)
        let other = try folder.database()
        var steps = 0
        let backup = try database.backUp(to: folder.file("copy.db")) { progress in
            steps += 1
            #expect(progress.pages <= progress.pageCount)
            try other.fill(10)
        }
        #expect(steps > 1)
        #expect(backup.rows["item"] == 3000)
        #expect(try backup.bytes == folder.bytes(of: "copy.db").count)
        let copy = try Database(path: folder.file("copy.db"), schema: .test)
        #expect(try copy.count == 3000)
        #expect(try copy.integrityProblems() == [])
        #expect(try database.count == 3000 + 10 * steps)
    }

    @Test("A copy is one file without a log, private to its owner")
    func oneFile() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.fill(1)
        try database.backUp(to: folder.file("copy.db"))
        // The two versions in the header: 2 is that of a log. Source: sqlite.org/fileformat.html.
        #expect(try Array(folder.bytes(of: "copy.db")[18..<20]) == [1, 1])
        #expect(try folder.mode(of: "copy.db") == 0o600)
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    }

    @Test("A damaged database is not copied as an intact one, and nothing of the copy is left")
    func damage() throws {
        let folder = try TemporaryFolder()
        try folder.database().fill(300)
        try folder.overwrite("test.db", at: 40 * 4096, with: [UInt8](repeating: 0xA5, count: 4096))
        let before = try folder.bytes(of: "test.db")
        let database = try Database(path: folder.file("test.db"), schema: .test)
        #expect(throws: DatabaseError.self) { try database.backUp(to: folder.file("copy.db")) }
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == [])
        #expect(try folder.bytes(of: "test.db") == before)
    }

    @Test("A canceled copy leaves nothing")
    func interruption() throws {
        struct Enough: Error {}
        let folder = try TemporaryFolder()
        let database = try folder.database()
        #expect(throws: Enough.self) { try database.backUp(to: folder.file("copy.db")) { _ in throw Enough() } }
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == [])
    }

    @Test("An existing file of the same name is not changed")
    func taken() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try folder.write("copy.db", "mine")
        #expect(throws: DatabaseError.exists(path: folder.file("copy.db"))) {
            try database.backUp(to: folder.file("copy.db"))
        }
        #expect(try folder.bytes(of: "copy.db") == Data("mine".utf8))
    }

    @Test("The files of a killed process are replaced, and those of a running one are not")
    func partial() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        let path = try folder.write("copy.db.partial", "half")
        let maker = open(path, O_RDWR)
        defer { close(maker) }
        try #require(flock(maker, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: DatabaseError.cannotOpen(path: path, reason: "another process is writing it")) {
            try database.backUp(to: folder.file("copy.db"))
        }
        #expect(try folder.bytes(of: "copy.db.partial") == Data("half".utf8))
        try #require(flock(maker, LOCK_UN) == 0)
        try database.backUp(to: folder.file("copy.db"))
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    }

    @Test("The newest backups of a folder stay, and so do files with other names")
    func rotation() throws {
        let folder = try TemporaryFolder()
        let backups = BackupFolder(path: folder.path, of: "/else/where/a.db")
        let names = [
            "a.db.20231114T221320Z.backup", "a.db.20231114T221320Z-2.backup", "a.db.20231114T221320Z-10.backup",
            "a.db.20231114T221321Z.backup",
        ]
        let others = [
            "a.db.v3-20231114T221320Z.backup", "b.db.20231114T221320Z.backup", "a.db.20231114T221320Z-1.backup",
            "a.db.20231114T221320Z", "a.db.mine.backup", "a.db.20231114T221320Z.backup.partial",
        ]
        for name in names + others { try folder.write(name, "x") }
        #expect(backups.backups == names.map(folder.file))
        #expect(
            backups.newPath(at: Date(timeIntervalSince1970: 1_700_000_000))
                == folder.file("a.db.20231114T221320Z-3.backup"))
        #expect(try backups.removeAll(butNewest: 2) == names.prefix(2).map(folder.file))
        #expect(try backups.removeAll(butNewest: 2) == [])
        try backups.removeLeftovers()
        #expect(try folder.names == (names.suffix(2) + others.dropLast()).sorted())
    }
}

extension Database {
    fileprivate func fill(_ count: Int) throws {
        try write { transaction in
            for _ in 0..<count {
                try transaction.run("INSERT INTO item (data) VALUES (?)", [Value([UInt8](repeating: 7, count: 2000))])
            }
        }
    }

    fileprivate var count: Int {
        get throws { try first("SELECT count(*) FROM item") { try $0.value(0) } ?? 0 }
    }
}

extension TemporaryFolder {
    /// Overwrites bytes in a file.
    func overwrite(_ name: String, at offset: Int, with bytes: [UInt8]) throws {
        let file = try FileHandle(forUpdating: URL(filePath: file(name)))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
