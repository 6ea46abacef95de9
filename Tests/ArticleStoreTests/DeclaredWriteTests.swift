import ArticleImporting
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

/// A store on a network loads the declared rows together. Each other row costs a round trip.
@Suite("The rows that writes declare")
struct DeclaredWriteTests {
    private let library = MemoryArticles(clock: { Date(timeIntervalSince1970: 1_700_000_000) })

    @Test("Adding, editing, and deleting read only declared rows")
    func edits() async throws {
        let draft = ArticleDraft(slug: "one", title: "One", body: "Text.", language: "en")
        let creation = Creation(request: [1], content: [2])
        let article = try await library.add(draft, for: creation)
        #expect(try await library.add(draft, for: creation) == article)
        let second = try await library.add(draft)
        #expect(second.slug != article.slug)
        let changed = ArticleDraft(slug: "one", title: "One", body: "Another text.", language: "en")
        let edited = try #require(try await library.edit(article, into: changed))
        try await library.delete(edited)
        try await library.upsert([draft, changed], into: SourceFacts(name: "blog", kind: .stream))
        try await library.upsert(changed, into: SourceFacts(name: "blog", kind: .stream))
        #expect(try await library.delete(id: second.id))
        _ = try await library.addUnlessKnown(draft, to: .savedPages)
        _ = try await library.addUnlessKnown(draft, to: .savedPages)
        try await library.changeSource("blog", name: "news", tags: .all([try TagName("a")]))
        try await library.removeSources(["news"])
        #expect(library.undeclaredReads == [])
    }

    @Test("A new import and a further import of the same folder read only declared rows")
    func imports() async throws {
        let folder = try TemporaryFolder()
        func run() async throws -> ImportReport {
            try await ArticleImporter(repository: library, options: ImportOptions()).run([.path(folder.path)])
        }
        for number in 1...30 { try folder.write("posts/\(number).md", "# Post \(number)\n\nText.") }
        #expect(try await run().inserted == 30)
        try folder.write("posts/7.md", "# Post 7\n\nAnother text.")
        try folder.write("posts/31.md", "# Post 31\n\nText.")
        let report = try await run()
        #expect(report.inserted == 1 && report.updated == 1)
        #expect(library.undeclaredReads == [])
    }
}
