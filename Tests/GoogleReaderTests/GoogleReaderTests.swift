import AuthService
import LibraryServices
import GoogleReader
import HTTPServer
import ArticleStore
import StoreEngines
import Testing
import Text

struct GoogleReaderTests {
    private let read = "user/-/state/com.google/read"
    private let starred = "user/-/state/com.google/starred"

    @Test("The API leaves other paths to other handlers, and also answers below FreshRSS's path")
    func paths() async throws {
        let reader = try await Reader()
        #expect(await reader.front.answer(HTTPRequest(.get, try #require(HTTPTarget("/articles")))) == nil)
        let token = try await reader.logIn()
        #expect(try await reader.send("/api/greader.php/reader/api/0/token", token: token).status == 200)
        #expect(try await reader.send("/reader/api/0/stream/unknown", token: token).status == 404)
    }

    @Test("Feeds have a number and a title, and do not reveal the places of files")
    func subscriptions() async throws {
        let reader = try await Reader()
        let answer = try await reader.send("/reader/api/0/subscription/list?output=json", token: reader.logIn())
        #expect(answer.text.contains("\"id\":\"\(try reader.feed("news"))\",\"title\":\"news\",\"categories\":[]"))
        #expect(answer.text.contains("\"title\":\"library\""))
    }

    @Test(
        "The requests of newsboat mark articles as read, unread, starred, and unstarred",
        arguments: StoreEngine.allCases)
    func editTag(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let (token, first) = (try await reader.logIn(), reader.articles[0])
        let id = "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 15) + String(first, radix: 16)
        let state = "user/-/state/com.google/"
        func edit(_ tags: String) async throws {
            let answer = try await reader.send(
                .post, "/reader/api/0/edit-tag", form: "i=\(id)&\(tags)&ac=edit&T=", token: token)
            #expect(answer.status == 200 && answer.text == "OK")
        }
        try await edit("a=\(read)&r=\(state)kept-unread")
        #expect(try await reader.read() == [first])
        try await edit("r=\(read)&a=\(state)kept-unread&a=\(state)tracking-kept-unread")
        #expect(try await reader.read().isEmpty)
        try await edit("a=\(starred)")
        #expect(try await reader.services.marks.counts(of: reader.user.id).starred == 1)
        try await edit("r=\(starred)&a=user/\(reader.user.id)/label/own+words")
        #expect(try await reader.services.marks.counts(of: reader.user.id).starred == 0)
        let tags = try await reader.send("/reader/api/0/tag/list?output=json", token: token)
        #expect(tags.text.contains("\"user/-/label/own words\""))
    }

    @Test(
        "IDs of items are accepted in all their forms",
        arguments: [
            { "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 15) + String($0, radix: 16) },
            { "tag:google.com,2005:reader/item/" + String($0, radix: 16) },
            { String(repeating: "0", count: 15) + String($0, radix: 16) },
            { String($0) },
        ] as [@Sendable (Int64) -> String])
    func ids(form: @Sendable (Int64) -> String) async throws {
        let reader = try await Reader()
        let body = reader.articles.map { "i=" + form($0) }.joined(separator: "&") + "&a=\(read)"
        #expect(
            try await reader.send(
                .post, "/reader/api/0/edit-tag", form: body, token: reader.logIn()
            ).text == "OK")
        #expect(try await reader.read() == Set(reader.articles))
    }

    @Test(
        "Unknown values are refused, and nothing is changed",
        arguments: [
            "edit-tag i=1&a=user/-/state/com.google/unheard-of", "edit-tag i=1&a=user/99/state/com.google/read",
            "edit-tag i=x!&a=user/-/state/com.google/read", "edit-tag a=user/-/state/com.google/read", "edit-tag i=1",
            "edit-tag i=1&a=user/-/state/com.google/read&r=user/-/state/com.google/read",
            "edit-tag i=1&a=user/-/label/own&r=user/-/label/OWN",
            "edit-tag i=1&a=user/-/label/a,b", "mark-all-as-read T=x", "mark-all-as-read s=feed/99",
            "mark-all-as-read s=feed/%2B1", "mark-all-as-read s=user/-/state/com.google/unheard-of",
            "mark-all-as-read s=user/-/state/com.google/reading-list&ts=x",
            "mark-all-as-read s=user/-/state/com.google/reading-list&ts=1700000000000000000",
            "mark-all-as-read s=user/-/state/com.google/reading-list&until=1700000000",
            "mark-all-as-read s=user/-/state/com.google/reading-list&s=feed/99",
        ])
    func refused(request: String) async throws {
        let reader = try await Reader()
        let parts = request.split(separator: " ").map(String.init)
        let answer = try await reader.send(
            .post, "/reader/api/0/\(parts[0])", form: parts[1], token: reader.logIn())
        #expect(answer.status == 400)
        #expect(try await reader.read().isEmpty)
    }

