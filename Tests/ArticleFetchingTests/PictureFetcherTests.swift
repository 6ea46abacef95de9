import ArticleFetching
import ArticleStore
import FetchingSupport
import Foundation
import HTTPClient
import StoreEngines
import TestSupport
import Testing

@Suite("Pictures of articles")
struct PictureFetcherTests {
    private static func gif(_ number: UInt8, size: Int = 20) -> [UInt8] {
        Array("GIF89a".utf8) + [number] + Array(repeating: 0, count: size - 7)
    }

    private let feed = "https://example.org/feed"

    private func fetcher(_ web: FakeWeb, limits: PictureLimits = PictureLimits()) -> PictureFetcher {
        let clock = web.clock
        return PictureFetcher(
            articles: web.stores.articles, pictures: web.stores.pictures, limits: limits, clock: { clock.now },
            sender: { { request throws(HTTPClientError) in try web.send(request) } })
    }

    private func serve(_ address: String, _ bytes: [UInt8], on web: FakeWeb) throws {
        let url = try HTTPURL(address)
        web.serve(address) { _ in ClientResponse(status: 200, fields: [], body: bytes, url: url, redirects: []) }
    }

    /// Serves a feed with an entry for each text, and fetches it.
    private func fetchFeed(_ texts: [String], on web: FakeWeb) async throws {
        let items = texts.enumerated().map { index, text in
            "<item><guid>\(index)</guid><title>\(index)</title><link>https://example.org/posts/\(index)</link>"
                + "<description><![CDATA[\(text)]]></description></item>"
        }.joined()
        web.serve(feed, body: "<rss version='2.0'><channel><title>Feed</title>\(items)</channel></rss>")
        var problems: [String] = []
        let sources = try await web.stores.articles.sources().map(\.id)
        _ = try await web.fetcher().fetch(sources, onResult: { problems += [$0.problem].compactMap(\.self) })
        #expect(problems.isEmpty)
    }

    /// Finds pictures, fetches all that are due, and returns the number of the attempts.
    @discardableResult
    private func fetchPictures(_ fetcher: PictureFetcher) async throws -> Int {
        try await fetcher.findPictures()
        var count = 0
        while case let done = try await fetcher.fetchPictures(), done > 0 { count += done }
        return count
    }

    /// Returns the addresses of the stored pictures of each article, without the common beginning.
    private func stored(on web: FakeWeb) async throws -> [[String]] {
        let ids = try await web.stores.articles.numbers(of: ArticleQuery(), latestFirst: false, limit: 100)
        let found = try await web.stores.pictures.pictures(of: ids)
        let names = ids.map { id in
            found[id, default: [:]].keys.map { String($0.dropFirst("https://example.org/".count)) }.sorted()
        }
        return names.sorted { $0.joined() < $1.joined() }
    }

    private func requests(of suffix: String, on web: FakeWeb) -> Int {
        web.requests.filter { $0.address.hasSuffix(suffix) }.count
    }

