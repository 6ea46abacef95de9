import ArticleStore
import Database
import Foundation
import Testing

@Suite("The SQLite repository")
struct SQLiteArticleRepositoryTests {
    /// Keeps the directory for as long as the test.
    let scratch: Scratch
    let contract: ArticleRepositoryContract

    init() throws {
        scratch = try Scratch()
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        contract = ArticleRepositoryContract(repository: try scratch.repository(now: now), now: now)
    }

    @Test("finds an article by number and by slug, whole")
    func find() async throws { try await contract.findsByNumberAndSlug() }

    @Test("takes the same draft again for what it is")
    func unchanged() async throws { try await contract.sameDraftChangesNothing() }

    @Test("updates an article under its number, and finds it only by what it is")
    func updated() async throws { try await contract.changedDraftKeepsTheNumber() }

    @Test("notices a change of each property")
    func changes() async throws { try await contract.changesOfEachPropertyCount() }

    @Test("keeps dates that a draft does not say")
    func dates() async throws { try await contract.datesThatAreMissingAreKept() }

    @Test("leaves nothing of a write that throws")
    func atomicity() async throws { try await contract.failedWriteLeavesNothing() }

    @Test("puts a batch in, in its order")
    func batch() async throws { try await contract.batchIsInItsOrder() }

    @Test("deletes an article from every list")
    func deletion() async throws { try await contract.deletionTakesEverything() }

    @Test("matches authors, tags and languages without regard to case")
    func folding() async throws { try await contract.matchesWithoutRegardToCase() }

    @Test("gives every list whole and in order, by pages of any size")
    func pages() async throws { try await contract.pagesAreTheWholeListInOrder() }

    @Test("refuses the cursor of another list")
    func otherCursor() async throws { try await contract.cursorOfAnotherListIsRefused() }

    @Test("gives every search whole and in order, from either end, by pages of any size")
    func searches() async throws { try await contract.searchesAreTheListFiltered() }

    @Test("refuses the cursor of another search, and takes that of the same words")
    func cursorOfSearch() async throws { try await contract.cursorOfASearchIsOfItsWords() }

    @Test("finds a title by any piece of it, in any script")
    func scripts() async throws { try await contract.findsEveryWordOfATitle() }

    @Test(
        "finds by words in title, authors and tags",
        arguments: [
            ("swift", true), ("SWIFT", true), ("wif", true), ("swift grace", true), ("grace  swift\tlinux", true),
            ("swift java", false), ("body", false), ("corpus", false), ("sum", false),
            ("hopper\"", true), ("\"amazing\"", true), ("\"grace", false), ("c:\\temp", true), ("\\", true),
            ("u005c", false),
            ("\\\\", false), ("%", false), ("_", false), ("*", false), ("gra%", false), ("[\"", false),
            ("\",\"", false),
            (",", false), ("]", false), ("muller", true), ("MÜLLER", true), ("mu\u{308}ller", true), ("mueller", false),
            ("strasse", true), ("straße", true), ("STRASSE", true), ("istanbul", true), ("İSTANBUL", true),
            ("ISTANBUL", true), ("ıstanbul", true), ("👩‍👩‍👧", true), ("👩", true), ("🏳️‍🌈", false),
            ("gracemuller", false), ("linuxstrasse", false), ("\0", true), ("s\0w", false), ("ﬁle", true),
            ("file", true),
            ("tail", true), ("\u{200B}swift\u{200B}", true), ("' OR 1=1 --", false), ("1=1", false),
        ])
    func words(_ text: String, _ isFound: Bool) async throws {
        try await contract.finds(
            text, title: "Swift on Linux – 👩‍👩‍👧 \(String(repeating: "é ", count: 150))tail",
            authors: [#"Grace "Amazing" Hopper""#, "Müller", #"C:\Temp"#], tags: ["Straße", "İstanbul", "profiles"],
            isFound: isFound)
    }

    @Test("goes on from a cursor whose article is gone")
    func lostCursor() async throws { try await contract.cursorOutlivesItsArticle() }

    @Test("bounds how long a page is")
    func limits() async throws { try await contract.limitsOfPagesAreBounded() }

    @Test("takes since as inclusive and until as exclusive")
    func bounds() async throws { try await contract.boundsAreToTheSecond() }

    @Test("leaves no row of an article that is deleted or changed")
    func rows() async throws {
        let database = try scratch.database()
        let repository = SQLiteArticleRepository(database: database, clock: { Date(timeIntervalSince1970: 0) })
        let draft = ArticleDraft(slug: "x", title: "A", authors: ["A", "B"], body: "B", tags: ["s", "t"])
        let id = try await repository.upsert(draft).id
        func rows() throws -> [Int] {
            try database.read { snapshot in
                try ["article", "article_body", "article_author", "article_tag"].map { table in
                    try snapshot.first("SELECT count(*) FROM \(table)") { try $0.value(0) } ?? -1
                }
            }
        }
        #expect(try rows() == [1, 1, 2, 2])
        try await repository.upsert(ArticleDraft(slug: "x", title: "A", authors: ["B"], body: "B", tags: ["S", "s"]))
        #expect(try rows() == [1, 1, 1, 1])
        try await repository.delete(id: id)
        #expect(try rows() == [0, 0, 0, 0])
        #expect(try database.integrityProblems() == [])
    }
}
