import Database
import Foundation
import TestSupport
import Testing

@Suite("Values")
struct ValueTests {
    @Test(
        "Text is read back as it was written",
        arguments: [
            "", "a", "a\0b", "\0", "𝄞 👩‍👩‍👧 e\u{301}", "'); DROP TABLE item; --", String(repeating: "x", count: 100_000),
        ].map(LongText.init))
    func text(_ long: LongText) throws {
        let text = long.text
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name) VALUES (?)", [.text(text)]) }
        let read: String? = try database.read { try $0.first("SELECT name FROM item") { try $0.value(0) } }
        // Compare bytes: == of Swift considers canonically equivalent strings equal.
        #expect(read.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test("An empty blob and an empty text are not NULL")
    func empty() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { try $0.run("INSERT INTO item (name, data) VALUES (?, ?)", ["", .blob([])]) }
        let row: (String?, [UInt8]?)? = try database.read { snapshot in
            try snapshot.first("SELECT name, data FROM item") { (try $0.value(0), try $0.value(1)) }
        }
        #expect(row?.0 == "" && row?.1 == [])
    }

    @Test("Numbers keep their limits, and dates are whole seconds")
    func numbers() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        let values: [Value] = [
            Value(Int64.min), Value(Int64.max), 0.1, Value(true), Value(Date(timeIntervalSince1970: -1.5)),
        ]
        let row: (Int64, Int64, Double, Bool, Date)? = try database.read { snapshot in
            try snapshot.first("SELECT ?, ?, ?, ?, ?", values) { row in
                (try row.value(0), try row.value(1), try row.value(2), try row.value(3), try row.value(4))
            }
        }
        let read = try #require(row)
        #expect(read.0 == Int64.min && read.1 == Int64.max && read.2 == 0.1 && read.3)
        #expect(read.4 == Date(timeIntervalSince1970: -2))
    }

    @Test("Times beyond the limits of an integer are clamped")
    func extremeDates() {
        #expect(Value(Date(timeIntervalSince1970: 1e300)) == .integer(.max))
        #expect(Value(Date(timeIntervalSince1970: -1e300)) == .integer(.min))
    }

    @Test("A missing column, or one with another type, is an error that names it")
    func unexpected() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        for column in [0, 1, 7, -1] {
            #expect(
                throws: DatabaseError.unexpectedValue(column: column, expected: "Int", sql: "SELECT NULL, 'text'")
            ) {
                try database.read { try $0.first("SELECT NULL, 'text'") { try $0.value(column) as Int } }
            }
        }
        let missing: Int? = try #require(
            try database.read { try $0.first("SELECT NULL") { try $0.value(0) as Int? } })
        #expect(missing == nil)
    }
}