    @Test("Only pictures of known formats are stored, once each; a missing picture is asked for once")
    func kinds() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: feed)
        let fetcher = fetcher(web)
        try await fetcher.begin()
        try await fetchFeed(
            [
                """
                <img src="/a.gif"><img src="a.gif"><img src="/page.png"><img src="/script.svg"><img src="/missing.gif">\
                <img src="/large.gif"><img src="/pixel.gif"><img src="data:image/gif;base64,R0lGODlh"><img src="/gone.gif">
                """,
                "<p><a href='/x'><img src='https://example.org/a.gif' alt='A'></a><img src='/b.gif'>",
            ], on: web)
        for name in ["a.gif", "posts/a.gif", "b.gif"] { try serve("https://example.org/" + name, Self.gif(7), on: web) }
        web.serve("https://example.org/page.png", ["Content-Type": "image/png"], body: "<html></html>")
        web.serve("https://example.org/script.svg", ["Content-Type": "image/svg+xml"], body: "<svg><script/></svg>")
        try serve("https://example.org/large.gif", Self.gif(1, size: Picture.largest + 1), on: web)
        try serve("https://example.org/pixel.gif", Array("GIF89a".utf8) + [1, 0, 1, 0, 0], on: web)
        web.serve("https://example.org/gone.gif", status: 410)
        #expect(try await fetchPictures(fetcher) == 10)
        #expect(try await stored(on: web) == [["a.gif", "b.gif"], ["a.gif", "posts/a.gif"]])
        #expect(try await web.stores.pictures.size() == PictureSize(count: 1, bytes: 20))
        // Two articles have this address.
        #expect(requests(of: ".org/a.gif", on: web) == 1)
        for request in web.requests.dropFirst() { #expect(request.fields.isEmpty && request.login == nil) }
        web.clock.advance(by: 365 * 86_400)
        #expect(try await fetcher.fetchPictures() == 0)
    }

    @Test("A server that fails is asked again later, and a forbidden host never")
    func failures() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: feed)
        let fetcher = fetcher(web)
        try await fetcher.begin()
        try await fetchFeed(["<img src='/busy.gif'><img src='/slow.gif'><img src='/inside.gif'>"], on: web)
        web.serve("https://example.org/busy.gif", status: 503)
        web.serve("https://example.org/slow.gif") { _ throws(HTTPClientError) in throw .timedOut }
        // The client checks the target of the redirect, and refuses it.
        web.serve("https://example.org/inside.gif", status: 302, ["Location": "http://192.168.0.1/a.gif"])
        web.serve("http://192.168.0.1/a.gif") { _ throws(HTTPClientError) in throw .forbiddenHost("192.168.0.1") }
        #expect(try await fetchPictures(fetcher) == 3)
        #expect(try await fetchPictures(fetcher) == 0)
        web.clock.advance(by: Double(PictureClaim.pause))
        #expect(try await fetchPictures(fetcher) == 2)
        #expect(requests(of: "inside.gif", on: web) == 1)
        try serve("https://example.org/busy.gif", Self.gif(1), on: web)
        for _ in 0..<PictureClaim.attempts {
            web.clock.advance(by: 64 * Double(PictureClaim.pause))
            try await fetchPictures(fetcher)
        }
        #expect(requests(of: "busy.gif", on: web) == 3)
        #expect(requests(of: "slow.gif", on: web) == PictureClaim.attempts)
        #expect(try await stored(on: web) == [["busy.gif"]])
    }

    @Test("Only articles that arrive after the beginning get pictures, and changes of these articles count")
    func beginning() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: feed)
        for name in "abcde" { try serve("https://example.org/\(name).gif", Self.gif(name.asciiValue ?? 0), on: web) }
        try await fetchFeed(["<img src='/a.gif'>"], on: web)
        let fetcher = fetcher(web)
        #expect(try await fetchPictures(fetcher) == 0)
        // The rename of a source is a change of all its articles.
        try await fetchFeed(["<img src='/a.gif'>", "<img src='/b.gif'>"], on: web)
        try await web.stores.articles.write(needing: WriteNeeds()) { writer in
            guard var source = try writer.sources().first else { return }
            source.facts.name = "renamed"
            try writer.update(source)
        }
        #expect(try await fetchPictures(fetcher) == 1)
        #expect(try await stored(on: web) == [[], ["b.gif"]])
        try await fetchFeed(["<img src='/a.gif'>", "<img src='/c.gif'>"], on: web)
        try await fetchPictures(fetcher)
        #expect(try await stored(on: web).flatMap(\.self) == ["c.gif"])
        #expect(try await web.stores.pictures.size().count == 1)

        // After a pause, the search begins again at the present end.
        web.clock.advance(by: 48 * 3_600)
        try await fetchFeed(["<img src='/a.gif'>", "<img src='/c.gif'>", "<img src='/d.gif'>"], on: web)
        #expect(try await fetchPictures(fetcher) == 0)
    }

    @Test("An article has a limit of pictures")
    func count() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: feed)
        var limits = PictureLimits()
        limits.articleCount = 3
        let fetcher = fetcher(web, limits: limits)
        try await fetcher.begin()
        for name in 1...5 { try serve("https://example.org/\(name).gif", Self.gif(UInt8(name)), on: web) }
        try await fetchFeed([(1...5).map { "<img src='/\($0).gif'>" }.joined()], on: web)
        #expect(try await fetchPictures(fetcher) == 3)
        #expect(try await stored(on: web) == [["1.gif", "2.gif", "3.gif"]])
    }

    @Test("Two processes do not fetch the same picture, and a process that is canceled does not repeat an attempt")
    func processes() async throws {
        let web = try await FakeWeb()
        try await web.subscribe(to: feed)
        let clock = web.clock
        let first = fetcher(web)
        try await first.begin()
        try await fetchFeed([(1...40).map { "<img src='/\($0).gif'>" }.joined(), "<img src='/41.gif'>"], on: web)
        for name in 1...41 { try serve("https://example.org/\(name).gif", Self.gif(UInt8(name)), on: web) }
        let second = PictureFetcher(
            articles: web.stores.articles, pictures: web.stores.pictures, clock: { clock.now },
            sender: { { _ throws(HTTPClientError) in throw .canceled } })
        async let found: Void = first.findPictures()
        try await second.findPictures()
        try await found
        await #expect(throws: CancellationError.self) { try await second.fetchPictures() }
        async let one = fetchPictures(first)
        async let two = fetchPictures(fetcher(web))
        #expect(try await one + two == 41 - 32)
        #expect(requests(of: ".gif", on: web) == 41 - 32)
        clock.advance(by: Double(PictureClaim.pause))
        #expect(try await fetchPictures(first) == 32)
        #expect(requests(of: ".gif", on: web) == 41)
        #expect(try await stored(on: web).map(\.count).sorted() == [1, 40])
    }
}
