import ArticleStore
import AuthService
import Foundation
import LibraryStores
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Addresses below a base path")
struct BasePathTests {
    private static let password = "correct horse battery staple"
    private static let picture = Array("GIF89a".utf8) + [0, 0xFF]

    /// Creates a library with a user, and with an article that has a picture, from a source that has an icon.
    private static func prepare(_ path: String) async throws {
        try await Stores.migrate(.file(path))
        let stores = try await Stores.open(.file(path))
        _ = try await AuthService(store: stores.accounts, hasher: PasswordHasher(parameters: .weakest)).register(
            username: Username("ada"), password: Password(password), region: Region("SE"), from: Origin("test"))
        try await stores.articles.upsert([
            ArticleDraft(
                slug: "walk", title: "A walk", body: "![sea](/sea.gif)", sourceURL: "https://blog.example/walk",
                published: Date(timeIntervalSince1970: 86_400))
        ])
        let article = try #require(try await stores.articles.article(slug: "walk"))
        _ = try await stores.pictures.store(
            try #require(Picture(picture)), at: "https://blog.example/sea.gif", of: article.id)
        var subscription = Subscription(
            source: article.source.id, address: "https://blog.example/feed", nextFetch: Date.distantFuture)
        subscription.lastFetch = Date()
        try await stores.subscriptions.insert([subscription])
        try await stores.subscriptions.setIcon(
            try #require(SourceIcon(picture)), of: article.source.id, until: Date.distantFuture)
    }

    /// A server below `/rss`.
    private static func server() async throws -> RunningServer {
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        try await prepare(path)
        return try RunningServer(
            [
                "--database", path, "--listen", "127.0.0.1:0", "--fetch", "off", "--images", "kept", "--base-path",
                "/rss",
            ], in: folder)
    }

    /// Expects that an address begins with that of the server, and that the server answers there.
    private func expect(_ address: String, of server: RunningServer, at url: String) async throws {
        let status = try await server.curl(address, "-o", "/dev/null", "-w", "%{http_code}")
        #expect(address.hasPrefix(url) && ["200", "303"].contains(status), "\(address): \(status)")
    }

    /// Returns the first group of each match in a text, in which JSON may have escaped slashes.
    private func matches(_ pattern: String, in text: String) throws -> [String] {
        try text.replacing("\\/", with: "/").matches(of: Regex(pattern)).compactMap { match in
            match.output[1].substring.map { String($0) }
        }
    }

    @Test("The addresses of a feed, of its articles, and of their pictures lead to the server")
    func feeds() async throws {
        let server = try await Self.server()
        let url = try await server.url()
        let session = try await server.curl(
            url + "api/v1/session", "-d", #"{"username": "ada", "password": "\#(Self.password)"}"#, "-H",
            "Content-Type: application/json")
        let token = try #require(session.firstMatch(of: #/"bearer": ?"([^"]*)"/#)?.1)
        let ask = [
            url + "api/v1/feed-address", "-X", "POST", "-H", "Authorization: Bearer \(token)", "-H",
            "Content-Type: application/json",
        ]
        // A client that does not name the host gets a path.
        let nameless = try await server.curl(ask + ["--http1.0", "-H", "Host:"])
        let paths = try matches(#""(/[^"]*)""#, in: nameless)
        #expect(paths.count == 2 && paths.allSatisfy { $0.hasPrefix("/rss/feeds/") }, "\(nameless)")
        let made = try await server.curl(ask)
        let feeds = try matches(#""(http:[^"]*)""#, in: made)
        #expect(feeds.count == 2 && feeds.allSatisfy { $0.hasPrefix(url + "feeds/") }, "\(made)")
        for feed in feeds {
            let text = try await server.curl(feed)
            let addresses = Set(try matches(#"(http://127[^"&<\\]*)"#, in: text))
            #expect(addresses.contains { $0.hasPrefix(url + "articles/walk") }, "\(addresses)")
            #expect(addresses.contains { $0.hasPrefix(url + "pictures/") }, "\(addresses)")
            for address in addresses { try await expect(address, of: server, at: url) }
        }
    }

    @Test("The addresses of Google Reader's API lead to the server", arguments: ["", "api/greader.php/"])
    func reader(beginning: String) async throws {
        let server = try await Self.server()
        let url = try await server.url()
        let login = try await server.curl(
            url + beginning + "accounts/ClientLogin", "-d", "Email=ada", "--data-urlencode", "Passwd=\(Self.password)")
        let token = try #require(login.firstMatch(of: #/Auth=(\S+)/#)?.1)
        let access = ["-H", "Authorization: GoogleLogin auth=\(token)"]
        let api = url + beginning + "reader/api/0/"
        let items = try await server.curl(access + [api + "stream/contents/user/-/state/com.google/reading-list"])
        let sources = try await server.curl(access + [api + "subscription/list?output=json"])
        let picture = try matches(#"(http://127[^"&<\\]*/pictures/[A-Za-z0-9_-]*)"#, in: items)
        let icon = try matches(#""(http://127[^"]*/icon)""#, in: sources)
        #expect(picture.count == 1 && icon.count == 1, "\(items)\n\(sources)")
        for address in picture + icon { try await expect(address, of: server, at: url) }
    }

    @Test("The manifest, the share target, and the worker lead to the pages of the server")
    func app() async throws {
        let server = try await Self.server()
        let url = try await server.url()
        let page = try await server.curl(url + "articles")
        let base = try #require(URL(string: url))
        let link = try #require(page.firstMatch(of: #/rel="manifest" href="([^"]*)"/#)?.1)
        let manifest = try #require(URL(string: String(link), relativeTo: base))
        let text = try await server.curl(manifest.absoluteString)
        #expect(text.contains(#/"share_target": ?\{"action": ?"add"/#))
        let places = try matches(#""(?:start_url|scope|action|src)": ?"([^"]*)""#, in: text)
        #expect(places.count >= 6, "\(text)")
        for place in places {
            let address = try #require(URL(string: place, relativeTo: manifest)).absoluteString
            try await expect(address, of: server, at: url)
        }
        let worker = try await server.curl(url + "worker.js")
        let assets = try matches(
            #""(/[^"]*)""#, in: String(try #require(worker.split(separator: "\n").dropFirst().first)))
        #expect(assets.count >= 3)
        for asset in assets + ["/rss/offline"] {
            let address = try #require(URL(string: asset, relativeTo: base)).absoluteString
            try await expect(address, of: server, at: url)
        }
    }
}
