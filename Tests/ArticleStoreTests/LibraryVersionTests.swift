import ArticleStore
import AuthService
import LibraryStores
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Versions of a library")
struct LibraryVersionTests {
    @Test("Each change makes another version, whatever it changes", arguments: StoreEngine.allCases)
    func changes(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        // A library in memory cannot tell its version.
        guard let versions = stores.versions else { return #expect(engine == .memory) }
        var seen: [LibraryVersion?] = [try await versions.current()]
        let ids = try await stores.articles.upsert(
            [ArticleDraft(key: "a", title: "A", body: "A")], into: SourceFacts(name: "blog", kind: .stream)
        ).map(\.id)
        seen.append(try await versions.current())
        try await stores.accounts.record([AuditEvent(.libraryChanged, at: TestClock().now, client: "test")])
        seen.append(try await versions.current())
        _ = try await stores.articles.delete(id: ids[0])
        seen.append(try await versions.current())
        #expect(Set(seen).count == 4 && !seen.contains(nil))
        // On a server, the changes of other libraries count too.
        if engine == .sqlite { #expect(try await versions.current() == seen.last) }
    }
}
