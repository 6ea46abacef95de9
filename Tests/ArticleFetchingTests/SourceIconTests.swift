import ArticleFetching
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import StoreEngines
import TestSupport
import Testing

@Suite("Icons of sources")
struct SourceIconTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
    private static let ico: [UInt8] = [0, 0, 1, 0, 1, 0]
    private let address = "https://example.org/blog/feed"
    private let day = 86_400.0

    /// Returns servers in memory with a feed that was fetched.
    private func web(head: String = "") async throws -> FakeWeb {
        let web = try await FakeWeb()
        try await web.subscribe(to: address)
        web.serve(address, body: FakeWeb.feed([web.clock.now], head: head))
        #expect(try await web.fetch().map(\.changes.new) == [1])
        return web
    }

    private func serve(_ address: String, _ bytes: [UInt8], on web: FakeWeb) throws {
        let url = try HTTPURL(address)
        web.serve(address) { _ in ClientResponse(status: 200, fields: [], body: bytes, url: url, redirects: []) }
    }

    private func icon(on web: FakeWeb) async throws -> SourceIcon? {
        let source = try #require(try await web.stores.articles.sources().first)
        return try await web.stores.subscriptions.icon(of: source.uid)
    }

    @Test("The icon of the feed comes before that of its page, and this before the usual address")
    func order() async throws {
        let web = try await web(
            head: "<logo>https://example.org/logo.png</logo><icon>https://example.org/feed.png</icon>")
        let fetcher = web.fetcher()
        let links = """
            <html><link rel="icon" type="image/svg+xml" href="/a.svg"><link rel="apple-touch-icon" href="/large.png">\
            <link rel="shortcut icon" href="/small.png"><link rel="icon" href="data:image/png;base64,iVBOR"></html>
            """
        web.serve("https://example.org/", body: links)
        for name in ["feed.png", "small.png", "large.png", "favicon.ico"].reversed() {
            try serve("https://example.org/\(name)", Self.png + Array(name.utf8), on: web)
        }
        for name in ["feed.png", "small.png", "large.png", "favicon.ico"] {
            #expect(try await fetcher.fetchIcons() == 1)
            #expect(try await icon(on: web)?.bytes == Self.png + Array(name.utf8))
            // A page with another content is not an icon, whatever type the server states.
            web.serve("https://example.org/\(name)", ["Content-Type": "image/png"], body: "<svg></svg>")
            web.clock.advance(by: SourceFetcher.iconLifetime)
        }
    }

    @Test("Only images of the known formats are icons, up to a size")
    func formats() {
        #expect(SourceIcon(Self.png)?.type == "image/png")
        #expect(SourceIcon(Self.ico)?.type == "image/x-icon")
        #expect(SourceIcon(Array("GIF89a".utf8))?.type == "image/gif")
        #expect(SourceIcon([0xFF, 0xD8, 0xFF, 0xE0])?.type == "image/jpeg")
        #expect(SourceIcon(Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8))?.type == "image/webp")
        for brands in ["avif", "mif1\0\0\0\0miafavif"] {
            let file = [0, 0, 0, UInt8(8 + brands.utf8.count)] + Array("ftyp\(brands)heicmore".utf8)
            #expect(ImageType(of: file) == .avif)
        }
        #expect(ImageType(of: [0, 0, 0, 16] + Array("ftypheic\0\0\0\0avif".utf8)) == nil)
        for text in ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "RIFF....WAVE", "GIF", "BM"] {
            #expect(SourceIcon(Array(text.utf8)) == nil, "\(text)")
        }
        let padding = Array(repeating: UInt8(0), count: SourceIcon.largest - Self.png.count)
        #expect(SourceIcon(Self.png + padding) != nil)
        #expect(SourceIcon(Self.png + padding + [0]) == nil)
    }

    @Test("An attempt without an icon is repeated after a week, and leaves the subscription as it is")
    func retry() async throws {
        let web = try await web()
        let before = try await web.subscription()
        let fetcher = web.fetcher()
        #expect(try await fetcher.fetchIcons() == 1)
        #expect(web.requests.dropFirst().map(\.address) == ["https://example.org/", "https://example.org/favicon.ico"])
        #expect(try await web.subscription() == before)
        #expect(try await icon(on: web) == nil)
        web.clock.advance(by: 6 * day)
        #expect(try await fetcher.fetchIcons() == 0)
        web.clock.advance(by: 1 * day)
        try serve("https://example.org/favicon.ico", Self.ico, on: web)
        #expect(try await fetcher.fetchIcons() == 1)
        #expect(try await icon(on: web)?.bytes == Self.ico)
        #expect(try await web.subscription().hasIcon)
        web.clock.advance(by: 89 * day)
        #expect(try await fetcher.fetchIcons() == 0)
        web.clock.advance(by: 1 * day)
        // The server fails. The old icon stays.
        web.serve("https://example.org/favicon.ico") { _ throws(HTTPClientError) in throw .timedOut }
        #expect(try await fetcher.fetchIcons() == 1)
        #expect(try await icon(on: web)?.bytes == Self.ico)
    }

    @Test("A redirect of the page leads to the icons of its target")
    func redirect() async throws {
        let web = try await web()
        web.serve("https://example.org/", status: 301, ["Location": "https://www.example.org/"])
        web.serve("https://www.example.org/", body: "<html><title>A</title></html>")
        try serve("https://www.example.org/favicon.ico", Self.ico, on: web)
        #expect(try await web.fetcher().fetchIcons() == 1)
        #expect(try await icon(on: web)?.bytes == Self.ico)
    }
}
