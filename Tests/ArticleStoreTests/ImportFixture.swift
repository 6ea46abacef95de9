import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

/// A library of its own for one test of importing, and a folder to import from.
struct ImportFixture {
    let storage: TemporaryDatabase
    let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    var folder: TemporaryFolder { storage.folder }

    /// Imports what has this name in the folder.
    func run(_ name: String, _ options: ImportOptions = ImportOptions()) async throws -> ToldReport {
        try await ArticleImporter(repository: repository, options: options).runKeepingRejections([
            .path(folder.file(name))
        ])
    }

    /// The article that a file of this text becomes.
    func article(_ text: String, named name: String = "name.md") async throws -> Article {
        let path = "one-\(UUID().uuidString)/" + name
        try folder.write(path, text)
        let report = try await run(path, ImportOptions(includesDrafts: true))
        #expect(report.rejections == [])
        return try await article(keyed: ExactText(name.split(separator: "/").last ?? Substring(name)))
    }

    /// The one article of a key, or the one that there is.
    func article(keyed key: ExactText? = nil) async throws -> Article {
        let page = try await repository.list(ArticleQuery(sort: .oldest), after: nil, limit: 1000)
        for summary in page.summaries.sorted(by: { $0.id > $1.id }) {
            guard let article = try await repository.article(id: summary.id) else { continue }
            if key == nil || article.key == key { return article }
        }
        throw NoArticle()
    }

    /// What was expected is not there.
    struct NoArticle: Error {}

    /// The titles of all articles, in their order.
    func titles() async throws -> [String] {
        try await repository.list(ArticleQuery(sort: .title), after: nil, limit: 1000).summaries.map(\.title)
    }

    /// Makes a symbolic link in the folder.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
}

extension Article {
    /// When it was published, as it was written.
    var publishedText: String { RFC3339.string(from: published, offset: publishedOffset) }
}
