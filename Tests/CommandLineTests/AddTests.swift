import Foundation
import Testing

@Suite("Adding articles")
struct AddTests {
    @Test("An article is added from options and standard input, and its number and slug are printed")
    func options() async throws {
        let home = try await Home.prepared()
        let options = [
            "add", "--title", "Title 0 of 0", "-t", "One", "-t", "two", "--author", "Ada", "--language", "pt_br",
            "--date",
            "2020-02-03", "--url", "https://example.org/a",
        ]
        let text = "# Heading\n\nText.\n"
        let article = try await home.run(options + ["--json"], input: Data(text.utf8)).object()
        #expect((article.integer("id"), article.string("slug")) == (61, "title-0-of-0"))
        #expect(article.string("title") == "Title 0 of 0")
        #expect(article.strings("tags") == ["One", "two"])
        #expect(article.strings("authors") == ["Ada"])
        #expect((article.string("language"), article.string("url")) == ("pt-BR", "https://example.org/a"))
        #expect(article.string("published")?.hasPrefix("2020-02-03T") == true)
        // The heading differs from the title, so it stays.
        #expect(article.string("body") == text)
        #expect(article.string("source") == "library")
        // The same command again adds another article, with another slug.
        let again = try await home.run(options, input: Data(text.utf8))
        #expect((again.status, again.error) == (0, ""))
        #expect(again.output == "Added “Title 0 of 0”: number 62, slug title-0-of-0-pt-br.\n")
    }

    @Test("An article is added from a file, with its front matter or its heading")
    func file() async throws {
        let home = try await Home.migrated()
        try home.write("note.md", "---\ntitle: Written\ntags: [a]\nauthor: Me\nmood: good\n---\n\nText.\n")
        let first = try await home.run("add", "--body", "note.md", "--tag", "b", "--source", "notes", "--json").object()
        #expect(first.string("title") == "Written")
        #expect(first.strings("tags") == ["a", "b"])
        #expect(first.strings("authors") == ["Me"])
        #expect(first.string("source") == "notes")
        #expect(try first.object("extra").string("mood") == "good")
        let second = try await home.run("add", "--body", "-", "--json", input: "# From a heading\n\nText.\n").object()
        #expect((second.string("title"), second.string("body")) == ("From a heading", "Text.\n"))
        let html = try await home.run(
            "add", "--format", "html", "--json", input: "<title>Of a page</title><p>x</p>"
        ).object()
        #expect((html.string("title"), html.string("format")) == ("Of a page", "html"))
        #expect(try await home.run("add", "--body", "nix.md").status == 66)
    }

    @Test("An invalid article is not added, and the message names the line")
    func wrong() async throws {
        let home = try await Home.migrated()
        let cases: [(input: String, message: String)] = [
            ("", "the text is empty"), ("", "--body"), (" \n", "the text is empty"),
            ("---\ntitle: X\n---\n", "there is no text"),
            ("---\ntitle: X\ndate: someday\n---\nText.", "line 3: "),
            ("---\ntitle: [\n---\nText.", "line 3: "), ("---\ntitle: X\n\nurl: nowhere\n---\nText.", "line 4: “url”"),
            ("---\ntitle: X\nlanguage: klingonxxxx\n---\nText.", "line 3: “language” is not a language tag"),
            ("a\u{0}b", "NUL"),
        ]
        for (input, message) in cases {
            let outcome = try await home.run("add", input: input)
            #expect((outcome.status, outcome.output) == (65, ""), "\(input)")
            #expect(outcome.error.contains(message), "\(input): \(outcome.error)")
        }
        for arguments in [
            ["--date", "someday"], ["--url", "example.org"], ["--language", "no tag"], ["--language", "klingonxxxx"],
            ["--title", " "],
            ["--format", "pdf"],
        ] {
            #expect(try await home.run(["add"] + arguments, input: Data("# A\n\nText.".utf8)).status == 64)
        }
        #expect(try await home.sql("SELECT count(*) FROM source") == "0")
    }

    @Test("An article cannot be added to a source whose articles come from a file or a folder")
    func elsewhere() async throws {
        let home = try await Home.prepared()
        let outcome = try await home.run("add", "--source", "Articles.jsonl", input: "# A\n\nText.")
        #expect(outcome.status == 65)
        #expect(outcome.error.contains("“articles.jsonl”") && outcome.error.contains("--source"))
    }
}
