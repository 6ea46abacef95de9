import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Importing")
struct ArticleImporterTests {
    private let storage: TemporaryDatabase
    let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    private var folder: TemporaryFolder { storage.folder }

    /// Whether file names may contain any bytes, as on Linux.
    private static let takesAnyName: Bool = {
        #if os(Linux)
            true
        #else
            false
        #endif
    }()

    private func run(_ name: String, _ options: ImportOptions = ImportOptions()) async throws -> ToldReport {
        try await ArticleImporter(repository: repository, options: options).runKeepingRejections([
            .path("\(folder.path)/\(name)")
        ])
    }

    private func only() async throws -> Article {
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 2)
        #expect(page.summaries.count == 1)
        return try #require(try await repository.article(id: page.summaries.first?.id ?? 0))
    }

    @Test("The importer maps the keys of YAML front matter and keeps unknown ones")
    func yaml() async throws {
        try folder.write(
            "2016-2-9-some-file.md",
            """
            ---
            layout: post
            title: "It's: here"
            date: 2016-2-9 9:05:00 +0100
            author: [Ada Lovelace, Grace]
            category: "Developer Tools"
            tags: swift, linux
            description: >
              Folded
              text.
            permalink: /blog/2016/my-post/
            lang: en_us
            updated: 2016-03-01
            url: https://example.com/x
            image: {url: "/a.png", sizes: [1, 2.50, 007]}
            base: &a [1]
            again: *a
            ---

            Body *text*.
            """)
        #expect(try await run("2016-2-9-some-file.md").inserted == 1)
        let article = try await only()
        #expect(article.title == "It's: here")
        #expect(article.authors == ["Ada Lovelace", "Grace"])
        #expect(article.author == "Ada Lovelace, Grace")
        #expect(article.tags == ["swift", "linux", "Developer Tools"])
        #expect(article.summary == "Folded text.")
        #expect(article.slug == "my-post")
        #expect(article.language == "en-US")
        #expect(RFC3339.string(from: article.published) == "2016-02-09T08:05:00Z")
        #expect(RFC3339.string(from: article.updated) == "2016-03-01T00:00:00Z")
        #expect(article.sourceURL == "https://example.com/x")
        #expect(article.body == "Body *text*.")
        #expect(
            article.extra
                == #"{"again":[1],"base":[1],"image":{"sizes":[1,2.50,"007"],"url":"/a.png"},"layout":"post"}"#)
    }

    @Test("The importer maps the keys of TOML front matter")
    func toml() async throws {
        try folder.write(
            "post.md",
            """
            +++
            title = "TOML \\u00e9"
            date = 2015-12-03T12:01:01-08:00
            authors = ["A"]
            [extra]
            big = 9_000_000_000
            ratio = 1.5
            when = 2020-01-01
            +++
            Body.
            """)
        #expect(try await run("post.md").rejections == [])
        let article = try await only()
        #expect(article.title == "TOML é")
        #expect(RFC3339.string(from: article.published) == "2015-12-03T20:01:01Z")
        #expect(article.slug == "post")
        #expect(article.extra == #"{"big":9000000000,"ratio":1.5,"when":"2020-01-01"}"#)
    }

    @Test("Title, date, and slug of bare Markdown come from its heading and its file name")
    func bare() async throws {
        try folder.write(
            "posts/2015-12-03-Swift-Linux_port.markdown", "\u{FEFF}\r\n# The *Linux* Port #\r\n\r\nText.\r\n")
        #expect(try await run("posts").rejections == [])
        let article = try await only()
        #expect(article.title == "The Linux Port")
        #expect(article.slug == "swift-linux-port")
        #expect(article.body == "Text.\r\n")
        #expect(RFC3339.string(from: article.published) == "2015-12-03T00:00:00Z")
    }

    @Test("Markdown without a heading takes its title from the file name, and an index from its folder")
    func names() async throws {
        try folder.write("a/some-notes.md", "Text\n\n```\n# comment\n```")
        try folder.write("a/2015-13-45-odd.md", "Setext\n---\n\nText")
        try folder.write("a/bundle/index.md", "Text")
        #expect(try await run("a").inserted == 3)
        #expect(try await repository.article(slug: "some-notes")?.title == "Some notes")
        #expect(try await repository.article(slug: "2015-13-45-odd")?.title == "Setext")
        #expect(try await repository.article(slug: "bundle")?.title == "Bundle")
    }

    @Test("The importer reads HTML, and text if the file is named")
    func htmlAndText() async throws {
        try folder.write("a/page.html", "<title>A &amp; B</title><p>Text</p>")
        try folder.write("a/LICENSE.txt", "Not an article")
        #expect(try await run("a").inserted == 1)
        #expect(try await only().title == "A & B")
        #expect(try await only().format == .html)
        #expect(try await run("a/LICENSE.txt").inserted == 1)
        #expect(try await repository.article(slug: "license")?.format == .plain)
    }

    @Test(
        "The importer reads JSON in every arrangement",
        arguments: [
            ("a.json", #"{"title":"A","body":"x"}"#, 1),
            ("a.json", #" [ {"title":"A","body":"x"} , {"title":"B","content":"y"}] "#, 2),
            ("a.jsonl", "{\"title\":\"A\",\"body\":\"x\"}\r\n\n  \n{\"title\":\"B\",\"body\":\"y\"}", 2),
            ("a.ndjson", "\u{FEFF}{\"title\":\"A\",\"body\":\"x\"}\n", 1),
            ("noending", "{\"title\":\"A\",\n\"body\":\"x\"}", 1),
            ("noending", "{\"title\":\"A\",\"body\":\"x\"}\n{\"title\":\"B\",\"body\":\"x\"}", 2),
            ("noending", "# A\n\nText", 1),
        ])
    func json(name: String, text: String, count: Int) async throws {
        try folder.write(name, text)
        let report = try await run(name)
        #expect(report.rejections == [])
        #expect(report.inserted == count)
    }

    @Test("The importer maps the keys of JSON")
    func jsonKeys() async throws {
        try folder.write(
            "a.jsonl",
            """
            {"Title":"T \\ud83d\\ude00\\u0000","date":1449144061,"author":{"name":"Ada"},"tags":["a,b","c"],"content_html":"<p>Hi</p>",\
            "draft":false,"id":"x1","url":"/relative","score":1.0e3,"nothing":null,"path":"posts/hello.html","excerpt":""}
            """)
        #expect(try await run("a.jsonl").rejections == [])
        let article = try await only()
        #expect(article.title == "T 😀\0")
        #expect(RFC3339.string(from: article.published) == "2015-12-03T12:01:01Z")
        #expect(article.authors == ["Ada"])
        #expect(article.tags == ["a,b", "c"])
        #expect(article.format == .html)
        #expect(article.summary == "Hi")
        #expect(article.slug == "hello")
        #expect(article.key == "x1")
        #expect(article.extra == #"{"nothing":null,"score":1.0e3,"url":"/relative"}"#)
    }

    @Test("The importer reads the items of a JSON Feed, wherever its version is", arguments: [false, true])
    func feed(isVersionLast: Bool) async throws {
        let version = #""version":"https://jsonfeed.org/version/1.1""#
        let items = #"""
            "title":"A feed","language":"sv","authors":[{"name":"Ada"}],"items":[
            {"id":"1","title":"One","content_html":"<p>Hi</p>","date_published":"2015-12-03T12:01:01Z",
             "date_modified":"2016-01-01T00:00:00Z","url":"https://example.org/one","tags":["a"],"summary":"S"},
            {"id":"2","title":"Two","content_text":"Text","author":{"name":"Bob"},"language":"en"},
            {"id":"3","content_text":"no title"}, 4]
            """#
        try folder.write("feed.json", "{" + (isVersionLast ? items + "," + version : version + "," + items) + "}")
        let report = try await run("feed.json")
        #expect(report.inserted == 3)
        #expect(report.rejections.map { $0.reason.contains("item 4") } == [true])
        #expect(report.rejections.map(\.line) == [5])
        let one = try #require(try await repository.article(slug: "one"))
        #expect(one.format == .html && one.body == "<p>Hi</p>" && one.tags == ["a"] && one.summary == "S")
        #expect(one.authors == ["Ada"] && one.language == "sv" && one.sourceURL == "https://example.org/one")
        #expect(RFC3339.string(from: one.published) == "2015-12-03T12:01:01Z")
        #expect(RFC3339.string(from: one.updated) == "2016-01-01T00:00:00Z")
        let two = try #require(try await repository.article(slug: "two"))
        #expect(two.format == .plain && two.authors == ["Bob"] && two.language == "en")
        #expect(try await run("feed.json").unchanged == 3)
    }

    @Test("The importer reads its own JSON back as the same article")
    func roundTrip() async throws {
        try await repository.upsert([
            ArticleDraft(
                slug: "a", title: "\"A\" \\ \u{1}\u{7F}\n", authors: ["X, Y", "Z"], summary: "S", body: "Bo\0dy 🏳️‍🌈",
                format: .plain, language: "en", sourceURL: "http://a", published: Date(timeIntervalSince1970: 1),
                updated: Date(timeIntervalSince1970: 2), tags: ["t"], extra: #"{"id":1,"x":{"extra":[]}}"#),
            ArticleDraft(slug: "b", title: "B", body: "", published: Date(timeIntervalSince1970: 3)),
        ])
        var lines = ""
        for slug in ["a", "b"] {
            let json = ArticleJSON.object(try #require(try await repository.article(slug: slug)))
            #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
            lines += json + "\n"
        }
        try folder.write("own.jsonl", lines)
        try folder.write("own.json", "[" + lines.split(separator: "\n").joined(separator: ",\n") + "]")
        #expect(try await run("own.jsonl").unchanged == 2)
        #expect(try await run("own.json").unchanged == 2)
    }

    @Test("The importer rejects a bad record with its line and reason, and imports the rest")
    func badRecords() async throws {
        try folder.write(
            "a.jsonl",
            """
            {"title":"1","body":"x"}
            {"title":"2","body":"x"
            [1]
            {"title":"4"}
            {"body":"x"}
            {"title":"6","body":"x","date":"2016-13-45"}
            {"title":"7","body":"\\ud800"}
            {"title":"8","body":"x","date":2016}
            {"title":["9"],"body":"x"}
            {"title":"10","body":"x"}
            """)
        let report = try await run("a.jsonl")
        #expect(report.inserted == 5)
        #expect(report.rejections.map(\.line) == [2, 3, 4, 7, 9])
        #expect(report.rejections.allSatisfy { $0.source.hasSuffix("/a.jsonl") && !$0.reason.isEmpty })
        #expect(report.rejections[0].description.contains("a.jsonl:2: "))
    }

    @Test(
        "The importer rejects a bad file with its line, and imports the others",
        arguments: [
            ("nul.md", Array("# A\n\nb\0c".utf8), 3), ("latin.md", Array("# A\n\nb".utf8) + [0xE9, 0x0A], 3),
            ("open.md", Array("---\ntitle: A\n".utf8), 1), ("bad.md", Array("---\ntitle: A\nb: @\n---\nx".utf8), 3),
            ("list.md", Array("---\n- a\n---\nx".utf8), 2),
            ("bad.toml.md", Array("+++\ntitle = \"A\"\nb = \n+++\nx".utf8), 3),
            ("png.json", [0x89, 0x50, 0x4E, 0x47], 1),
            ("cut.json", Array(#"[{"title":"A","body":"x"},\#n{"title":"#.utf8), 2),
            ("comma.json", Array("[\n{\"title\":\"A\",\"body\":\"x\"}\n{\"title\":\"B\",\"body\":\"x\"}]".utf8), 3),
            ("more.json", Array("[]\n]".utf8), 2),
            ("word.json", Array("[{\"title\":\"A\",\"body\":\"x\"},tru]".utf8), 1),
            ("string.json", Array("[{\"title\":\"A\n\"}]".utf8), 1),
            ("inside.json", Array("[{\"title\":\"A\",\n\"body\":\"x\",\n\"x\":tru}]".utf8), 3),
            ("utf8.jsonl", Array("{\"title\":\"A\",\"body\":\"".utf8) + [0xFF] + Array("\"}".utf8), 1),
        ])
    func badFiles(name: String, bytes: [UInt8], line: Int) async throws {
        try folder.write("a/\(name)", bytes)
        try folder.write("a/z.md", "# Good\n\nText")
        let report = try await run("a")
        #expect(report.rejected == 1)
        #expect(report.rejections.first?.line == line, "\(report.rejections)")
        #expect(report.rejections.first?.source.hasSuffix(name) == true)
        #expect(try await repository.article(slug: "z") != nil)
    }

    @Test("Aliases, nesting, and dotted keys do not lead the importer into endless depth")
    func bombs() async throws {
        var aliases = "---\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        for level in 1...9 {
            let many = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",")
            aliases += "a\(level): &a\(level) [\(many)]\n"
        }
        let nested = String(repeating: "[", count: 30_000)
        try folder.write("a/alias.md", aliases + "---\nx")
        try folder.write("a/deep.md", "---\na: \(nested)\n---\nx")
        try folder.write("a/deep.toml.md", "+++\na = \(nested)\n+++\nx")
        try folder.write(
            "a/dots.md", "+++\n\(Array(repeating: "a", count: 30_000).joined(separator: ".")) = 1\n+++\nx")
        try folder.write("a/deep.jsonl", "{\"title\":\"A\",\"body\":\"x\",\"a\":\(nested)\n")
        try folder.write("a/deep.json", "[{\"title\":\"A\",\"body\":\"x\",\"a\":\(nested)")
        try folder.write("a/long.md", "---\ntitle: \(String(repeating: "x", count: 300_000))\n---\nx")
        try folder.write(
            "a/many.jsonl", "{\"title\":\"A\",\"body\":\"x\",\"a\":[\(String(repeating: "0,", count: 200_000))0]}")
        try folder.write("a/tags.md", "# " + String(repeating: "<a", count: 200_000))
        try folder.write("a/brackets.md", "# " + String(repeating: "[", count: 200_000))
        let report = try await run("a")
        // A heading that is longer than any title is not one: the title is the name of the file.
        #expect(
            try await repository.list(ArticleQuery(), after: nil, limit: 9).summaries.map(\.title).sorted() == [
                "Brackets", "Tags",
            ])
        #expect(report.rejected == 8, "\(report.rejections)")
    }

    @Test(
        "The importer rejects a record over the limit and imports the records around it",
        arguments: ["jsonl", "json", "md"])
    func tooLarge(ending: String) async throws {
        let long = String(repeating: "x", count: 300_000)
        let records = [("A", "x"), ("B", long), ("C", "x")].map { #"{"title":"\#($0.0)","body":"\#($0.1)"}"# }
        switch ending {
        case "jsonl": try folder.write("a/a.jsonl", records.joined(separator: "\n"))
        case "json": try folder.write("a/a.json", "[" + records.joined(separator: "\n,") + "]")
        default:
            try folder.write("a/a.md", "# A\n\nx")
            try folder.write("a/b.md", "# B\n\n" + long)
            try folder.write("a/c.md", "# C\n\nx")
        }
        let report = try await run("a", ImportOptions(recordLimit: 1000))
        #expect(report.inserted == 2)
        #expect(report.rejections.map(\.line) == [ending == "md" ? nil : 2])
        #expect(try await repository.article(slug: "c") != nil)
    }

    @Test("The importer skips drafts unless they are requested")
    func drafts() async throws {
        try folder.write("a/a.md", "---\ntitle: A\ndraft: true\n---\n")
        try folder.write("a/b.md", "---\ntitle: B\npublished: false\n---\n")
        try folder.write("a/c.md", "---\ntitle: C\npublished: true\ndraft: no\n---\n")
        try folder.write("a/d.md", "---\ntitle: D\npublished: 2015-12-03\n---\n")
        let report = try await run("a")
        #expect(report.skippedDrafts == 2)
        #expect(report.inserted == 2)
        #expect(
            try await repository.article(slug: "d").map { RFC3339.string(from: $0.published) } == "2015-12-03T00:00:00Z"
        )
        #expect(try await run("a", ImportOptions(includesDrafts: true)).inserted == 2)
    }

    @Test("A strict import inserts nothing if a record is rejected")
    func strict() async throws {
        try folder.write("a/a.md", "# A")
        try folder.write("a/b.jsonl", "{\"title\":\"B\",\"body\":\"\"}\nx\ny\n")
        var told: [Rejection] = []
        let importer = ArticleImporter(repository: repository, options: ImportOptions(isStrict: true))
        let report = try await importer.run(
            [.path("\(folder.path)/a")], onEvent: { if case .rejected(let rejection) = $0 { told.append(rejection) } })
        #expect(report.inserted == 0)
        #expect(report.rejected == 2)
        #expect(told.count == report.rejected)
        #expect(try await repository.count(ArticleQuery()) == 0)
        try folder.write("a/b.jsonl", "{\"title\":\"B\",\"body\":\"\"}\n")
        #expect(try await run("a", ImportOptions(isStrict: true)).inserted == 2)
        #expect(try await repository.count(ArticleQuery()) == 2)
    }

    @Test("A dry run reports what it would do, and does nothing")
    func dryRun() async throws {
        try folder.write("a.jsonl", "{\"title\":\"A\",\"body\":\"1\"}\n{\"title\":\"B\",\"body\":\"1\"}\n")
        _ = try await run("a.jsonl")
        try folder.write(
            "a.jsonl",
            "{\"title\":\"A\",\"body\":\"1\"}\n{\"title\":\"B\",\"body\":\"2\"}\n{\"title\":\"C\",\"body\":\"\"}\nx")
        var options = ImportOptions(isDryRun: true)
        let report = try await run("a.jsonl", options)
        #expect(report.counts == [1, 1, 1, 1])
        #expect(try await repository.article(slug: "b")?.body == "1")
        #expect(try await repository.count(ArticleQuery()) == 2)
        options.isDryRun = false
        #expect(try await run("a.jsonl", options) == report)
    }

    @Test("A stopped import keeps the records before that, and says so")
    func interrupted() async throws {
        let lines = (0..<2500).map { "{\"title\":\"\($0)\",\"body\":\"x\"}\n" }.joined()
        let path = try folder.write("a.jsonl", lines)
        var reads = 0
        let report = try await ArticleImporter(repository: repository).run(
            [.path(path)],
            isInterrupted: {
                reads += 1
                return reads > 1500
            })
        #expect(report.isInterrupted)
        #expect(report.inserted == 1499)
        #expect(try await repository.count(ArticleQuery()) == 1499)
        let rest = try await ArticleImporter(repository: repository).run([.path(path)])
        #expect(rest.counts == [1001, 0, 1499, 0])

        let strict = ArticleImporter(repository: repository, options: ImportOptions(isStrict: true))
        try folder.write("b.jsonl", lines.replacingOccurrences(of: "\"x\"", with: "\"y\""))
        let stopped = try await strict.run([.path("\(folder.path)/b.jsonl")], isInterrupted: { true })
        #expect(stopped.isInterrupted)
        #expect(stopped.updated == 0)
    }

    @Test("The importer reports its progress after each batch, and while articles wait for the search index")
    func progress() async throws {
        let path = try folder.write("a.jsonl", (0..<14_600).map { "{\"title\":\"\($0)\",\"body\":\"x\"}\n" }.joined())
        var progress: [ImportReport] = []
        let report = try await ArticleImporter(repository: repository).run(
            [.path(path)], onEvent: { if case .progress(let report) = $0 { progress.append(report) } })
        #expect(progress.prefix(2).map(\.inserted) == [14_400, 14_600])
        #expect(progress.prefix(2).map(\.waiting) == [0, 0])
        let waiting = progress.dropFirst(2).map(\.waiting)
        #expect(waiting.count > 1)
        #expect(waiting == waiting.sorted(by: >) && !waiting.contains(0))
        #expect(report.waiting == 0)
    }

    @Test("The importer reads a descriptor to its end and leaves it open")
    func descriptor() async throws {
        let pipe = try FilledPipe("---\ntitle: From a pipe\n---\nText")
        let source = ImportSource.descriptor(pipe.descriptor, name: "-")
        let report = try await ArticleImporter(repository: repository, options: ImportOptions(author: "Ada"))
            .runKeepingRejections([
                source
            ])
        #expect(report.rejections == [])
        #expect(try await only().authors == ["Ada"])
        #expect(try await only().slug == "from-a-pipe")
        var byte: UInt8 = 0
        #expect(read(pipe.descriptor, &byte, 1) == 0)
    }

    @Test("The importer reads folders in order, without hidden files and without endless cycles")
    func folders() async throws {
        try folder.write("a/b/one.md", "# One")
        try folder.write("a/.hidden/two.md", "# Two")
        try folder.write("a/.three.md", "# Three")
        try folder.write("a/four.rst", "# Four")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/a/b/loop", withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/a/gone.md", withDestinationPath: "nowhere")
        let report = try await run("a")
        #expect(report.inserted == 1)
        #expect(report.rejections == [])
        #expect(report.notRead.contains { $0.source == "\(folder.path)/a/gone.md" })
    }

    @Test("An import does not begin if a source does not exist")
    func missing() async throws {
        try folder.write("a.md", "# A")
        await #expect(throws: ImportError.noSuchFile("\(folder.path)/none")) {
            try await ArticleImporter(repository: repository).runKeepingRejections([
                .path("\(folder.path)/a.md"), .path("\(folder.path)/none"),
            ])
        }
        #expect(try await repository.count(ArticleQuery()) == 0)
    }

    @Test("Records with the same ID, title, and day are separate articles, and stay so")
    func sameKey() async throws {
        func line(_ title: String, _ body: String) -> String {
            #"{"id":"1","title":"\#(title)","date":"2020-01-01","body":"\#(body)"}"# + "\n"
        }
        let lines = [line("A", "1"), line("B", "1"), line("A", "2"), line("B", "2"), line("B", "3")]
        try folder.write("a.jsonl", lines.joined())
        #expect(try await run("a.jsonl").counts == [5, 0, 0, 0])
        #expect(try await run("a.jsonl").counts == [0, 0, 5, 0])
        #expect(try await run("a.jsonl", ImportOptions(isStrict: true)).counts == [0, 0, 5, 0])
    }

    @Test("The second of two identical records is unchanged", arguments: [false, true])
    func repeated(isStrict: Bool) async throws {
        let line = "{\"title\":\"A\",\"body\":\"1\"}\n"
        let path = try folder.write("a.jsonl", line + line)
        try folder.write("b.md", "# B")
        let importer = ArticleImporter(repository: repository, options: ImportOptions(isStrict: isStrict))
        let sources = [ImportSource.path("\(folder.path)/b.md"), .path(path), .path("\(folder.path)/b.md")]
        #expect(try await importer.run(sources).counts == [2, 0, 2, 0])
        #expect(try await importer.run(sources).counts == [0, 0, 4, 0])
    }

    @Test("The importer accepts a file whose name is not UTF-8, and continues", .enabled(if: Self.takesAnyName))
    func strangeName() async throws {
        try folder.write("in/a.md", "# A")
        try folder.write("in/z.md", "# Z")
        for (name, text) in [("m", "# M"), ("n", "---\n")] {
            let path = Array("\(folder.path)/in/\(name)".utf8) + [0xFF] + Array(".md\0".utf8)
            let file = try #require(fopen(path.map { CChar(bitPattern: $0) }, "w"))
            fputs(text, file)
            fclose(file)
        }
        let report = try await run("in")
        #expect(report.inserted == 3)
        #expect(report.rejections.map(\.source) == ["\(folder.path)/in/n\u{FFFD}.md"])
        #expect(try await repository.article(slug: "m-xff")?.title == "M")
        #expect(try await run("in").counts == [0, 0, 3, 1])
    }

    @Test(
        "An import that waits for a pipe ends when its task is canceled",
        .timeLimit(.minutes(30)))
    func cancelledPipe() async throws {
        let path = "\(folder.path)/feed.jsonl"
        try #require(mkfifo(path, 0o600) == 0)
        // Opened for reading too, so that the pipe ends only when the test closes it.
        let writer = open(path, O_RDWR | O_CLOEXEC)
        try #require(writer >= 0)
        defer { close(writer) }
        let wrong = Array("{}\n".utf8)
        try #require(write(writer, wrong, wrong.count) == wrong.count)
        let (rejections, told) = AsyncStream.makeStream(of: Rejection.self)
        let task = Task { [repository] in
            try await ArticleImporter(repository: repository).run(
                [.path(path)], onEvent: { if case .rejected(let rejection) = $0 { told.yield(rejection) } })
        }
        for await _ in rejections { break }
        task.cancel()
        #expect(try await task.value.isInterrupted)
    }
}

extension ImportReport {
    fileprivate var counts: [Int] { [inserted, updated, unchanged, rejected] }
}
