import ArticleStore
import Foundation
import HTTPServer
import LibraryServices
import StoreEngines
import Testing
import Text
import WebAPI

@Suite("Feeds at secret addresses")
struct FeedFrontTests {
    private func ask(
        _ service: Service, _ path: String, _ method: HTTPMethod = .get, fields: HTTPFields = [.host: "example.org"]
    ) async throws -> Service.Reply {
        try await service.feed(path, method, fields: fields)
    }

    @Test("A list is a feed, with the marks of the address's user, until the address is renewed")
    func feed() async throws {
        let service = try await Service()
        try await service.fill(4)
        _ = try await service.ask(.put, "/articles/article-1/marks", #"{"starred": true}"#)
        #expect(try await service.ask(.get, "/feed-address").json["since"] is NSNull)
        let made = try await service.ask(.post, "/feed-address", fields: [.host: "example.org"])
        #expect(made.status == 201 && made.field(.cacheControl) == "no-store")
        let site = "http://example.org"
        let addresses = ["atom", "json"].compactMap { made.json[$0] as? String }
        try #require(addresses.count == 2 && addresses.allSatisfy { $0.hasPrefix(site + "/feeds/") })
        let (atom, json) = (String(addresses[0].dropFirst(site.count)), String(addresses[1].dropFirst(site.count)))
        let feed = try await ask(service, atom)
        #expect(feed.status == 200 && feed.field(.contentType)?.hasPrefix("application/atom+xml") == true)
        #expect(feed.text.components(separatedBy: "<entry").count == 5)
        #expect(feed.text.contains("https://example.org/articles/article-3"))
        // The text of a feed does not contain its address.
        #expect(!feed.text.contains(atom.split(separator: "/")[1]))
        let starred = try await ask(service, json + "?starred=true")
        #expect(starred.objects("items").compactMap { $0["title"] as? String } == ["Article 1"])
        #expect(starred.json["title"] as? String == "Library: starred")
        let tag = try #require(starred.fields[.eTag])
        #expect(
            try await ask(service, json + "?starred=true", fields: [.host: "example.org", .ifNoneMatch: tag]).status
                == 304)
        #expect(try await ask(service, atom + "?bogus=1").status == 400)
        #expect(try await ask(service, atom + "?read=true&unread=true").status == 400)
        #expect(try await ask(service, atom, .post).status == 405)
        _ = try await service.ask(.post, "/feed-address")
        #expect(try await ask(service, atom).status == 404)
        #expect(try await service.ask(.delete, "/feed-address").status == 204)
        #expect(try await ask(service, "/feeds/x/atom").status == 404)
    }

    @Test("The pictures of the library have addresses of this server in a feed")
    func pictures() async throws {
        let service = try await Service()
        let id = try #require(
            try await service.services.articles.upsert(
                [
                    ArticleDraft(
                        key: "p", title: "P", body: "![a](/a.gif) ![b](/b.gif)", sourceURL: "https://blog.test/post")
                ], into: SourceFacts(name: "blog", kind: .feed)
            ).first?.id)
        let picture = try #require(Picture(Array("GIF89a".utf8) + [0]))
        let pictures = try #require(service.services.pictures)
        let reference = try #require(try await pictures.store(picture, at: "https://blog.test/a.gif", of: id))
        let made = try await service.ask(.post, "/feed-address", fields: [.host: "example.org"])
        for name in ["atom", "json"] {
            let address = try #require(made.json[name] as? String)
            let text = try await ask(service, String(address.dropFirst("http://example.org".count))).text
            #expect(text.contains("example.org\(reference.uid.path)"), "\(name)")
            #expect(!text.contains("https://blog.test/a.gif"))
            #expect(text.contains("https://blog.test/b.gif"))
        }
    }

    private static let secret = "Abcdefghij-klmnopqrst_uvwxyz0123456789ABCDE"

    @Test(
        "Logs have no secret of an address, however that is written",
        arguments: [
            ("/feeds/SECRET/atom", "/feeds/…/atom"), ("/feeds/SECRET", "/feeds/…"), ("/feeds/x", "/feeds/…"),
            ("/feed%73/SECRET/json", "/feed%73/…/json"), ("/%66eeds/x/ato%6D", "/%66eeds/…/ato%6D"),
            ("//feeds/x/atom", "//feeds/…/atom"), ("/feeds//x/atom", "/feeds//…/atom"),
            ("/feeds/x//atom/", "/feeds/…//atom/"), ("/FEEDS/x/ATOM", "/FEEDS/…/ATOM"),
            ("/feeds/atom/x", "/feeds/atom/…"), ("/feeds/x/atom/y", "/feeds/…/atom/…"),
            ("/feed/x/atom", "/feed/…/atom"), ("/%20feeds/x/atom", "/%20feeds/…/atom"),
            ("/feed%2573/x/atom", "/feed%2573/…/atom"), ("/feeds%2Fx%2Fatom", "/…"),
            ("/feeds%2Fatom/x", "/feeds%2Fatom/…"),
            ("/feeds/x%2Fatom", "/feeds/…"), ("/articles/SECRET.", "/articles/…"), ("/feedsSECRET/atom", "/…/atom"),
            ("/library/feeds/SECRET/atom", "/library/feeds/…/atom"), ("/SECRET", "/…"),
            ("/library/%41SECRET", "/library/…"), ("/websub/x", "/websub/…"), ("/pictures/x", "/pictures/…"),
            ("/WebSub/x/y", "/WebSub/…/…"),
        ])
    func logs(path: String, logged: String) throws {
        let path = path.replacing("SECRET", with: Self.secret)
        #expect(FeedFront.pathWithoutSecret(of: try #require(HTTPTarget(path + "?q=1"))) == logged)
    }

    @Test(
        "Logs have the rest of an address unchanged",
        arguments: [
            "/", "/articles/feeds", "/articles/feeds/edit", "/feeds", "/feeds/", "/api/v1/feed-address",
            "//a//b/%C3%BC/",
            "/articles/a-slug-that-is-as-long-as-a-secret-or-longer-than-that",
            "/reader/api/0/stream/contents/feed/1",
        ])
    func logged(path: String) throws {
        #expect(FeedFront.pathWithoutSecret(of: try #require(HTTPTarget(path))) == path)
    }
}
