import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

/// A library and a folder for a test of importing.
struct ImportFixture {
    let storage: TemporaryDatabase
    let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    var folder: TemporaryFolder { storage.folder }

    /// Imports the file or folder with this name.
    func run(_ name: String, _ options: ImportOptions = ImportOptions()) async throws -> ToldReport {
        try await ArticleImporter(repository: repository, options: options).runKeepingRejections([
            .path(folder.file(name))
        ])
    }

    /// Returns the article of a file with this text.
    func article(_ text: String, named name: String = "name.md") async throws -> Article {
        let path = "one-\(UUID().uuidString)/" + name
        try folder.write(path, text)
        let report = try await run(path, ImportOptions(includesDrafts: true))
        #expect(report.rejections == [])
        return try await article(keyed: ExactText(name.split(separator: "/").last ?? Substring(name)))
    }

    /// Returns the article with this key, or the only article.
    func article(keyed key: ExactText? = nil) async throws -> Article {
        let page = try await repository.list(ArticleQuery(sort: .oldest), after: nil, limit: 1000)
        for summary in page.summaries.sorted(by: { $0.id > $1.id }) {
            guard let article = try await repository.article(id: summary.id) else { continue }
            if key == nil || article.key == key { return article }
        }
        throw NoArticle()
    }

    /// An expected article does not exist.
    struct NoArticle: Error {}

    /// The titles of all articles, in order.
    func titles() async throws -> [String] {
        try await repository.list(ArticleQuery(sort: .title), after: nil, limit: 1000).summaries.map(\.title)
    }

    /// Makes a symbolic link in the folder.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
}

extension Article {
    /// The date of publication, as it was written.
    var publishedText: String { RFC3339.string(from: published, offset: publishedOffset) }
}
