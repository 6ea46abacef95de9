import Foundation
import TestSupport
import Testing

@Suite("Opening the library", .enabled(if: LimitsTests.canTrace && Program.find("script") != nil))
struct OpenFileTests {
    @Test(
        "A command opens the file for its header, for one reader, and for the writer if it writes",
        arguments: [
            ("show article-3", 3), ("show article-3 --keep-unread", 2), ("show artcle-3", 2), ("seed a.md", 3),
            ("stats", 2), ("tags", 2), ("search title", 2), ("list --json", 2), ("sources", 2),
        ])
    func opens(command: String, limit: Int) async throws {
        let home = try await Home.signedIn()
        try home.write("a.md", "# A")
        let trace = home.path("trace")
        try await home.shell(
            "exec strace -f -qq -e trace=openat,open -o trace script -qec 'articlesctl \(command)' /dev/null </dev/null",
            environment: ["TERM": "xterm", "PAGER": "cat"])
        let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        let opens = calls.filter { $0.contains("\"\(home.database)\"") }
        #expect((1...limit).contains(opens.count), "\(opens.joined(separator: "\n"))")
    }
}

@Suite("Loading of libraries")
struct LoadingTests {
    @Test("A command that does not need a library does not load it, and another one names it if it cannot load it")
    func missing() async throws {
        let home = try await Home.signedIn()
        try home.write("broken/libmd4c.so.0", "")
        try home.write("a.md", "# A")
        let environment = ["LD_LIBRARY_PATH": home.path("broken")]
        #expect(try await home.run("list", environment: environment).status == 0)
        let outcome = try await home.run("seed", "a.md", environment: environment)
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("libmd4c.so.0") && outcome.error.contains("the package libmd4c0"))
    }
}
