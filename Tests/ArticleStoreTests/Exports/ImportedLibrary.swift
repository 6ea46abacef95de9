import ArticleImporting
import SQLiteStores
import ArticleStore
import StoreEngines
import TestSupport
import Testing
import Text

/// A library in a temporary folder.
struct ImportedLibrary {
    private let storage: TemporaryDatabase

    init() throws { storage = try TemporaryDatabase() }

    var repository: SQLiteArticleRepository { storage.articles }
    var folder: TemporaryFolder { storage.folder }

    /// Writes a file and imports it.
    @discardableResult
    func add(
        _ name: String, _ bytes: some Sequence<UInt8>, _ options: ImportOptions = ImportOptions()
    ) async throws -> ToldReport {
        try await add(path: storage.folder.write(name, bytes), options)
    }

    /// Writes a file and imports it.
    @discardableResult
    func add(_ name: String, _ text: String, _ options: ImportOptions = ImportOptions()) async throws -> ToldReport {
        try await add(name, Array(text.utf8), options)
    }

    /// Imports a file or folder.
    @discardableResult
    func add(path: String, _ options: ImportOptions = ImportOptions()) async throws -> ToldReport {
        try await ArticleImporter(repository: storage.articles, options: options).runKeepingRejections([.path(path)])
    }

    /// Imports a file, and returns its marks by the titles of the articles.
    func marks(path: String) async throws -> [String: String] {
        var found: [Int64: JSON] = [:]
        _ = try await ArticleImporter(repository: storage.articles, options: ImportOptions()).run(
            [.path(path)], storeMarks: { found.merge($0) { $1 } })
        var marks: [String: String] = [:]
        for (id, json) in found {
            marks[try #require(try await storage.articles.article(id: id)).title] = json.description
        }
        return marks
    }

    /// All articles, by title.
    var articles: [Article] {
        get async throws {
            var articles: [Article] = []
            let page = try await storage.articles.list(ArticleQuery(), after: nil, limit: 1000)
            for summary in page.summaries {
                articles.append(try #require(try await storage.articles.article(id: summary.id)))
            }
            return articles.sorted { $0.title < $1.title }
        }
    }

    /// The article of a title.
    func article(_ title: String) async throws -> Article {
        try #require(try await articles.first { $0.title == title })
    }
}

extension Article {
    /// The date of publication as text.
    var date: String { RFC3339.string(from: published) }
}
