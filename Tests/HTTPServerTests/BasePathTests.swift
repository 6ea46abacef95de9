import HTTPServer
import Testing

@Suite("The path below which users see a server")
struct BasePathTests {
    private static func request(_ target: String, prefix: String = "") throws -> HTTPRequest {
        var request = HTTPRequest(.get, try #require(HTTPTarget(target)))
        request.prefix = prefix
        return request
    }

    @Test(
        "The path is removed from a target below it, and a target without it stays as it is",
        arguments: [
            ("/rss/articles?tag=a", "/articles", ["articles"]), ("/rss", "/", [""]), ("/rss/", "/", [""]),
            ("/rss/rss/a%2Fb", "/rss/a%2Fb", ["rss", "a/b"]), ("/articles/rss", "/articles/rss", ["articles", "rss"]),
            ("/rssx/articles", "/rssx/articles", ["rssx", "articles"]), ("/", "/", [""]),
        ])
    func removed(target: String, path: String, segments: [String]) throws {
        let read = try #require(BasePath("/rss")).reading(Self.request(target))
        #expect(read.target.path == path && read.target.segments == segments && read.prefix == "/rss")
        #expect(read.target.query == (try #require(HTTPTarget(target))).query)
    }

    @Test("A path can have several parts, and a proxy may state another path")
    func several() throws {
        let path = try #require(BasePath("/a/b/"))
        #expect(path.text == "/a/b")
        #expect(try path.reading(Self.request("/a/b/c")).target.segments == ["c"])
        #expect(try path.reading(Self.request("/a/x")).target.segments == ["a", "x"])
        #expect(try path.reading(Self.request("/a/b/c", prefix: "/other")).prefix == "/other")
    }

    @Test("At the root, requests stay as they are")
    func root() throws {
        let request = try Self.request("/articles")
        #expect(BasePath.root.reading(request) == request)
    }
}