    @Test("All articles of a feed, or of everything, are marked as read", arguments: StoreEngine.allCases)
    func markAll(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        func mark(_ stream: String) async throws {
            #expect(
                try await reader.send(
                    .post, "/reader/api/0/mark-all-as-read", form: "s=\(stream)&T=x", token: token
                ).text == "OK")
        }
        try await mark(reader.feed("news"))
        #expect(try await reader.read() == Set(reader.articles.prefix(2)))
        try await mark("user/-/state/com.google/reading-list")
        #expect(try await reader.read() == Set(reader.articles))
    }

    @Test("Changes need a POST, and a token that may write", arguments: ["edit-tag", "mark-all-as-read"])
    func rights(endpoint: String) async throws {
        let reader = try await Reader()
        let form =
            endpoint == "edit-tag" ? "i=\(reader.articles[0])&a=\(read)" : "s=\(try reader.feed("news"))"
        let target = "/reader/api/0/" + endpoint
        #expect(try await reader.send(target + "?" + form, token: reader.logIn()).status == 405)
        #expect(try await reader.send(.post, target, form: form, token: reader.apiToken(.read)).status == 403)
        #expect(try await reader.read().isEmpty)
        #expect(try await reader.send(.post, target, form: form, token: reader.apiToken(.write)).status == 200)
    }

    @Test("newsboat gets a feed newest first, with states as categories, safe HTML, and plain text as text")
    func atom() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let form = "i=\(reader.articles[0])&a=\(read)&a=\(starred)&a=user/-/label/fresh"
        _ = try await reader.send(.post, "/reader/api/0/edit-tag", form: form, token: token)
        let feed = try reader.feed("news")
        let target = "/reader/atom/" + feed.replacing("/", with: "%2F") + "?n=20"
        let answer = try await reader.send(target, token: token)
        let entries = answer.text.split(separator: "<entry>").dropFirst()
        #expect(entries.count == 2)
        let (first, second) = (try #require(entries.first), try #require(entries.last))
        let scheme = "scheme=\"http://www.google.com/reader/\" label="
        #expect(first.contains("Title of one &lt;&amp;&gt;") && second.contains("Title of two"))
        #expect(first.contains(scheme + "\"read\"") && first.contains(scheme + "\"starred\""))
        #expect(!first.contains(scheme + "\"fresh\"") && first.contains("term=\"user/-/label/fresh\""))
        #expect(second.contains(scheme + "\"fresh\"") && !second.contains(scheme + "\"read\""))
        #expect(first.contains("href=\"https://example.org/one?a=1&amp;b=2\"") && first.contains("<name>Ann</name>"))
        #expect(answer.text.contains("Body") && !answer.text.contains("evil") && !answer.text.contains("onclick"))
        let unread = try await reader.send("/reader/atom/\(feed)?n=1&xt=\(read)", token: token)
        #expect(unread.text.contains("Title of two") && !unread.text.contains("Title of one"))
    }

    @Test("A picture of the library has an address of this server, and others stay as they are")
    func pictures() async throws {
        let reader = try await Reader()
        let article = try #require(
            try await reader.services.articles.upsert(
                [
                    ArticleDraft(
                        key: "p", slug: "p", title: "P", body: "![a](/a.gif) ![b](/b.gif)",
                        sourceURL: "https://blog.test/post")
                ], into: SourceFacts(name: "news", kind: .feed)
            ).first)
        let picture = try #require(Picture(Array("GIF89a".utf8) + [0]))
        let pictures = try #require(reader.services.pictures)
        let reference = try #require(try await pictures.store(picture, at: "https://blog.test/a.gif", of: article.id))
        let token = try await reader.logIn()
        let feed = try reader.feed("news")
        for target in [
            "/reader/atom/" + feed.replacing("/", with: "%2F"), "/reader/api/0/stream/contents/\(feed)?output=json",
        ] {
            let text = try await reader.send(target, token: token).text.replacing("\\/", with: "/")
            #expect(text.contains("articles.example\(reference.uid.path)"), "\(text)")
            #expect(text.contains("https://blog.test/b.gif"))
            #expect(!text.contains("https://blog.test/a.gif"))
        }
    }

    @Test(
        "Unknown streams and filters of feeds are refused",
        arguments: [
            "feed/99", "feed/x", "user/-/state/com.google/broadcast", "feed/1?ot=x", "feed/1?c=abc", "feed/1?n=0",
            "feed/1?xt=user/-/state/com.google/like", "feed/1?r=c", "feed/1?it=x", "feed/1?n=x",
        ])
    func refusedStreams(stream: String) async throws {
        let reader = try await Reader()
        #expect(try await reader.send("/reader/atom/" + stream, token: reader.logIn()).status == 400)
    }
}
