import ArticleExporting
import ArticleImporting
import Text
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("Keys that look alike and have different bytes")
struct ExactKeyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Pairs of names that are equal as Swift strings: precomposed and decomposed, the kelvin sign, and the angstrom
    /// sign.
    private static let alike = ["caf\u{E9}", "cafe\u{301}", "\u{212A}", "K", "\u{C5}", "\u{212B}", "A\u{30A}"]

    private func run(
        _ name: String, into repository: any ArticleRepository, mirror: Bool = false
    ) async throws -> ToldReport {
        let options = ImportOptions(mirror: mirror ? .all : nil)
        return try await ArticleImporter(repository: repository, options: options).runKeepingRejections([
            .path(folder.file(name))
        ])
    }

    private func keys(_ repository: any ArticleRepository) async throws -> Set<ExactText> {
        Set(try await repository.everything().articles.map(\.key))
    }

    private func writeRecords(_ ids: [String]) throws {
        try folder.write(
            "r.jsonl", ids.map { #"{"id":"\#($0)","title":"T","body":"\#($0.utf8.count)"}"# }.joined(separator: "\n"))
    }

    @Test(
        "Keys that differ in bytes are different among records, in one import, in the mirror, and in both engines",
        arguments: StoreEngine.allCases
    )
    func records(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try writeRecords(Self.alike)
        #expect(try await run("r.jsonl", into: repository).outcomes == [Self.alike.count, 0, 0, 0])
        #expect(try await keys(repository) == Set(Self.alike.map { ExactText($0) }))
        #expect(try await run("r.jsonl", into: repository).outcomes == [0, 0, 0, Self.alike.count])
        for (index, gone) in Self.alike.dropLast().enumerated() {
            try writeRecords(Array(Self.alike[(index + 1)...]))
            let report = try await run("r.jsonl", into: repository, mirror: true)
            #expect(report.removedArticles.map(\.keys) == [[ExactText(gone)]], "\(index)")
        }
    }

    @Test(
        "Keys that differ in bytes are different among the files and folders of a folder",
        arguments: StoreEngine.allCases)
    func files(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        var paths = Self.alike.map { "\($0).md" } + Self.alike.map { "\($0)/post.md" }
        // A combining mark at the beginning of a name forms one character with the slash before it.
        paths.append("\u{301}/\u{301}.md")
        for path in paths { try folder.write("blog/\(path)", "# \(path.utf8.count)") }
        #expect(try await run("blog", into: repository).outcomes == [paths.count, 0, 0, 0])
        #expect(try await keys(repository) == Set(paths.map { ExactText($0) }))
        #expect(try await run("blog", into: repository).outcomes == [0, 0, 0, paths.count])
        try FileManager.default.removeItem(atPath: folder.file("blog/\(Self.alike[0]).md"))
        let report = try await run("blog", into: repository, mirror: true)
        #expect(report.removedArticles.map(\.keys) == [[ExactText("\(Self.alike[0]).md")]])
    }

    @Test("Folders whose names differ in bytes are separate sources", arguments: StoreEngine.allCases)
    func sources(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        for name in Self.alike {
            try folder.write("\(name)/post.md", "# Post")
            #expect(try await run(name, into: repository).inserted == 1)
        }
        let locations = Set(try await repository.sources().compactMap(\.facts.location))
        #expect(locations.count == Self.alike.count)
        for name in Self.alike { #expect(try await run(name, into: repository).unchanged == 1) }
    }

    @Test("An export restores each of the articles with similar keys", arguments: [ExportFormat.jsonl, .markdown])
    func exported(format: ExportFormat) async throws {
        let storage = try TemporaryDatabase()
        try writeRecords(Self.alike)
        for name in Self.alike { try folder.write("blog/\(name).md", "# Post \(name.utf8.count)") }
        _ = try await run("r.jsonl", into: storage.articles)
        _ = try await run("blog", into: storage.articles)
        _ = try await ArticleExporter(repository: storage.articles).run(
            ArticleQuery(), as: format, to: .path(folder.file("out"), replaces: false))
        let other = try TemporaryDatabase()
        let report = try await run("out", into: other.articles)
        #expect(report.rejections == [])
        #expect(report.inserted == 2 * Self.alike.count)
        #expect(try await keys(other.articles) == keys(storage.articles))
    }

    @Test("An edit and a deletion distinguish articles with similar keys", arguments: StoreEngine.allCases)
    func kept(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        try writeRecords(Self.alike)
        _ = try await run("r.jsonl", into: repository)
        let gone = try #require(try await repository.everything().articles.first { $0.key == ExactText(Self.alike[1]) })
        try await repository.delete(id: gone.id, forGood: true)
        #expect(try await run("r.jsonl", into: repository).deleted == 1)
        #expect(try await keys(repository) == Set(Self.alike.map { ExactText($0) }).subtracting([gone.key]))
    }
}
