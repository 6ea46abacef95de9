import ArticleStore
import Database
import Foundation
import Migrations

/// A directory of its own for one test, removed with the value.
final class Scratch {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "article-store-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Whether files may be named by any bytes, as on Linux.
    static let takesAnyName: Bool = {
        #if os(Linux)
            true
        #else
            false
        #endif
    }()

    deinit { try? FileManager.default.removeItem(atPath: path) }

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
