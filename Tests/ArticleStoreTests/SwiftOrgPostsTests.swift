import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import Testing
import Text

/// Posts of a real blog, which are beside the package in development.
private let posts = "../shared/data/swift-org-posts"

@Suite("The posts of swift.org", .enabled(if: FileManager.default.fileExists(atPath: posts)))
struct SwiftOrgPostsTests {
    @Test("All posts are imported, and the license beside them is not")
    func all() async throws {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        let report = try await ArticleImporter(repository: repository).runKeepingRejections([.path(posts)])
        #expect(report.inserted == 172)
        #expect(report.rejections == [])
        #expect(report.skippedDrafts == 0)
        #expect(report.skippedFiles == 1)
        #expect(try await repository.count(ArticleQuery()) == 172)

        let again = try await ArticleImporter(repository: repository).runKeepingRejections([.path(posts)])
        #expect(again.unchanged == 172)
        #expect(again.inserted + again.updated + again.rejected == 0)
    }

    @Test("The posts have the titles, dates, authors, slugs, and categories of their front matter")
    func metadata() async throws {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        _ = try await ArticleImporter(repository: repository).runKeepingRejections([.path(posts)])
        let names = try FileManager.default.contentsOfDirectory(atPath: posts).filter { $0.hasSuffix(".md") }
        #expect(names.count == 172)
        for name in names {
            let expected = try Expected(file: name)
            let article = try #require(try await repository.article(slug: expected.slug), "\(name)")
            #expect(article.title == expected.title)
            #expect(RFC3339.string(from: article.published) == expected.date, "\(name)")
            #expect(article.authors == expected.authors, "\(name)")
            #expect(article.tags == expected.tags, "\(name)")
            #expect(article.body.hasSuffix(expected.lastLine), "\(name)")
            #expect(!article.summary.isEmpty && article.summary.unicodeScalars.count <= 1000, "\(name)")
        }
    }

    @Test("The posts can be listed by category and author")
    func lists() async throws {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        _ = try await ArticleImporter(repository: repository).runKeepingRejections([.path(posts)])
        #expect(try await repository.count(ArticleQuery(tag: "developer tools")) == 52)
        let page = try await repository.list(ArticleQuery(author: "TKremenek"), after: nil, limit: 3)
        #expect(page.summaries.allSatisfy { $0.authors.contains("tkremenek") })
        #expect(page.next != nil)
    }

    /// The front matter of a post, read line by line, which is enough for these files.
    private struct Expected {
        let slug, title, date, lastLine: String
        let authors, tags: [String]

        init(file name: String) throws {
            let text = try String(contentsOfFile: "\(posts)/\(name)", encoding: .utf8)
            let parts = text.components(separatedBy: "\n---")
            var fields: [String: String] = [:]
            for line in parts[0].split(separator: "\n") where line.first?.isLetter == true {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
            func unquoted(_ text: String?) -> String? {
                guard let text, let quote = text.first, quote == "'" || quote == "\"" else { return text }
                return String(text.dropFirst().dropLast())
            }
            title = try #require(unquoted(fields["title"]))
            tags = [unquoted(fields["category"])].compactMap(\.self)
            authors = (fields["author"] ?? "").split { "[], ".contains($0) }.map(String.init)
            let numbers = (fields["date"] ?? "").split { "- :".contains($0) }.compactMap { Int($0) } + [0, 0, 0]
            date = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02dZ", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
                numbers[5])
            let stem = name.dropLast(3).split(separator: "-", maxSplits: 3)[3].lowercased()
            slug = String(stem.map { $0 == "." || $0 == "_" ? "-" : $0 })
            lastLine = String(text.suffix(40))
        }
    }
}
