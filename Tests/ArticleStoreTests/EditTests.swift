import Text
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("ArticleRepository contract: editing")
struct EditTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let facts = SourceFacts(name: "blog", kind: .folder, location: "/blog")

    private func draft(_ title: String, _ body: String = "Body.", updated: Date? = nil) -> ArticleDraft {
        ArticleDraft(key: "posts/a.md", slug: "a", title: title, body: body, published: day(1), updated: updated)
    }

    private func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

    @Test("An edit changes the content of an article, and not its identity", arguments: StoreEngine.allCases)
    func edit(engine: StoreEngine) async throws {
        let clock = TestClock(now)
        let stores = try await engine.open(clock: clock)
        let repository = stores.articles
        let id = try await repository.upsert(draft("A", updated: day(2)), into: facts).id
        let old = try #require(try await repository.article(id: id))
        let edited = ArticleDraft(key: "else", slug: "else", title: "B", authors: ["Ada"], body: "New.")
        let new = try #require(try await repository.edit(old, into: edited))
        #expect(try await repository.article(id: id) == new)
        #expect((new.id, new.slug, new.key, new.source) == (id, "a", "posts/a.md", old.source))
        #expect((new.title, new.authors, new.body) == ("B", ["Ada"], "New."))
        // The publication date that is left out stays; the date of the change is now.
        #expect((new.published, new.updated) == (day(1), now))
        let later = try #require(try await repository.edit(new, into: draft("C", updated: day(9))))
        #expect(later.updated == day(9))
    }

    @Test("An edit without changes leaves an article to imports", arguments: StoreEngine.allCases)
    func unchanged(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let id = try await repository.upsert(draft("A"), into: facts).id
        let old = try #require(try await repository.article(id: id))
        #expect(try await repository.edit(old, into: draft("A", updated: old.updated)) == nil)
        #expect(try await repository.upsert(draft("B"), into: facts).outcome == .updated)
        let changed = try #require(try await repository.article(id: id))
        #expect(try await repository.edit(changed, into: draft("Mine")) != nil)
        #expect(try await repository.upsert(draft("C"), into: facts) == Upsert(id: id, outcome: .kept))
        #expect(try await repository.article(id: id)?.title == "Mine")
    }

    @Test("An edit records what the article was made from", arguments: StoreEngine.allCases)
    func origin(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        func upsert(_ draft: ArticleDraft, _ content: UInt64, _ overwritesEdits: Bool) async throws -> Upsert.Outcome {
            try await repository.write { writer in
                try writer.upsert(
                    draft, into: try writer.source(facts), content: content, overwritesEdits: overwritesEdits
                ).outcome
            }
        }
        #expect(try await upsert(draft("A"), 7, false) == .inserted)
        let old = try #require(try await repository.article(slug: "a"))
        _ = try await repository.edit(old, into: draft("Mine"))
        #expect(try await upsert(draft("A"), 7, false) == .unchanged)
        #expect(try await upsert(draft("B"), 8, false) == .kept)
        // Also if the source has not changed, because the article has.
        #expect(try await upsert(draft("A"), 7, true) == .updated)
        #expect(try await repository.article(slug: "a")?.title == "A")
        #expect(try await upsert(draft("A"), 7, true) == .unchanged)
    }

    @Test(
        "An edit that would undo somebody else's change, or of a deleted article, is refused",
        arguments: StoreEngine.allCases)
    func conflict(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        let id = try await repository.upsert(draft("A"), into: facts).id
        let old = try #require(try await repository.article(id: id))
        let theirs = try #require(try await repository.edit(old, into: draft("A", "Theirs.")))
        await #expect(throws: EditError.hasChanged(theirs)) { try await repository.edit(old, into: draft("Mine")) }
        #expect(try await repository.article(id: id) == theirs)
        try await repository.delete(id: id)
        await #expect(throws: EditError.isGone(theirs)) { try await repository.edit(theirs, into: draft("Mine")) }
    }

    @Test("Adding an article always makes a new one", arguments: StoreEngine.allCases)
    func add(engine: StoreEngine) async throws {
        let stores = try await engine.open(clock: TestClock(now))
        let repository = stores.articles
        try await repository.upsert(draft("A"), into: facts)
        let drafts = [ArticleDraft(title: "A", body: "1"), ArticleDraft(title: "A", body: "1")]
        let first = try await repository.add(drafts[0])
        let second = try await repository.add(drafts[1])
        #expect(first.source.name == "library")
        #expect(first.published == now)
        #expect(Set([first.slug, second.slug, "a"]).count == 3)
        #expect(first.id != second.id)
        #expect(try await repository.article(id: second.id) == second)
        // An import into the same source keeps it, and a permanently deleted one is replaced.
        let update = ArticleDraft(key: first.key, title: "Imported", body: "x")
        #expect(try await repository.upsert(update).outcome == .kept)
        try await repository.delete(id: first.id, forGood: true)
        let third = try await repository.add(drafts[0])
        #expect((third.slug, third.key) == (first.slug, first.key))
        #expect(try await repository.upsert(update).outcome == .kept)
        try await repository.delete(id: third.id)
        #expect(try await repository.upsert(update).outcome == .inserted)
        #expect(try await repository.add(drafts[0]).key != first.key)
    }

    @Test("An article cannot be added to a source whose articles come from elsewhere", arguments: StoreEngine.allCases)
    func elsewhere(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let repository = stores.articles
        for kind in [Source.Kind.folder, .file, .feed, .earlier] {
            let facts = SourceFacts(name: kind.rawValue, kind: kind, location: kind == .earlier ? nil : "/x")
            try await repository.upsert(draft("A"), into: facts)
            await #expect(throws: SourceError.isElsewhere(facts)) {
                try await repository.add(draft("B"), to: SourceFacts(name: kind.rawValue, kind: .stream))
            }
        }
        #expect(
            try await repository.add(draft("B"), to: SourceFacts(name: "notes", kind: .stream)).source.name == "notes")
        #expect(try await repository.count(ArticleQuery()) == 5)
    }
}
