import Foundation
import Testing

@Suite("Importing into a source")
struct SeedSourceTests {
    private func blog(_ names: String...) async throws -> Home {
        let home = try await Home.migrated()
        for name in names { try home.write("blog/\(name).md", "# Post \(name)\n\nBody.\n") }
        try await #require(home.run("seed", "blog").status == 0)
        return home
    }

    private func remove(_ names: String..., in home: Home) throws {
        for name in names { try FileManager.default.removeItem(atPath: home.path("blog/\(name).md")) }
    }

    @Test("Importing into a named source needs one PATH and a valid name")
    func named() async throws {
        let home = try await blog("a")
        let outcome = try await home.run("seed", "--source", "mine", "blog", "--json")
        #expect(try outcome.object().strings("sources") == ["mine"])
        let two = try await home.run("seed", "--source", "mine", "blog", "blog")
        #expect(two.status == 64)
        #expect(two.error.contains("--source"))
        #expect(try await home.run("seed", "--source", "", "blog").status == 64)
    }

    @Test(
        "A source keeps the base address of relative links",
        arguments: [
            ("https://example.org/blog/", 0), ("example.org", 64), ("ftp://example.org", 64), ("https://", 64),
            ("https://example.org/a b", 64),
        ])
    func baseURL(address: String, status: Int32) async throws {
        let home = try await blog("a")
        let outcome = try await home.run("seed", "--base-url", address, "blog")
        #expect(outcome.status == status)
        if status == 64 { #expect(outcome.error.contains("https://example.org/blog/")) }
        let source = try await home.run("sources", "show", "blog", "--json").object()
        #expect(source.string("baseURL") == (status == 0 ? address : nil))
    }

    @Test("Missing articles are removed after a yes, and named")
    func mirror() async throws {
        let home = try await blog("a", "b", "c")
        try remove("a", in: home)
        #expect(try await home.seed("blog") == [0, 0, 2, 0])
        let unasked = try await home.run("seed", "--mirror", "blog")
        #expect((unasked.status, unasked.output) == (64, ""))
        #expect(unasked.error.contains("missing --yes"))
        let dry = try await home.run("seed", "--mirror", "--dry-run", "blog")
        #expect(dry.status == 0 && dry.error.contains("“blog”: a.md\n"))
        #expect(try await home.sql("SELECT count(*) FROM article") == "3")
        let outcome = try await home.run("seed", "--mirror", "--yes", "blog")
        #expect(outcome.status == 0 && outcome.error.contains("“blog”: a.md\n"))
        #expect(try await home.sql("SELECT slug FROM article") == "b\nc")
        // An article that a mirror removed returns with its file.
        try home.write("blog/a.md", "# Post a\n\nBody.\n")
        try remove("b", in: home)
        let object = try await home.run("seed", "--mirror", "-y", "blog", "--json").object()
        #expect(object.integer("inserted") == 1)
        let removed = try object.objects("removed")
        #expect(removed.map(\.keys) == [["id", "key", "source"]])
        #expect(removed.map { [$0.string("key"), $0.string("source")] } == [["b.md", "blog"]])
        #expect(object.strings("refused") == [])
    }

    @Test("Without --force at most half of a source is removed")
    func half() async throws {
        let home = try await blog("a", "b", "c")
        try remove("a", "b", in: home)
        let refused = try await home.run("seed", "--mirror", "--yes", "blog")
        #expect(refused.status == 65)
        #expect(refused.error.contains("“blog”") && refused.error.hasSuffix(" --force\n"))
        #expect(try await home.sql("SELECT count(*) FROM article") == "3")
        #expect(try await home.run("seed", "--mirror", "--yes", "--dry-run", "blog").status == 65)
        #expect(try await home.run("seed", "--yes", "--force", "blog").status == 64)
        let forced = try await home.run("seed", "--mirror", "--yes", "--force", "blog", "--json").object()
        #expect(try forced.objects("removed").count == 2)
    }

    @Test("If something could not be read, nothing is removed")
    func unreadable() async throws {
        let home = try await blog("a", "b", "c")
        try remove("a", in: home)
        try home.write("blog/x.json", "{")
        let outcome = try await home.run("seed", "--mirror", "--yes", "--force", "blog", "--json")
        #expect(outcome.status == 65)
        #expect(try outcome.object().strings("refused")?.count == 1)
        #expect(try await home.sql("SELECT count(*) FROM article") == "3")
    }

    @Test("A renamed file is counted as renamed")
    func renamed() async throws {
        let home = try await blog("a", "b")
        try FileManager.default.moveItem(atPath: home.path("blog/a.md"), toPath: home.path("blog/z.md"))
        let object = try await home.run("seed", "blog", "--json").object()
        #expect((object.integer("renamed"), object.integer("unchanged")) == (1, 1))
        #expect(try await home.sql("SELECT slug FROM article ORDER BY id") == "a\nb")
    }
}

@Suite("Questions before something is removed", .enabled(if: Screen.isAvailable))
struct ConfirmationTests {
    @Test("delete names the articles, and Return means no")
    func delete() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl delete article-3 article-4; echo ended: $?")
            let question = try await screen.wait(for: "Delete these 2 articles? [y/N]")
            #expect(question.contains("4  article-3  Title"))
            try await screen.type("")
            try await screen.wait(for: "articlesctl: nothing was deleted")
            try await screen.wait(for: "ended: 1")
            try await screen.type("clear; articlesctl delete article-3; echo ended: $?")
            try await screen.wait(for: "Delete this article? [y/N]")
            try await screen.type("perhaps")
            try await screen.type("yes")
            try await screen.wait(for: "Deleted 1 article.")
            try await screen.wait(for: "ended: 0")
        }
        #expect(try await home.sql("SELECT count(*) FROM article WHERE id IN (4, 5)") == "1")
    }

    @Test("Removing a source says how many articles it removes")
    func source() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl sources remove articles.jsonl; echo ended: $?")
            try await screen.wait(for: "Remove “articles.jsonl” with 60 articles? [y/N]")
            try await screen.type("n")
            try await screen.wait(for: "ended: 1")
            try await screen.type("articlesctl sources")
            let table = try await screen.wait(for: "LAST IMPORT")
            #expect(table.contains("articles.jsonl  file"))
        }
        #expect(try await home.sql("SELECT count(*) FROM article") == "60")
    }

    @Test("A mirroring import says how many articles left the source, and Ctrl-C keeps them after the import")
    func mirror() async throws {
        let home = try await Home.migrated()
        for name in ["a", "b", "c", "d", "e"] { try home.write("blog/\(name).md", "# Post \(name)\n") }
        try await home.run("seed", "blog")
        for name in ["a", "b"] { try FileManager.default.removeItem(atPath: home.path("blog/\(name).md")) }
        try home.write("blog/new.md", "# New\n")
        try await Screen.open(in: home) { screen in
            let question = "Remove 2 of the 6 articles of “blog” that are gone from it (a.md, b.md)? [y/N]"
            try await screen.type("articlesctl seed --mirror blog; echo ended: $?")
            try await screen.wait(for: question)
            try await screen.press("C-c")
            try await screen.wait(for: "1 inserted, 0 updated, 3 unchanged")
            try await screen.wait(for: "2 articles that are gone from their source were not removed")
            try await screen.wait(for: "ended: 130")
            try await screen.type("clear; articlesctl seed --mirror blog; echo ended: $?")
            try await screen.wait(for: question)
            try await screen.type("no")
            try await screen.wait(for: "ended: 1")
            try await screen.type("clear; articlesctl seed --mirror blog; echo ended: $?")
            try await screen.wait(for: question)
            try await screen.type("y")
            try await screen.wait(for: "2 removed")
            try await screen.wait(for: "ended: 0")
        }
        #expect(try await home.sql("SELECT count(*) FROM article") == "4")
    }
}
