import ArticleStore
import Database
import FoundationEssentials
import LibraryStores
@testable import SQLiteStores
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Recent views of lists")
struct RecentViewTests {
    private let storage: TemporaryDatabase
    private let articles: SQLiteArticleRepository
    /// The marks as another process changes them.
    private let marks: any MarkRepository
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() async throws {
        storage = try TemporaryDatabase()
        articles = storage.articles
        marks = try await Stores.open(.file(storage.folder.file("articles.db"))).marks
        try await storage.database.write { transaction in
            try transaction.run(
                """
                INSERT INTO user (id, username, region, password_hash, created_at, password_changed_at)
                VALUES (1, 'ada', 'SE', '', 0, 0), (2, 'bob', 'SE', '', 0, 0)
                """)
        }
    }

    private func parts(limit: Int = 10, article: ArticleReference? = nil) -> ReadingParts {
        ReadingParts(
            article: article, list: .init(ArticleQuery(), after: nil, limit: limit, counts: true), sources: 5)
    }

    private func view(of user: Int64, _ parts: ReadingParts) async throws -> ReadingView {
        try await articles.view(parts, of: user)
    }

    @Test("A view shows each change of this process and of another")
    func changes() async throws {
        let draft = ArticleDraft(key: "a", title: "A", body: "Body.")
        let id = try await articles.upsert([draft], into: .init(name: "one", kind: .stream))[0].id
        for isRead in [true, false, true] {
            try await marks.change(.read(isRead), of: .ids([id]), by: 1, at: now)
            // The second view is the recent one.
            for _ in 0..<2 {
                let view = try await view(of: 1, parts())
                #expect(view.marks[id]?.read.value == isRead)
                #expect(view.outline?.unread == (isRead ? 0 : 1))
                let other = try await self.view(of: 2, parts())
                #expect(other.marks[id]?.read.value == false && other.outline?.unread == 1)
            }
        }
        let drafts = ["b", "c"].map { ArticleDraft(key: ExactText($0), title: $0, body: "Body.") }
        _ = try await articles.upsert(drafts, into: .init(name: "two", kind: .stream))
        let later = try await view(of: 1, parts())
        #expect(later.page?.total == 3 && later.outline?.sources.map(\.name) == ["one", "two"])
    }

    @Test("A recent view is that of the same page of the list, with the marks of the requested article")
    func parts() async throws {
        let drafts = ["a", "b", "c"].map { ArticleDraft(key: ExactText($0), title: $0, body: "Body \($0).") }
        let ids = try await articles.upsert(drafts, into: .init(name: "one", kind: .stream)).map(\.id)
        for _ in 0..<2 {
            #expect(try await view(of: 1, parts()).page?.summaries.count == 3)
            let first = try await view(of: 1, parts(limit: 1))
            let next = try #require(first.page?.next)
            let list = ReadingParts.List(ArticleQuery(), after: next, limit: 1, counts: false)
            let second = try await view(of: 1, ReadingParts(list: list))
            #expect(second.page?.summaries.map(\.id) != first.page?.summaries.map(\.id))
            #expect(second.page?.total == nil && second.outline == nil)
            for id in ids {
                let whole = try await view(of: 1, parts(limit: 1, article: ArticleReference("\(id)")))
                #expect(whole.article?.id == id)
                #expect(Set(whole.marks.keys) == Set((first.page?.summaries.map(\.id) ?? []) + [id]))
            }
        }
    }

    @Test("The views have at most as many rows as permitted, and are removed together")
    func limit() {
        func view(rows: Int) -> ReadingView {
            var view = ReadingView()
            let sources = (0..<rows).map { ReadingOutline.Source("\($0)", unread: nil) }
            view.outline = ReadingOutline(unread: 0, unreadStarred: 0, searches: [], sources: sources)
            return view
        }
        let recent = RecentViews(maximum: 10)
        func kept(at version: Int64) -> [Int64] {
            (1...4).filter { recent.view(parts(), of: $0, at: version) != nil }
        }
        recent.save(view(rows: 4), parts(), of: 1, at: 7)
        recent.save(view(rows: 4), parts(), of: 1, at: 7)
        recent.save(view(rows: 6), parts(), of: 2, at: 7)
        #expect(kept(at: 7) == [1, 2] && kept(at: 8).isEmpty)
        recent.save(view(rows: 1), parts(), of: 3, at: 7)
        #expect(kept(at: 7) == [3])
        recent.save(view(rows: 11), parts(), of: 4, at: 7)
        #expect(kept(at: 7).isEmpty)
        recent.save(view(rows: 1), parts(), of: 1, at: 7)
        recent.save(view(rows: 1), parts(), of: 2, at: 8)
        #expect(kept(at: 7).isEmpty && kept(at: 8) == [2])
    }

    @Test("Authors and tags show each change of this process and of another")
    func labels() async throws {
        let other = try await Stores.open(.file(storage.folder.file("articles.db"))).articles
        let writers: [any ArticleRepository] = [articles, other, articles]
        var names: [String] = []
        for (writer, name) in zip(writers, ["ann", "bo", "cy"]) {
            let draft = ArticleDraft(
                key: ExactText(name), title: name, authors: [name], body: "Body.", tags: ["of " + name])
            _ = try await writer.upsert([draft], into: .init(name: "one", kind: .stream))
            names.append(name)
            // The second labels are the recent ones.
            for _ in 0..<2 {
                #expect(try await articles.labels(.author).map(\.name) == names)
                #expect(try await articles.labels(.tag).map(\.name) == names.map { "of " + $0 })
            }
        }
    }

    @Test("Recent labels belong to a version, and are removed with the views")
    func recentLabels() {
        let recent = RecentViews(maximum: 10)
        let label = ArticleLabel(kind: .tag, key: "a", name: "A", articles: 1)
        recent.save([label], .tag, at: 7)
        #expect(recent.labels(.tag, at: 7) == [label])
        #expect(recent.labels(.author, at: 7) == nil && recent.labels(.tag, at: 8) == nil)
        recent.save(ReadingView(), parts(), of: 1, at: 8)
        #expect(recent.labels(.tag, at: 7) == nil && recent.labels(.tag, at: 8) == nil)
    }
}
