import ArticleImporting
import Text
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("The identity of articles")
struct SourceIdentityTests {
    private let storage: TemporaryDatabase
    private let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    private var folder: TemporaryFolder { storage.folder }

    private func run(_ paths: String..., options: ImportOptions = ImportOptions()) async throws -> ToldReport {
        try await ArticleImporter(repository: repository, options: options).runKeepingRejections(
            paths.map { .path("\(folder.path)/\($0)") })
    }

    private func slugs(_ query: ArticleQuery = ArticleQuery(sort: .title)) async throws -> Set<String> {
        Set(try await repository.list(query, after: nil, limit: 1000).summaries.map(\.slug))
    }

    private func keys() async throws -> [String] {
        try await repository.write { writer in
            var keys: [String] = []
            for source in try writer.sources() {
                try writer.forEachEntry(of: source.id) { key, _ in keys.append("\(source.name): \(key)") }
            }
            return keys
        }
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.file(name)) }

    private func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: folder.file(name), toPath: folder.file(other))
    }

    @Test("An identity is 32 lowercase hexadecimal digits")
    func uid() {
        let digits = "0123456789abcdef0123456789abcdef"
        #expect(SourceUID(digits)?.description == digits)
        for other in ["", String(digits.dropLast()), digits + "0", digits.uppercased(), "g" + digits.dropFirst()] {
            #expect(SourceUID(other) == nil, "\(other)")
        }
    }

    @Test("Files of the same name in dated folders are separate articles, with distinct slugs")
    func repeatedNames() async throws {
        for day in ["2020/01/02", "2020/01/03", "2021/01/02"] {
            try folder.write("blog/\(day)/notes.md", "# Notes of \(day)")
        }
        #expect(try await run("blog").inserted == 3)
        let names = try await slugs()
        #expect(names.count == 3)
        #expect(names.contains("notes"))
        #expect(names.allSatisfy { $0.hasPrefix("notes") })
        #expect(try await run("blog").unchanged == 3)
        #expect(try await slugs() == names)

        // The same identity in another library.
        let other = try TemporaryDatabase()
        _ = try await ArticleImporter(repository: other.articles).run([.path(folder.file("blog"))])
        let page = try await other.articles.list(ArticleQuery(), after: nil, limit: 10)
        #expect(Set(page.summaries.map(\.slug)) == names)
    }

    @Test("No article gets a slug that may be the number of another")
    func numbers() async throws {
        try folder.write("blog/1984.md", "# Nineteen Eighty-Four")
        try folder.write("blog/b.md", "---\nslug: 1\n---\n# One")
        _ = try await run("blog")
        #expect(try await slugs() == ["article-1984", "article-1"])
    }

    @Test("Translations are separate articles, named after their language")
    func translations() async throws {
        for language in ["de", "en", "fr"] {
            try folder.write("docs/\(language)/start.md", "---\ntitle: Start\nlang: \(language)\n---\nText")
        }
        #expect(try await run("docs").inserted == 3)
        #expect(try await slugs() == ["start", "start-en", "start-fr"])
    }

    @Test("Titles with the same slug are separate articles")
    func sharpAndPlus() async throws {
        try folder.write(
            "a.jsonl", ["C", "C#", "C++"].map { #"{"title":"\#($0)","body":"x"}"# }.joined(separator: "\n"))
        #expect(try await run("a.jsonl").inserted == 3)
        let names = try await slugs()
        #expect(names.count == 3)
        #expect(names.contains("c"))
    }

    @Test("Files of one folder replace nothing of another")
    func twoFolders() async throws {
        try folder.write("a/post.md", "# A")
        try folder.write("b/post.md", "# B")
        #expect(try await run("a").inserted == 1)
        #expect(try await run("b").inserted == 1)
        #expect(try await run("a").unchanged == 1)
        #expect(try await repository.article(slug: "post")?.title == "A")
        #expect(try await slugs() == ["post", "post-b"])
        #expect(try await repository.sources().map(\.name) == ["a", "b"])
    }

    @Test(
        "A folder is the same source, however its path is spelled and whichever parent is given",
        arguments: [
            ["my-post", "my-post/index.md", "."], ["my-post/index.md", ".", "my-post"],
            [".", "my-post/index.md", "my-post"],
            ["my-post/../my-post/./", "../link", "my-post"],
        ])
    func spellings(paths: [String]) async throws {
        let inner = try TemporaryDatabase()
        try inner.folder.write("in/my-post/index.md", "# Mine\n\nText")
        try FileManager.default.createSymbolicLink(
            atPath: inner.folder.file("link"), withDestinationPath: "in/my-post")
        let importer = ArticleImporter(repository: inner.articles)
        for (index, path) in paths.enumerated() {
            let report = try await importer.run([.path(inner.folder.file("in/\(path)"))])
            #expect(report.inserted == (index == 0 ? 1 : 0), "\(path)")
            #expect(report.rejected == 0)
        }
        #expect(try await inner.articles.count(ArticleQuery()) == 1)
        #expect(try await inner.articles.article(slug: "my-post")?.title == "Mine")
        #expect(try await inner.articles.sources().count == 1)
    }

    @Test("A folder takes over the sources inside it, records included")
    func takeover() async throws {
        try folder.write("all/a.md", "# A")
        try folder.write("all/sub/b.md", "# B")
        try folder.write("all/sub/c.jsonl", #"{"id":"1","title":"C","body":"c"}"#)
        try folder.write("all/sub/deep/d.md", "# D")
        #expect(try await run("all/sub/deep/d.md", "all/sub/c.jsonl", "all/sub").inserted == 3)
        #expect(try await keys() == ["sub: b.md", "sub: c.jsonl#1", "sub: deep/d.md"])
        let before = try await repository.list(ArticleQuery(sort: .title), after: nil, limit: 9).summaries.map(\.id)
        #expect(try await run("all").outcomes == [1, 0, 0, 3])
        #expect(try await repository.sources().map(\.name) == ["all"])
        #expect(try await keys() == ["all: a.md", "all: sub/b.md", "all: sub/c.jsonl#1", "all: sub/deep/d.md"])
        let after = try await repository.list(ArticleQuery(sort: .title), after: nil, limit: 9).summaries.map(\.id)
        #expect(Array(after.dropFirst()) == before)
    }

    @Test("A single file does not import the rest of its folder, until the folder is given")
    func singleFile() async throws {
        try folder.write("home/note.md", "# Note")
        try folder.write("home/in/a.md", "# A")
        #expect(try await run("home/in").inserted == 1)
        #expect(try await run("home/note.md").inserted == 1)
        try folder.write("home/in/b.md", "# B")
        try folder.write("home/two/c.md", "# C")
        #expect(try await run("home/in", "home/two").outcomes == [2, 0, 0, 1])
        #expect(try await keys() == ["in: a.md", "in: b.md", "home: note.md", "two: c.md"])
        #expect(try await repository.sources().map(\.kind) == [.folder, .files, .folder])
        let report = try await run("home")
        #expect(report.outcomes == [0, 0, 0, 4])
        #expect(try await keys() == ["home: in/a.md", "home: in/b.md", "home: note.md", "home: two/c.md"])
        #expect(try await repository.sources().map(\.kind) == [.folder])
    }

    @Test("Articles written here stay out of folders, also if files are put beside them")
    func library() async throws {
        try await repository.upsert(ArticleDraft(key: "note", slug: "note", title: "Note", body: "Mine"))
        try folder.write("in/a.md", "# A")
        #expect(try await run("in/a.md", options: ImportOptions(source: "Library")).inserted == 1)
        let facts = try #require(try await repository.source(named: "library")).facts
        #expect(facts.kind == .stream && facts.location == nil)
        _ = try await run("in", options: ImportOptions(mirror: .most))
        #expect(try await repository.article(slug: "note")?.source.name == "library")
    }

    @Test("A folder of feeds is named after the folder, and a single feed after its title")
    func feedFolder() async throws {
        let feed = """
            <rss version="2.0"><channel><title>The Feed</title><link>https://feed.example</link>
            <item><title>One</title><guid>1</guid><description>Text</description></item></channel></rss>
            """
        try folder.write("feeds/a.xml", feed)
        try folder.write("b.xml", feed)
        _ = try await run("feeds", "b.xml")
        let sources = try await repository.sources()
        #expect(sources.map(\.name) == ["feeds", "The Feed"])
        #expect(sources.map(\.facts.home) == [nil, "https://feed.example"])
    }

    @Test("A renamed file with the same text is the same article, and a copy is another")
    func renamed() async throws {
        try folder.write("blog/old.md", "# Same\n\nText")
        try folder.write("blog/other.md", "# Other\n\nText")
        #expect(try await run("blog").inserted == 2)
        let id = try #require(try await repository.article(slug: "old")).id
        try move("blog/old.md", to: "blog/sub-new.md")
        #expect(try await run("blog").outcomes == [0, 0, 1, 1])
        #expect(try await repository.article(id: id)?.key == "sub-new.md")
        #expect(try await repository.article(id: id)?.slug == "old")
        try folder.write("blog/copy.md", "# Same\n\nText")
        #expect(try await run("blog").outcomes == [1, 0, 0, 2])
        #expect(try await repository.count(ArticleQuery()) == 3)
    }

    @Test("Files that are given one by one belong to their folder")
    func files() async throws {
        for name in ["a", "b", "c"] { try folder.write("blog/\(name).md", "# \(name)") }
        #expect(try await run("blog/a.md", "blog/b.md").inserted == 2)
        #expect(try await repository.sources().map(\.name) == ["blog"])
        #expect(try await run("blog").outcomes == [1, 0, 0, 2])
    }

    @Test("A moved folder or file is the same source", arguments: ["blog", "notes.jsonl"])
    func moved(name: String) async throws {
        try folder.write("blog/a.md", "# A")
        try folder.write("blog/b.md", "# B")
        try folder.write("notes.jsonl", #"{"id":"1","title":"N","body":"n"}"#)
        #expect(try await run(name).inserted > 0)
        let source = try #require(try await repository.sources().first)
        try folder.write("elsewhere/x.txt", "")
        try move(name, to: "elsewhere/moved")
        #expect(try await run("elsewhere/moved").inserted == 0)
        let after = try await repository.sources()
        #expect(after.map(\.id) == [source.id])
        #expect(after.first?.facts.location?.text.hasSuffix("/elsewhere/moved") == true)
    }

    @Test("The library names its sources, and records the last import of each")
    func sources() async throws {
        try folder.write("x/posts/a.md", "# A")
        try folder.write("y/posts/b.jsonl", "{\"title\":\"B\",\"body\":\"b\"}\nwrong\n")
        try folder.write("posts.jsonl", #"{"title":"C","body":"c"}"#)
        _ = try await run("x/posts", "y/posts", "posts.jsonl")
        let sources = try await repository.sources()
        #expect(sources.map(\.name) == ["posts", "y/posts", "posts.jsonl"])
        #expect(sources.map(\.kind) == [.folder, .folder, .file])
        #expect(sources.map { $0.lastImport?.problemCount } == [0, 1, 0])
        #expect(sources[1].lastImport?.problems.first?.contains("b.jsonl:2: ") == true)
        #expect(Set(sources.map(\.uid)).count == 3)
        #expect(try await slugs(ArticleQuery(source: "Y/Posts")) == ["b"])
        #expect(try await repository.count(ArticleQuery(source: "none")) == 0)
    }

    @Test("A named source contains everything that is given under its name")
    func named() async throws {
        try folder.write("a.md", "# A")
        try folder.write("b/a.md", "# B")
        let options = ImportOptions(source: "Mine", home: "https://example.org/")
        #expect(try await run("a.md", options: options).inserted == 1)
        #expect(try await run("b", options: ImportOptions(source: "mine")).updated == 1)
        let sources = try await repository.sources()
        #expect(sources.map(\.name) == ["Mine"])
        #expect(sources.first?.facts.home == "https://example.org/")
        #expect(try await repository.article(slug: "a")?.title == "B")
    }

    @Test("An exported library is imported into its own sources")
    func claims() async throws {
        try folder.write("blog/post.md", "---\ntitle: Post\nlayout: x\n---\nText")
        _ = try await run("blog")
        let article = try #require(try await repository.article(slug: "post"))
        let json = ArticleJSON.object(article)
        try folder.write("export.jsonl", json)
        #expect(try await run("export.jsonl").outcomes == [0, 0, 0, 1])
        try folder.write("export.jsonl", json.replacingOccurrences(of: "Text", with: "Other"))
        #expect(try await run("export.jsonl").outcomes == [0, 1, 0, 0])
        #expect(try await repository.article(slug: "post")?.body == "Other")
        // The edit was made in the export and not in the source, whose file did not change.
        #expect(try await run("blog").outcomes == [0, 0, 0, 1])
        #expect(try await run("export.jsonl").outcomes == [0, 0, 0, 1])
        try folder.write("blog/post.md", "---\ntitle: Newer\n---\nText")
        #expect(try await run("blog").kept == 1)
        #expect(try await repository.article(slug: "post")?.body == "Other")
        #expect(try await repository.sources().map(\.name) == ["blog"])

        let other = try TemporaryDatabase()
        try await other.articles.upsert(
            ArticleDraft(title: "Post", body: "b"), into: .init(name: "blog", kind: .stream))
        try folder.write(
            "export.jsonl",
            #"{"articlesctl":1,"sources":[{"id":"\#(article.source.uid)","name":"blog","kind":"folder","location":"/x/blog"}]}"#
                + "\n" + json)
        _ = try await ArticleImporter(repository: other.articles).run([.path(folder.file("export.jsonl"))])
        let restored = try #require(
            try await other.articles.list(ArticleQuery(source: "x/blog"), after: nil, limit: 2).summaries.first)
        #expect(restored.slug == "post-blog" || restored.slug.hasPrefix("post-"))
        let whole = try #require(try await other.articles.article(id: restored.id))
        #expect(whole.source.uid == article.source.uid)
        #expect((whole.key, whole.body, whole.extra) == (article.key, article.body, article.extra))
        #expect(whole.published == article.published)
    }

    @Test("Without a source's ID, a file cannot write into the source", arguments: [true, false])
    func forgedClaims(isNamed: Bool) async throws {
        try folder.write("blog/post.md", "# Post")
        _ = try await run("blog")
        let article = try #require(try await repository.article(slug: "post"))
        let json = ArticleJSON.object(article).replacingOccurrences(of: "Post", with: "Forged")
        let forged = json.replacingOccurrences(of: "\(article.source.uid)", with: "\(SourceUID.random())")
        // If the import names a source, the record's own claims about sources are ignored.
        try folder.write("in.jsonl", isNamed ? json : forged)
        let options = isNamed ? ImportOptions(source: "theirs") : ImportOptions()
        #expect(try await run("in.jsonl", options: options).inserted == 1)
        #expect(try await repository.article(id: article.id) == article)
        #expect(try await repository.sources().count == 2)
    }

    @Test("An import keeps local changes, unless they are discarded")
    func edited() async throws {
        let path = try folder.write("a.md", "# A\n\nOne")
        _ = try await run("a.md")
        let old = try #require(try await repository.article(slug: "a"))
        try await repository.write { writer in
            var new = old
            new.title = "Mine"
            let entry = try writer.entry(key: old.key, of: old.source.id)
            try writer.update(old, to: new, from: .init(content: entry?.origin.content, isEdited: true))
        }
        #expect(try await run("a.md").outcomes == [0, 0, 0, 1])
        #expect(try await repository.article(slug: "a")?.title == "Mine")
        try Data("# A\n\nTwo".utf8).write(to: URL(filePath: path))
        #expect(try await run("a.md").kept == 1)
        #expect(try await repository.article(slug: "a")?.title == "Mine")
        #expect(try await run("a.md", options: ImportOptions(overwritesEdits: true)).updated == 1)
        #expect(try await repository.article(slug: "a")?.body == "Two")
    }
    @Test("A name that is not UTF-8 is an ordinary key, and a copy of its file another article")
    func nameOfBytes() async throws {
        try folder.write("blog/plain.md", "# Same\n\nText")
        let name = Array(folder.file("blog/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)]
        let ending = Array(".md".utf8CString)
        try #require(rename(folder.file("blog/plain.md"), name + ending) == 0)
        #expect(try await run("blog").inserted == 1)
        #expect(try await keys() == [#"blog: caf\xE9.md"#])
        try folder.write("blog/copy.md", "# Same\n\nText")
        #expect(try await run("blog").outcomes == [1, 0, 0, 1])
        // The renamed file is the same article.
        try #require(rename(name + ending, folder.file("blog/plain.md")) == 0)
        #expect(try await run("blog").outcomes == [0, 0, 1, 1])
        #expect(try await keys() == ["blog: copy.md", "blog: plain.md"])
    }

    @Test("A file that is named like another's record is a separate article")
    func signsInNames() async throws {
        func records(_ ids: String...) -> String {
            ids.map { #"{"id":"\#($0)","title":"\#($0)","body":"b"}"# }.joined(separator: "\n")
        }
        try folder.write("h/a.jsonl", records("1", "1.md", "/#1.md", "b.jsonl#1", "//#b.jsonl#1"))
        try folder.write("h/a.jsonl#b.jsonl", records("1"))
        for name in ["a.jsonl#1.md", "c.jsonl/#1.md", "C#.md", "x#y.md", "a.jsonl#1.md#2.md"] {
            try folder.write("h/\(name)", "# \(name)")
        }
        #expect(try await run("h").outcomes == [11, 0, 0, 0])
        #expect(try await run("h").outcomes == [0, 0, 0, 11])
        let known = try await keys()
        // Names that are unambiguous stay unchanged.
        for key in ["C#.md", "x#y.md", "a.jsonl#1", "a.jsonl#1.md", "c.jsonl/#1.md"] {
            #expect(known.contains("h: \(key)"), "\(known)")
        }
        try remove("h/a.jsonl#1.md")
        let report = try await run("h", options: ImportOptions(mirror: .most))
        #expect(report.removedArticles.map(\.keys) == [["a.jsonl//#1.md"]])
        // A folder above contains them all, and each stays in its own source.
        #expect(try await run("").outcomes == [0, 0, 0, 10])
        #expect(try await run("").outcomes == [0, 0, 0, 10])
    }

    @Test("Files of one text that are renamed together keep an article each, and a copy is another")
    func renamedTwins() async throws {
        for name in ["a", "b", "c"] { try folder.write("in/\(name).md", "Same") }
        #expect(try await run("in").inserted == 3)
        func ids() async throws -> [Int64?] {
            let source = try #require(try await repository.source(named: "in")).id
            var ids: [Int64?] = []
            for key in ["x.md", "y.md", "z.md"] as [ExactText] {
                ids.append(try await repository.summaries(keys: [key], in: source)[key]?.id)
            }
            return ids
        }
        for (old, new) in [("a", "x"), ("b", "y"), ("c", "z")] { try move("in/\(old).md", to: "in/\(new).md") }
        try folder.write("in/zz.md", "Same")
        #expect(try await run("in").outcomes == [1, 0, 3, 0])
        // The first of the old names becomes the first of the new names.
        #expect(try await ids() == [1, 2, 3])
    }

    /// Returns a path whose name need not be text.
    private static func bytes(_ start: String, _ name: [UInt8], _ end: String = "") -> [CChar] {
        var path = [UInt8](start.utf8)
        path += name
        path += [UInt8](end.utf8)
        path.append(0)
        return path.map { CChar(bitPattern: $0) }
    }

    @Test("Names that differ in invalid bytes are different, and not the same as their printed form")
    func namesOfBytes() async throws {
        // Two names are not UTF-8, and two are equal to the printed form of others.
        let names: [[UInt8]] = [[0xE9], [0xE8], Array(#"\xE9"#.utf8), Array(#"\x5CxE9"#.utf8), Array("\u{FFFD}".utf8)]
        for (index, name) in names.enumerated() {
            try folder.write("new/f.md", "# \(index)")
            try folder.write("new/\(index).md", "# \(index), too")
            let path = Self.bytes(folder.file("f-"), name)
            try #require(rename(folder.file("new"), path) == 0)
            // Only a link can name a file whose name is not text.
            try #require(symlink(path, folder.file("link\(index)")) == 0)
            #expect(try await run("link\(index)").outcomes == [2, 0, 0, 0])
        }
        let sources = try await repository.sources()
        #expect(Set(sources.compactMap(\.facts.location)).count == names.count)
        #expect(sources.allSatisfy { $0.name.utf8.allSatisfy { $0 >= 0x20 } })
        for index in names.indices { #expect(try await run("link\(index)").outcomes == [0, 0, 0, 2]) }
        // In one folder, too.
        let other = try TemporaryDatabase()
        try FileManager.default.createDirectory(atPath: other.folder.file("in"), withIntermediateDirectories: true)
        for (index, name) in names.enumerated() {
            try other.folder.write("file", "# \(index)")
            let path = Self.bytes(other.folder.file("in/"), name, ".md")
            try #require(rename(other.folder.file("file"), path) == 0)
        }
        let importer = ArticleImporter(repository: other.articles, options: ImportOptions(mirror: .most))
        let path = ImportSource.path(other.folder.file("in"))
        #expect(try await importer.run([path]).inserted == names.count)
        #expect(try await importer.run([path]).unchanged == names.count)
        let keys = Set(try await other.articles.everything().articles.map(\.key))
        #expect(keys == [#"\xE9.md"#, #"\xE8.md"#, #"\x5CxE9.md"#, #"\x5Cx5CxE9.md"#, "\u{FFFD}.md"])
        // A missing file is missing, whatever other names look like it.
        try FileManager.default.removeItem(atPath: other.folder.file(#"in/\xE9.md"#))
        #expect(try await importer.run([path]).removedArticles.map(\.keys) == [[#"\x5CxE9.md"#]])
    }

    @Test("A folder with the names of a missing one and other texts is another source", arguments: [1, 3])
    func likeAnother(equal: Int) async throws {
        for name in 1...5 { try folder.write("fa/\(name).md", "# \(name) of a") }
        #expect(try await run("fa").inserted == 5)
        try remove("fa")
        for name in 1...5 { try folder.write("fb/\(name).md", "# \(name) of \(name <= equal ? "a" : "b")") }
        // More than half of the folder must be the same.
        #expect(try await run("fb").outcomes == (equal > 2 ? [0, 2, 0, 3] : [5, 0, 0, 0]))
        #expect(try await repository.sources().count == (equal > 2 ? 1 : 2))
    }

    @Test("A moved folder of records is recognized by them, in any order")
    func movedRecords() async throws {
        let records = (1...300).reversed().map { #"{"id":"\#($0)","title":"T\#($0)","body":"b"}"# }
        try folder.write("fa/a.jsonl", records.joined(separator: "\n"))
        #expect(try await run("fa").inserted == 300)
        try move("fa", to: "fb")
        #expect(try await run("fb").outcomes == [0, 0, 0, 300])
        #expect(try await repository.sources().count == 1)
    }

    @Test("The articles of an export are the same in another file, also changed ones")
    func renamedExport() async throws {
        func export(_ titles: [String], ids: [String] = ["1", "2", "https://c.example/?p=3"]) -> String {
            zip(ids, titles).enumerated().map { index, record in
                #"{"id":"\#(record.0)","title":"\#(record.1)","body":"b","date":"2020-01-0\#(index + 1)"}"#
            }.joined(separator: "\n")
        }
        try folder.write("in/blog.2020.jsonl", export(["A", "B", "C"]))
        try folder.write("in/note.md", "# N")
        #expect(try await run("in").inserted == 4)
        try remove("in/blog.2020.jsonl")
        try folder.write("in/blog.2021.jsonl", export(["A", "B, again", "C"]))
        #expect(try await run("in").outcomes == [0, 0, 3, 1])
        #expect(try await keys().contains("in: blog.2021.jsonl#2"))
        #expect(try await repository.article(slug: "b")?.title == "B, again")
        #expect(try await run("in").outcomes == [0, 0, 0, 4])
        // Numbers may be reused: these are other articles.
        try remove("in/blog.2021.jsonl")
        try folder.write("in/films.jsonl", #"{"id":"1","title":"Metropolis","body":"m","date":"1927-01-10"}"#)
        #expect(try await run("in").outcomes == [1, 0, 0, 1])
        #expect(try await repository.article(slug: "a")?.title == "A")
    }

    @Test("A named export is the same under another name, also with changes")
    func renamedExportAlone() async throws {
        try folder.write(
            "a.jsonl", #"{"id":"1","title":"A","body":"a"}"# + "\n" + #"{"id":"2","title":"B","body":"b"}"#)
        #expect(try await run("a.jsonl").inserted == 2)
        try remove("a.jsonl")
        try folder.write(
            "b.jsonl", #"{"id":"1","title":"A","body":"new"}"# + "\n" + #"{"id":"3","title":"C","body":"c"}"#)
        #expect(try await run("b.jsonl").outcomes == [1, 1, 0, 0])
        #expect(try await repository.sources().count == 1)
    }

    @Test("An export with the same numbers and other content is another source, also if the first is gone")
    func otherExport() async throws {
        func export(_ year: Int, _ second: String) -> String {
            #"{"id":"1","title":"Welcome","body":"\#(year)","date":"\#(year)-01-01"}"# + "\n"
                + #"{"id":"2","title":"\#(second)","body":"\#(year)","date":"\#(year)-02-01"}"#
        }
        try folder.write("a.jsonl", export(2020, "Apple"))
        #expect(try await run("a.jsonl").inserted == 2)
        try remove("a.jsonl")
        try folder.write("b.jsonl", export(2021, "Xeno"))
        #expect(try await run("b.jsonl").outcomes == [2, 0, 0, 0])
        #expect(try await repository.article(slug: "apple")?.title == "Apple")
    }

    @Test("A feed in a stream cannot claim to be in a folder of this machine")
    func feedOfPlace() async throws {
        try folder.write("in/a.md", "# A")
        _ = try await run("in")
        let feed = """
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Evil</title>
            <atom:link rel="self" href="\(folder.file("in"))"/>
            <item><title>Evil</title><guid>a.md</guid><description>Text</description></item></channel></rss>
            """
        let file = try #require(FileHandle(forReadingAtPath: try folder.write("feed.xml", feed)))
        _ = try await ArticleImporter(repository: repository).run([.descriptor(file.fileDescriptor, name: "-")])
        try file.close()
        #expect(try await repository.article(slug: "a")?.title == "A")
        #expect(try await repository.sources().count == 2)
    }

    @Test("An edited article is recognized under a new file name, and not removed")
    func renamedEdit() async throws {
        try folder.write("blog/a.md", "# A\n\nOne")
        try folder.write("blog/b.md", "# B\n\nOne")
        _ = try await run("blog")
        let old = try #require(try await repository.article(slug: "a"))
        let draft = ArticleDraft(key: old.key, slug: "a", title: "Mine", body: "Mine")
        _ = try #require(try await repository.edit(old, into: draft))
        try move("blog/a.md", to: "blog/c.md")
        let report = try await run("blog", options: ImportOptions(mirror: .most))
        #expect((report.report.kept, report.report.removed) == (1, 0))
        #expect(try await repository.article(slug: "a")?.key == "c.md")
        #expect(try await repository.article(slug: "a")?.title == "Mine")
    }

    @Test("Articles that an old version deleted stay away from imports of their folder")
    func deletedEarlier() async throws {
        let earlier = SourceFacts(name: "earlier", kind: .earlier)
        let drafts = ["a", "b"].map { ArticleDraft(key: ExactText($0), slug: $0, title: $0.uppercased(), body: "x") }
        let upserts = try await repository.upsert(drafts, into: earlier)
        try await repository.delete(id: upserts[0].id, forGood: true)
        try folder.write("blog/b.md", "# B\n\nx")
        #expect(try await run("blog").inserted == 0)
        #expect(try await keys() == ["blog: b.md"])
        try folder.write("blog/a.md", "# A\n\nx")
        for _ in 0..<2 {
            #expect(try await run("blog").report.deleted == 1)
            #expect(try await repository.sources().map(\.name) == ["blog"])
        }
        let options = ImportOptions(overwritesEdits: true)
        #expect(try await run("blog", options: options).inserted == 1)
    }
}
