import ArticlesClient
import Foundation
import TestSupport
import Testing

@Suite("The API's client with the server")
struct ClientTests {
    @Test("The client logs in, keeps a copy, sends its marks, and notices when the server is gone")
    func live() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(["--listen", "127.0.0.1:0", "--database", folder.file("a.db")], in: folder)
        let url = String(try await server.url().trimmingSuffix("/"))
        let account = #"{"username": "ada", "password": "correct horse battery staple", "region": "SE"}"#
        _ = try await server.curl("-H", "Content-Type: application/json", "-d", account, url + "/api/v1/users")
        let client = try await LibraryClient(server: try #require(URL(string: url)))
            .loggedIn(username: "ada", password: "correct horse battery staple", as: "test")
        let token = try #require(client.token)
        let article = try await server.curl(
            "-H", "Content-Type: application/json", "-H", "Authorization: Bearer \(token)", "-d",
            #"{"title": "Ünïcode & more", "body": "Text."}"#, url + "/api/v1/articles")
        #expect(article.contains(#""id":1"#))
        let library = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        #expect(try await library.sync(with: client).articles == 1)
        #expect(await library.articles.map(\.title) == ["Ünïcode & more"])
        try await library.star(1, true, at: .now)
        #expect(try await library.sync(with: client).sentMarks == 1)
        var filter = ArticleFilter()
        filter.isStarred = true
        filter.search = "ünïcode"
        #expect(try await client.articles(filter).articles.map(\.id) == [1])
        server.signal(SIGTERM)
        _ = await server.end()
        try await library.star(1, false, at: .now)
        await #expect(throws: (any Error).self) { try await library.sync(with: client) }
        #expect(await library.hasPending)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
        hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
    }
}
