import ArticleStore
import Database
import Foundation
import Migrations
import TestSupport

/// A directory of its own for one test, removed with the value.
final class Scratch {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path }

    /// Whether files may be named by any bytes, as on Linux.
    static let takesAnyName: Bool = {
        #if os(Linux)
            true
        #else
            false
        #endif
    }()

    func database() throws -> Database {
        _ = try Migrator(path: "\(path)/articles.db", schema: .articlesctl).migrate()
        return try Database(path: "\(path)/articles.db", schema: .articlesctl)
    }

    func repository(now: Date = Date(timeIntervalSince1970: 1_700_000_000)) throws -> SQLiteArticleRepository {
        SQLiteArticleRepository(database: try database(), clock: { now })
    }

    /// Writes a file, with the folders above it, and returns where it is.
    @discardableResult
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }
}
