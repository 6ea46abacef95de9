import Foundation
import Testing

@Suite("Editing articles")
struct EditingTests {
    /// Returns a home with one article, whose editor is a script that receives the file.
    private func home(_ script: String) async throws -> Home {
        let home = try await Home.migrated()
        try home.write("blog/post.md", "---\ntitle: Old title\ntags: [a, b]\nmood: good\n---\n\nOld text.\n")
        try await #require(home.run("seed", "blog").status == 0)
        try home.write(
            "editor.sh",
            "printf '%s\\n' \"$1\" >> paths\ncat \"$1\" > seen\nstat -c '%a' \"$1\" \"$(dirname \"$1\")\" > modes\n"
                + script)
        return home
    }

    private func edit(_ home: Home, _ arguments: String...) async throws -> Outcome {
        try await home.run(
            ["edit"] + arguments, environment: ["EDITOR": "sh \(home.path("editor.sh"))", "TMPDIR": home.folder.path])
    }

    private func content(_ home: Home, _ name: String) throws -> String {
        try String(contentsOfFile: home.path(name), encoding: .utf8)
    }

    /// The remaining files of editors.
    private func left(in home: Home) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.hasPrefix("articlesctl-") }
    }

    @Test("An article is front matter and text in a private file, which is removed after use")
    func edit() async throws {
        let home = try await home("sed -i -e 's/Old/New/' -e 's/good/fine/' \"$1\"; touch \"$1~\"")
        let outcome = try await edit(home, "post")
        #expect((outcome.status, outcome.error) == (0, ""))
        #expect(outcome.output.contains("“New title” (1)"))
        let seen = try content(home, "seen")
        #expect(seen.hasPrefix("---\ntitle: Old title\nslug: post\npublished: "))
        #expect(seen.contains("\nsource: blog\nkey: post.md\nsourceID: "))
        #expect(seen.hasSuffix("---\n\nOld text.\n"))
        #expect(try content(home, "paths").hasSuffix("/post.md\n"))
        #expect(try content(home, "modes") == "600\n700\n")
        #expect(try left(in: home) == [])
        let row = try await home.sql(
            "SELECT title, slug, key, is_edited, tags, extra, body FROM article JOIN article_body ON article_id = id")
        #expect(row == #"New title|post|post.md|1|["a","b"]|{"mood":"fine"}|New text."#)
        // The edit is kept.
        try home.write("blog/post.md", "# Another\n")
        #expect(try await home.run("seed", "blog", "--json").object().integer("kept") == 1)
        #expect(try await home.run("seed", "blog", "--discard-edits", "--json").object().integer("updated") == 1)
        #expect(try await home.sql("SELECT title, is_edited FROM article") == "Another|0")
    }

    @Test("An unknown key is kept, and the user is told")
    func unknownKey() async throws {
        let home = try await home("sed -i 's/^title:/tgas: x\\ntitle:/' \"$1\"")
        let outcome = try await edit(home, "post")
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("“tgas”"))
        #expect(try await home.sql("SELECT extra FROM article_body") == #"{"mood":"good","tgas":"x"}"#)
    }

    @Test("A text without its front matter is refused, and kept")
    func frontMatterLost() async throws {
        let home = try await home("sed -i '/^---/d' \"$1\"")
        let outcome = try await edit(home, "post")
        #expect(outcome.status == 65)
        #expect(try await home.sql("SELECT title FROM article") == "Old title")
        #expect(try left(in: home).count == 1)
    }

    @Test("A text that is not changed changes nothing", arguments: ["true", "touch \"$1\"", ": > \"$1\""])
    func unchanged(script: String) async throws {
        let home = try await home(script)
        let isEmptied = script.hasPrefix(":")
        let outcome = try await edit(home, "1")
        #expect(outcome.status == (isEmptied ? 1 : 0))
        #expect(outcome.output.contains("“Old title”") == !isEmptied)
        #expect(outcome.error.contains(" articlesctl delete 1\n") == isEmptied)
        #expect(try left(in: home) == [])
        #expect(try await home.sql("SELECT title, is_edited FROM article") == "Old title|0")
    }

    @Test("An emptied text is not saved, and what else was written is kept")
    func emptied() async throws {
        let home = try await home("sed -i -e '/^Old text/d' -e 's/^title:.*/title: New title/' \"$1\"")
        let outcome = try await edit(home, "1")
        #expect((outcome.status, outcome.output) == (1, ""))
        #expect(outcome.error.contains(" articlesctl delete 1\n"))
        let path = try content(home, "paths").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(outcome.error.contains(" \(path)\n"))
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("title: New title"))
        #expect(try await home.sql("SELECT title, is_edited FROM article") == "Old title|0")
    }

    /// Commands of sed that make an article's file wrong, with the part of the file that the message must name.
    static let faults: [(command: String, place: String)] = [
        ("s/^title:.*/title: [/", "line 4: "), ("s/^slug:.*/slug: other/", "line 3: “slug” "),
        ("s/^key:.*/key: other/", "“key” "), ("s/^source:.*/source: other/", "“source” "),
        ("s/^sourceID:.*/sourceID: 0/", "“sourceID” "), ("s/^published:.*/published: someday/", "line 4: “someday” "),
        ("s/^updated:.*/updated: [1, 2]/", "line 5: “updated” "),
        ("s/^published:.*/date: 2020-01-02/", "line 4: “date” "), ("s/^tags:.*/category: x/", "“category” "),
        ("s/^tags:.*/keywords: x/", "“keywords” "), ("/^key:/d", "“key: "), ("/^sourceID:/d", "“sourceID: "),
        ("s/^slug:/url: nowhere\\nslug:/", "line 3: “url” "),
        ("s/^slug:/language: klingonxxxx\\nslug:/", "line 3: “language” "),
    ]

    @Test("An error is reported with its line, and the text is kept", arguments: faults)
    func wrong(command: String, place: String) async throws {
        let home = try await home("sed -i -e \"\(command)\" -e 's/Old/New/' \"$1\"")
        let outcome = try await edit(home, "post")
        #expect((outcome.status, outcome.output) == (65, ""))
        #expect(outcome.error.contains(place), "\(outcome.error)")
        let path = try content(home, "paths").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(outcome.error.contains(" \(path)\n"))
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("New text."))
        #expect(try await home.sql("SELECT title, is_edited FROM article") == "Old title|0")
    }

    @Test("If the editor fails, nothing changes, and the text is kept", arguments: [false, true])
    func failed(isChanged: Bool) async throws {
        let home = try await home((isChanged ? "echo more >> \"$1\"; " : "") + "exit 1")
        let outcome = try await edit(home, "post")
        #expect((outcome.status, outcome.output) == (1, ""))
        #expect(outcome.error.contains("/post.md\n") == isChanged)
        #expect(try left(in: home).count == (isChanged ? 1 : 0))
        let missing = try await home.run("edit", "post", environment: ["EDITOR": "nowhere/editor"])
        #expect(missing.status == 69)
        #expect(missing.error.contains("“nowhere/editor”"))
        let none = try await home.run("edit", "post")
        #expect(none.status == 64)
        #expect(none.error.contains("EDITOR"))
        #expect(try await home.run("edit", "nope").status == 66)
    }

    @Test("An edit does not undo somebody else's change")
    func conflict() async throws {
        let home = try await home(
            "sed -i 's/Old text/Mine/' \"$1\"; printf '# Theirs\\n' > blog/post.md; articlesctl seed blog > /dev/null")
        let outcome = try await home.shell("EDITOR='sh editor.sh' TMPDIR=. articlesctl edit post")
        #expect((outcome.status, outcome.output) == (75, ""))
        #expect(try left(in: home).count == 1)
        #expect(try await home.sql("SELECT title FROM article") == "Theirs")
        try home.write("editor.sh", "echo Mine >> \"$1\"; articlesctl delete -y 1 2> /dev/null > /dev/null")
        let gone = try await home.shell("EDITOR='sh editor.sh' TMPDIR=. articlesctl edit post")
        #expect(gone.status == 66)
    }

    @Test("Several articles are edited one after the other, and none if one does not exist")
    func several() async throws {
        let home = try await home("sed -i 's/text/words/' \"$1\"")
        try home.write("blog/b.md", "# B\n\nSome text.\n")
        try home.write("blog/c.md", "# C\n\nNothing.\n")
        try await home.run("seed", "blog")
        let missing = try await edit(home, "post", "nix")
        #expect(missing.status == 66)
        #expect(!FileManager.default.fileExists(atPath: home.path("seen")))
        let object = try await edit(home, "post", "c", "b", "--json").object()
        #expect(try object.objects("edited").map { $0.string("slug") } == ["post", "c", "b"])
        #expect(try object.objects("edited").map { $0.bool("changed") } == [true, false, true])
        #expect(try await home.sql("SELECT count(*) FROM article_body WHERE body LIKE '%words%'") == "2")
    }
}

