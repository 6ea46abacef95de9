import Foundation
import Testing

@Suite("Deleting articles")
struct DeleteTests {
    private func count(_ home: Home) async throws -> String { try await home.sql("SELECT count(*) FROM article") }

    @Test("Articles are deleted by number and slug, each once, without a log-in")
    func named() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run("delete", "--yes", "1", "article-4", "article-0")
        #expect((outcome.status, outcome.output) == (0, "Deleted 2 articles.\n"))
        #expect(outcome.error == "1  article-0  Title 0 of 0\n5  article-4  Title 28 of 4\n")
        #expect(try await count(home) == "58")
        let object = try await home.run("rm", "-y", "article-7", "--json").object()
        #expect(object.keys == ["deleted", "dryRun"])
        let deleted = try object.objects("deleted")
        #expect(deleted.map(\.keys) == [["id", "slug", "source", "title"]])
        #expect(deleted.map { $0.integer("id") } == [8])
    }

    @Test("If one of them does not exist, no article is deleted")
    func unknown() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run("delete", "--yes", "1", "nix")
        #expect((outcome.status, outcome.output) == (66, ""))
        #expect(outcome.error.contains("“nix”"))
        let many = try await home.run("delete", "--yes", "1", "a", "b", "c", "d", "e", "f", "g")
        #expect(many.error.contains("“e”") && !many.error.contains("“f”"))
        #expect(try await count(home) == "60")
    }

    @Test("delete asks first, so without a terminal it needs --yes")
    func unasked() async throws {
        let home = try await Home.prepared()
        for arguments in [["delete", "1"], ["delete", "--tag", "swift"], ["delete", "--no-input", "1"]] {
            let outcome = try await home.run(arguments)
            #expect((outcome.status, outcome.output) == (64, ""))
            #expect(outcome.error.contains("missing --yes"))
        }
        #expect(try await count(home) == "60")
    }

    @Test("Articles are deleted by a query, which a dry run shows")
    func query() async throws {
        let home = try await Home.prepared()
        let dry = try await home.run("delete", "--tag", "swift", "--until", "2026-01-03", "--dry-run")
        #expect((dry.status, dry.error) == (0, ""))
        #expect(dry.lines.map { $0.prefix(2) } == ["5 ", "3 ", "1 ", "Wo"])
        #expect(dry.lines.last?.contains("3") == true)
        #expect(try await count(home) == "60")
        let old = try await home.run("delete", "--tag", "swift", "--until", "2026-01-03", "-y", "--json")
        #expect(try old.object().objects("deleted").count == 3)
        let language = try await home.run("delete", "--language", "sv", "--author", "ada lindqvist", "-y", "--json")
        #expect(try language.object().objects("deleted").count == 4)
        let all = try await home.run("delete", "--source", "ARTICLES.jsonl", "--dry-run")
        #expect(all.lines.last?.contains("53") == true && all.lines.dropLast().last?.contains("33") == true)
        let none = try await home.run("delete", "--search", "nowhere", "-y")
        #expect(none.status == 0)
        let missing = try await home.run("delete", "--source", "nix", "-y")
        #expect(missing.status == 66)
        #expect(missing.error.contains("“nix”"))
    }

    @Test("delete waits until every article is indexed, because others may or may not lack a word")
    func unsearched() async throws {
        let home = try await Home.signedIn()
        func forget() async throws { _ = try await home.sql("UPDATE search_state SET version = 0") }
        try await forget()
        #expect(try await home.run("delete", "--search=-title", "-y", "--json").object().objects("deleted").isEmpty)
        try await forget()
        #expect(try await home.run("export", "--search", "title").lines.count == 61)
        try await forget()
        #expect(try await home.run("star", "--search", "title", "--json").object().integer("changed") == 60)
        try await forget()
        #expect(
            try await home.run("delete", "--search", "title", "-y", "--json").object().objects("deleted").count == 60)
    }

    @Test(
        "delete needs names or a query, not both or neither",
        arguments: [
            [], ["1", "--tag", "swift"], ["--search", " "], ["--search", "title tag:"],
            ["--search", String(repeating: "title ", count: 41)],
        ])
    func usage(arguments: [String]) async throws {
        let home = try await Home.prepared()
        #expect(try await home.run(["delete", "--yes"] + arguments).status == 64)
        #expect(try await count(home) == "60")
    }

    @Test("delete reads names from standard input, one on each line")
    func standardInput() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run("delete", "-", "--yes", "7", input: "1\n\n article-2 \r\n")
        #expect(outcome.status == 0)
        #expect(try await home.sql("SELECT group_concat(id) FROM (SELECT id FROM article LIMIT 4)") == "2,4,5,6")
        let none = try await home.run("delete", "-", "--yes", input: "")
        #expect(none.status == 0)
    }

    @Test("Deleted articles stay away from the next import, unless it discards edits")
    func staysAway() async throws {
        let home = try await Home.migrated()
        try home.write("blog/a.md", "# A\n\nBody.\n")
        try home.write("blog/b.md", "# B\n\nBody.\n")
        try await home.run("seed", "blog")
        try await home.run("delete", "--yes", "a")
        let again = try await home.run("seed", "blog")
        #expect(again.error.contains("--discard-edits"))
        let object = try await home.run("seed", "blog", "--json").object()
        #expect(object.integer("leftOut") == 1)
        #expect(try await home.seed("blog", "--discard-edits") == [1, 0, 1, 0])
    }
}
