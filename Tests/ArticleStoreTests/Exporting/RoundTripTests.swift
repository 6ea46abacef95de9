import ArticleExporting
import ArticleImporting
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Importing an export")
struct RoundTripTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Exports a library to a file or folder, and returns its path.
    private func export(_ repository: some ArticleRepository, as format: ExportFormat) async throws -> String {
        let path = folder.file(UUID().uuidString + (format.isFolder ? "" : ".\(format.rawValue)"))
        _ = try await ArticleExporter(repository: repository).run(
            ArticleQuery(), as: format, to: .path(path, replaces: false))
        return path
    }

    private func seed(_ path: String, into repository: some ArticleRepository) async throws -> ToldReport {
        try await ArticleImporter(repository: repository).runKeepingRejections([.path(path)])
    }

    @Test(
        "An export and import keep every byte of hostile articles of every kind of source",
        arguments: [ExportFormat.jsonl, .markdown],
        [UInt64(1), 2, 3])
    func hostile(format: ExportFormat, seed: UInt64) async throws {
        let storage = try TemporaryDatabase()
        var hostile = HostileArticles(seed: seed)
        try await hostile.fill(storage.articles, count: 300)
        try await expectSame(storage.articles, as: format)
    }

    @Test(
        "An export and import keep a blog of real posts",
        .enabled(if: FileManager.default.fileExists(atPath: "../shared/data/swift-org-posts")),
        arguments: [ExportFormat.jsonl, .markdown])
    func posts(format: ExportFormat) async throws {
        let storage = try TemporaryDatabase()
        let report = try await seed("../shared/data/swift-org-posts", into: storage.articles)
        #expect(report.inserted == 172)
        try await expectSame(storage.articles, as: format)
    }

    @Test("A draft of a hostile article keeps every byte, also if another value changes", arguments: [UInt64(1), 2, 3])
    func drafts(seed: UInt64) async throws {
        let storage = try TemporaryDatabase()
        var hostile = HostileArticles(seed: seed)
        try await hostile.fill(storage.articles, count: 300)
        for article in try await storage.articles.everything().articles {
            func same(_ draft: ArticleDraft) -> Bool {
                draft.article(replacing: article, source: article.source, now: article.updated).isIdentical(to: article)
            }
            #expect(same(ArticleDraft(article)))
            let changed = ArticleDraft(article).changed { $0.title += "!" }
            #expect(!same(changed))
            #expect(same(changed.changed { $0.title.removeLast() }))
        }
    }

    @Test("Markdown names the files of pictures, and an import reads the same article; data of others stays")
    func pictures() async throws {
        let storage = try TemporaryDatabase()
        let articles = try await storage.articles.upsert([
            ArticleDraft(
                key: "a", slug: "a", title: "A", body: "![x](https://example.org/x.gif)", extra: #"{"pictures":[1]}"#),
            ArticleDraft(key: "b", slug: "b", title: "B", body: "![x](https://example.org/x.gif)"),
        ])
        let pictures = SQLitePictureRepository(database: storage.database)
        let picture = try #require(Picture(Array("GIF89a".utf8) + [0, 1, 0xFF]))
        var reference: ArticlePicture?
        for article in articles {
            reference = try await pictures.store(picture, at: "https://example.org/x.gif", of: article.id)
        }
        let path = folder.file("pictures")
        var exporter = ArticleExporter(repository: storage.articles)
        exporter.pictures = pictures
        let report = try await exporter.run(ArticleQuery(), as: .markdown, to: .path(path, replaces: false))
        let file = "pictures/\(try #require(reference).uid).gif"
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path + "/" + file))) == picture.bytes)
        // The sources, two articles, and one picture.
        #expect(report.files == 4)
        for name in ["a", "b"] {
            let text = try String(
                contentsOfFile: path + "/\(SourceFacts.library.name)/\(name).md", encoding: .utf8)
            #expect(text.contains(file))
            #expect(text.contains("![x](https://example.org/x.gif)"))
        }
        let other = try TemporaryDatabase()
        #expect(try await seed(path, into: other.articles).inserted == 2)
        for article in try await storage.articles.everything().articles {
            let copy = try #require(try await other.articles.article(slug: article.slug))
            #expect((copy.body, copy.extra) == (article.body, article.extra))
        }
    }

    @Test("An export and import keep a part of a library", arguments: [ExportFormat.jsonl, .markdown])
    func part(format: ExportFormat) async throws {
        let storage = try TemporaryDatabase()
        var hostile = HostileArticles(seed: 9)
        try await hostile.fill(storage.articles, count: 100)
        let path = folder.file("part")
        let query = ArticleQuery(tag: "swift", sort: .title)
        let report = try await ArticleExporter(repository: storage.articles).run(
            query, as: format, to: .path(path, replaces: false))
        let other = try TemporaryDatabase()
        #expect(try await seed(path, into: other.articles).inserted == report.articles)
        let left = try await storage.articles.everything().articles.filter { $0.tags.contains("Swift") }
        let right = try await other.articles.everything()
        #expect(left.map(\.slug).sorted() == right.articles.map(\.slug).sorted())
        #expect(Set(right.sources.map(\.name)) == Set(left.map(\.source.name)))
    }

    @Test("An export removes the files of a killed export, but not those of a running one")
    func leftBehind() async throws {
        let storage = try TemporaryDatabase()
        try await storage.articles.upsert(ArticleDraft(title: "A", body: "b"))
        let abandoned = ["0123456789abcdef", "fedcba9876543210"].map { ".articlesctl-unfinished-" + $0 }
        let living = ".articlesctl-unfinished-00000000ffffffff"
        let own = [".articlesctl-backup", ".articlesctl-replaced-0123456789abcdef", ".articlesctl-unfinished-notes"]
        for place in ["out", "out/folder"] {
            try folder.write("\(place)/\(abandoned[0])/sub/file", "left")
            for name in [abandoned[1], living] + own { try folder.write("\(place)/\(name)", "left") }
        }
        let descriptors = ["out", "out/folder"].map { open(folder.file("\($0)/\(living)"), O_RDONLY) }
        for descriptor in descriptors { try #require(flock(descriptor, LOCK_EX) == 0) }
        defer { for descriptor in descriptors { close(descriptor) } }
        for (format, name) in [
            (ExportFormat.jsonl, "file"), (ExportFormat.markdown, "new"), (ExportFormat.markdown, "folder"),
        ] {
            _ = try await ArticleExporter(repository: storage.articles).run(
                ArticleQuery(), as: format, to: .path(folder.file("out/\(name)"), replaces: false))
        }
        for place in ["out", "out/folder"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(place))
            #expect(names.filter { $0.hasPrefix(".") }.sorted() == (own + [living]).sorted())
        }
    }

    /// Imports a library into an empty one and into itself.
    private func expectSame(_ repository: some ArticleRepository, as format: ExportFormat) async throws {
        let path = try await export(repository, as: format)
        let storage = try TemporaryDatabase()
        let report = try await seed(path, into: storage.articles)
        let (before, after) = (try await repository.everything(), try await storage.articles.everything())
        #expect(report.rejections == [])
        #expect(report.inserted == before.articles.count)
        #expect(before.articles.count == after.articles.count)
        for (old, new) in zip(before.articles, after.articles) where !old.isSame(as: new) {
            Issue.record("\(old)\nis now\n\(new)")
            break
        }
        #expect(Set(before.sources.map(\.uid)) == Set(after.sources.map(\.uid)))
        for source in before.sources {
            #expect(after.sources.first { $0.uid == source.uid }?.facts == source.facts)
        }

        let again = try await seed(path, into: repository)
        #expect(again.rejections == [])
        #expect(again.unchanged == before.articles.count)
        #expect(again.inserted + again.updated + again.kept + again.renamed == 0)
        let unchanged = try await repository.everything()
        #expect(unchanged.sources.map(\.facts) == before.sources.map(\.facts))
        #expect(unchanged.articles == before.articles)
    }
}

extension ArticleRepository {
    /// All sources, and all articles in the order of their sources' names and their keys.
    func everything() async throws -> (articles: [Article], sources: [Source]) {
        var articles: [Article] = []
        var cursor: Cursor?
        repeat {
            let batch = try await self.articles(ArticleQuery(), after: cursor, limit: 1000)
            articles += batch.articles
            cursor = batch.next
        } while cursor != nil
        func order(_ article: Article) -> [UInt8] { Array("\(article.source.uid) \(article.key)".utf8) }
        return (articles.sorted { order($0).lexicographicallyPrecedes(order($1)) }, try await sources())
    }
}

extension Article {
    /// Returns whether the article is the same, byte for byte, in a library with other numbers.
    func isSame(as other: Article) -> Bool {
        var (old, new) = (self, other)
        (old.id, new.id) = (0, 0)
        (old.source.id, new.source.id) = (0, 0)
        return String(reflecting: old).utf8.elementsEqual(String(reflecting: new).utf8)
    }
}
