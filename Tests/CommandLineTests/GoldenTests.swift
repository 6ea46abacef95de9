import Arguments
import Foundation
import TestSupport
import Testing

@testable import articlesctl
@testable import articlesd

@Suite("Golden files")
struct GoldenTests {
    /// A command line whose output is a golden file.
    struct Run: Sendable, CustomTestStringConvertible {
        let file: GoldenFile
        let program: String
        let arguments: [String]
        var testDescription: String { file.name }

        init(_ name: String, program: String = "articlesctl", _ arguments: String...) {
            self.init(GoldenFile(name), program: program, arguments)
        }

        init(_ file: GoldenFile, program: String, _ arguments: [String]) {
            (self.file, self.program, self.arguments) = (file, program, arguments)
        }
    }

    /// The help of each program and of each of its commands. A new command is in its table, and needs a file.
    static let helpPages: [Run] = [CommandTable.root, ServerTable.spec].flatMap { root in
        root.chains.map { chain in
            let names = chain.map(\.name)
            let file = GoldenFile("help/\(names.joined(separator: "-")).txt")
            return Run(file, program: root.name, names.dropFirst() + ["--help"])
        }
    }

    static let otherPages = [
        Run("manual/articlesctl.1", "man"), Run("manual/articlesd.8", program: "articlesd", "man"),
        Run("flow/mermaid.txt", "flow"), Run("flow/graphviz.txt", "flow", "--format", "graphviz"),
        Run("flow/flow.json", "flow", "--json"),
    ]

    /// Commands on the library of `Examples/articles`.
    static let libraryRuns = [
        Run("library/list.txt", "list"), Run("library/list.json", "list", "--limit", "3", "--json"),
        Run("library/list-one-author.txt", "list", "--author", "Mei Okafor", "--sort", "oldest"),
        Run("library/search.txt", "search", "write lock"), Run("library/search.json", "search", "write lock", "--json"),
        Run("library/show-markdown.txt", "show", "sessions"), Run("library/show.json", "show", "sessions", "--json"),
        Run("library/show.txt", "show", "sessions", "--format", "text", "--width", "80"),
        Run("library/show.html", "show", "sessions", "--format", "html"),
        Run("library/authors.txt", "authors"), Run("library/tags.txt", "tags"),
        Run("library/stats.json", "stats", "--json"),
    ]

    @Test("The help of every command equals its golden file", arguments: helpPages)
    func help(_ run: Run) async throws { try await check(run, in: Home()) }

    @Test("The manual pages and the graph of screens equal their golden files", arguments: otherPages)
    func page(_ run: Run) async throws { try await check(run, in: Home()) }

    @Test("Commands print their golden files for the sample library")
    func library() async throws {
        let home = try await Home.migrated()
        let samples = URL(filePath: #filePath).appending(path: "../../../Examples/articles").standardizedFileURL
        try FileManager.default.copyItem(atPath: samples.path, toPath: home.path("articles"))
        for arguments in [["seed", "articles"], ["index"]] {
            try await #require(home.run(arguments).status == 0)
        }
        try await #require(home.register("ada").status == 0)
        try await #require(home.logIn("ada").status == 0)
        for run in Self.libraryRuns { try await check(run, in: home) }
    }

    @Test("Every golden file has a test")
    func stale() throws {
        try GoldenFile.checkNoOthers(than: Set((Self.helpPages + Self.otherPages + Self.libraryRuns).map(\.file)))
    }

    @Test("A difference shows the changed lines with two lines of context")
    func difference() {
        let expected = (1...20).map(String.init)
        var actual = expected
        actual[3] = "four"
        actual.insert("new", at: 12)
        #expect(
            lineDifference(expected: expected.joined(separator: "\n"), actual: actual.joined(separator: "\n")) == """
                  …
                  2
                  3
                - 4
                + four
                  5
                  6
                  …
                  11
                  12
                + new
                  13
                  14
                """)
    }

    private func check(_ run: Run, in home: Home) async throws {
        let outcome = try await home.run(program: run.program, run.arguments, environment: ["TZ": "UTC"])
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
        var output = outcome.output
        // A source gets a random ID, and the manual pages name the version.
        output.replace(/"[0-9a-f]{32}"/, with: "\"SOURCE-ID\"")
        output.replace(ProgramVersion.number, with: "VERSION")
        output.replace(ProgramVersion.date, with: "DATE")
        if run.file.name.hasSuffix(".json") {
            var layout = JSONLayout()
            output = layout.add(output) + "\n"
        }
        try run.file.check(output)
    }
}
