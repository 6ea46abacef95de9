import Database
import TestSupport
import Testing

@Suite("Predicates")
struct PredicateTests {
    static let isLong = Predicate(name: "is_long", argumentCount: 2) { arguments in
        arguments.text(0).count + arguments.text(1).count > 3
    }

    @Test("Statements call a predicate, again and again")
    func call() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.write { transaction in
            for name in ["a", "long", "b\0cd", ""] {
                try transaction.run("INSERT INTO item (name) VALUES (?)", [.text(name)])
            }
        }
        for _ in 0..<3 {
            let names: [String] = try database.read { snapshot in
                try snapshot.define(Self.isLong)
                return try snapshot.query("SELECT name FROM item WHERE is_long(name, ?) ORDER BY id", [.null]) {
                    try $0.value(0)
                }
            }
            #expect(names == ["long", "b\0cd"])
        }
    }

    @Test(
        "A predicate receives texts, and nothing for other values",
        arguments: [Value.null, 123_456, 1.5, .blob([1, 2, 3, 4]), ""])
    func arguments(_ value: Value) throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        let seen = try database.read { snapshot in
            try snapshot.define(
                Predicate(name: "sees", argumentCount: 1) { arguments in
                    arguments.count == 1 && arguments.text(0).isEmpty && arguments.text(1).isEmpty
                        && arguments.text(-1).isEmpty
                })
            return try snapshot.first("SELECT sees(?)", [value]) { try $0.value(0) as Bool }
        }
        #expect(seen == true)
    }

    @Test("A predicate keeps its first meaning, and is refused where SQLite cannot call it")
    func definition() throws {
        let folder = try TemporaryFolder()
        let database = try folder.database()
        try database.read { snapshot in
            try snapshot.define(Predicate(name: "yes", argumentCount: 0) { _ in true })
            try snapshot.define(Predicate(name: "yes", argumentCount: 0) { _ in false })
            #expect(try snapshot.first("SELECT yes()") { try $0.value(0) as Bool } == true)
            #expect(throws: DatabaseError.self) { try snapshot.first("SELECT yes(1)") { try $0.value(0) as Bool } }
            for (name, count) in [(String(repeating: "n", count: 300), 0), ("many", 1000), ("many", -2)] {
                #expect(throws: DatabaseError.self) {
                    try snapshot.define(Predicate(name: name, argumentCount: count) { _ in true })
                }
            }
        }
    }
}