@Suite("Writing in an editor", .enabled(if: Screen.isAvailable))
struct EditorScreenTests {
    @Test("An invalid text can be edited again, and giving up keeps it")
    func again() async throws {
        let home = try await Home.migrated()
        try home.write("blog/post.md", "# Old\n\nText.\n")
        try await home.run("seed", "blog")
        // Invalid the first two times.
        try home.write(
            "editor.sh",
            "n=$(cat n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > n\nsed -i \"s/^title:.*/title: '$n/\" \"$1\"; [ $n -lt 3 ] || sed -i \"s/^title:.*/title: Third/\" \"$1\"\n"
        )
        try await Screen.open(in: home) { screen in
            try await screen.type("export EDITOR='sh editor.sh'; articlesctl edit post; echo ended: $?")
            try await screen.wait(forPrompt: "[e/q]")
            try await screen.type("e")
            try await screen.wait(forPrompt: "[e/q]")
            try await screen.type("edit")
            try await screen.wait(for: "Changed “Third” (1).")
            try await screen.wait(for: "ended: 0")
            try await screen.type("clear; rm n; articlesctl edit post; echo ended: $?")
            try await screen.wait(for: "[e/q]")
            try await screen.type("q")
            try await screen.wait(for: "your text is saved in /tmp/articlesctl-")
            try await screen.wait(for: "ended: 65")
        }
        #expect(
            try await home.sql("SELECT title, body FROM article JOIN article_body ON article_id = id") == "Third|Text.")
    }

    @Test("Somebody else's change is shown, and can be overwritten")
    func conflict() async throws {
        let home = try await Home.migrated()
        try home.write("blog/post.md", "# Old\n\nText.\n")
        try await home.run("seed", "blog")
        try home.write(
            "editor.sh",
            "sed -i 's/^Text/Mine/' \"$1\"; printf '# Theirs\\n\\nText.\\n' > blog/post.md; articlesctl seed blog > /dev/null\n"
        )
        try await Screen.open(in: home) { screen in
            try await screen.type("EDITOR='sh editor.sh' articlesctl edit post; echo ended: $?")
            try await screen.wait(forPrompt: "[e/o/q]")
            try await screen.type("o")
            try await screen.wait(for: "Changed “Old” (1).")
            try await screen.wait(for: "ended: 0")
        }
        #expect(
            try await home.sql("SELECT title, body FROM article JOIN article_body ON article_id = id") == "Old|Mine.")
    }

    @Test("An article is written and added in the editor, and an empty text adds none")
    func add() async throws {
        let home = try await Home.migrated()
        try home.write(
            "editor.sh",
            "sed -i -e 's/^title:.*/title: Written/' -e 's/^published:.*/published: 2020-01-02/' \"$1\"; echo Text. >> \"$1\"\n"
        )
        try await Screen.open(in: home) { screen in
            try await screen.type("EDITOR=true articlesctl add --tag x; echo ended: $?")
            try await screen.wait(for: "nothing was added")
            try await screen.wait(for: "ended: 1")
            try await screen.type("clear; EDITOR='sh editor.sh' articlesctl add --tag x; echo ended: $?")
            try await screen.wait(for: "Added “Written”: number 1, slug written.")
            try await screen.wait(for: "ended: 0")
        }
        #expect(
            try await home.sql("SELECT title, tags, date(published_at, 'unixepoch') FROM article")
                == #"Written|["x"]|2020-01-02"#)
    }
}
