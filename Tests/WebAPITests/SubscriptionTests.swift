import ArticleStore
import AuthService
import FetchingSupport
import Foundation
import HTTPClient
import LibraryServices
import HTTPServer
import TestSupport
import Testing

@Suite("Subscriptions in the API")
struct SubscriptionTests {
    private let address = "https://example.org/feed"

    /// Returns a service, and a server with a feed of two entries.
    private func service() async throws -> Service {
        let service = try await Service()
        let now = service.clock.now
        service.web.serve(address, body: FakeWeb.feed([now, now.addingTimeInterval(-60)], title: "Blog"))
        return service
    }

    private func subscribe(_ service: Service, _ address: String, as who: String = "ed") async throws -> Service.Reply {
        try await service.ask(.post, "/sources", as: who, #"{"address": "\#(address)"}"#)
    }

    @Test("An editor subscribes, sees the subscription, fetches, and unsubscribes; the articles stay")
    func story() async throws {
        let service = try await service()
        let made = try await service.ask(
            .post, "/sources", as: "ed", #"{"address": "\#(address)", "name": "Mine", "tags": ["News"]}"#)
        #expect(made.status == 201 && made.json["name"] as? String == "Mine")
        #expect(made.json["tags"] as? [String] == ["News"] && made.json["articles"] as? Int == 2)
        let path = try #require(made.field(.location)?.dropFirst("/api/v1".count))
        let listed = try #require(try await service.ask(.get, "/sources").objects("sources").first)
        let subscription = try #require(listed["subscription"] as? [String: Any])
        #expect(subscription["address"] as? String == address && subscription["state"] as? String == "active")
        #expect(subscription["lastFetch"] is String && subscription["nextFetch"] is String)
        #expect(subscription["lastError"] is NSNull && subscription["failures"] as? Int == 0)
        #expect(try await service.ask(.get, String(path)).json["name"] as? String == "Mine")

        service.web.serve(address, status: 500)
        let fetched = try await service.ask(.post, path + "/fetch", as: "ed")
        let after = try #require(fetched.json["subscription"] as? [String: Any])
        #expect(fetched.status == 200 && after["failures"] as? Int == 1)
        #expect((after["lastError"] as? String)?.contains("500") == true)

        let changed = try await service.ask(.patch, String(path), as: "ed", #"{"fullText": true}"#)
        #expect((changed.json["subscription"] as? [String: Any])?["fullText"] as? Bool == true)
        try await settings(service, String(path))

        #expect(try await service.ask(.delete, path + "/subscription", as: "ed").status == 204)
        let ended = try await service.ask(.get, String(path))
        #expect(ended.json["subscription"] is NSNull && ended.json["articles"] as? Int == 2)
        for reply in [
            try await service.ask(.delete, path + "/subscription", as: "ed"),
            try await service.ask(.post, path + "/fetch", as: "ed"),
            try await service.ask(.patch, String(path), as: "ed", #"{"name": "Other", "fullText": true}"#),
        ] {
            #expect(reply.status == 404 && reply.code == "notSubscribed")
        }
        #expect(try await service.ask(.get, String(path)).json["name"] as? String == "Mine")
        let log = AuditQuery(kind: .libraryChanged)
        let records = try await service.services.auth.events(matching: log, by: .system(user: "test"))
        #expect(
            records.map { String($0.event.detail.prefix { $0 != ":" }) } == [
                "unsubscribe", "paused off", "full text off, paused on, unread on update on, keep 30d", "full text on",
                "subscribe",
            ])
    }

    @Test("An editor replaces the text of an article with that of its page, unless it has no page")
    func page() async throws {
        let service = try await service()
        let text = String(repeating: "The whole text of the page, with commas, and words. ", count: 30)
        service.web.serve(
            "https://example.org/1", ["Content-Type": "text/html"], body: "<html><title>P</title><p>\(text)</p></html>")
        let made = try await service.ask(
            .post, "/articles", as: "ed", #"{"title": "P", "body": "Short.", "url": "https://example.org/1"}"#)
        let path = String(try #require(made.field(.location)?.dropFirst("/api/v1".count))) + "/page"
        #expect(try await service.ask(.post, path).status == 403)
        let fetched = try await service.ask(.post, path, as: "ed")
        #expect(fetched.status == 200)
        #expect((fetched.json["body"] as? String)?.contains("The whole text") == true)
        service.web.serve("https://example.org/1", status: 410)
        #expect(try await service.ask(.post, path, as: "ed").status == 502)
        let alone = try await service.ask(.post, "/articles", as: "ed", #"{"title": "Q", "body": "Alone."}"#)
        let other = String(try #require(alone.field(.location)?.dropFirst("/api/v1".count))) + "/page"
        #expect(try await service.ask(.post, other, as: "ed").status == 409)
    }

    /// Changes the settings of a source.
    private func settings(_ service: Service, _ path: String) async throws {
        let body = #"{"paused": true, "keep": "30d", "unreadOnUpdate": true, "fullText": false}"#
        let changed = try await service.ask(.patch, path, as: "ed", body)
        let subscription = try #require(changed.json["subscription"] as? [String: Any])
        #expect(subscription["paused"] as? Bool == true && subscription["nextFetch"] is NSNull)
        #expect(subscription["keep"] as? String == "30d" && subscription["unreadOnUpdate"] as? Bool == true)
        #expect(subscription["fullText"] as? Bool == false && subscription["quiet"] as? Bool == false)
        // The same change again is not recorded.
        #expect(try await service.ask(.patch, path, as: "ed", body).status == 200)
        let bad = try await service.ask(.patch, path, as: "ed", #"{"keep": "much", "paused": false}"#)
        #expect(bad.status == 422 && bad.json["pointer"] as? String == "/keep")
        let resumed = try await service.ask(.patch, path, as: "ed", #"{"paused": false}"#)
        #expect((resumed.json["subscription"] as? [String: Any])?["nextFetch"] is String)

        // A reader may make a source quiet, and only for themselves.
        let quiet = try await service.ask(.put, path + "/quiet", as: "rita")
        #expect(quiet.status == 200 && (quiet.json["subscription"] as? [String: Any])?["quiet"] as? Bool == true)
        let other = try await service.ask(.get, path, as: "ed")
        #expect((other.json["subscription"] as? [String: Any])?["quiet"] as? Bool == false)
        let loud = try await service.ask(.delete, path + "/quiet", as: "rita")
        #expect((loud.json["subscription"] as? [String: Any])?["quiet"] as? Bool == false)
    }

    @Test("Several feeds of a page are listed, and each can be subscribed")
    func several() async throws {
        let service = try await service()
        let links = [("feed", "All"), ("comments", "Comments")].map { path, title in
            #"<link rel="alternate" type="application/atom+xml" href="/\#(path)" title="\#(title)">"#
        }
        service.web.serve("https://example.org/", body: "<html><head>\(links.joined())</head></html>")
        let reply = try await subscribe(service, "example.org")
        #expect(reply.status == 422 && reply.code == "severalFeeds")
        let feeds = reply.objects("feeds")
        #expect(feeds.map { $0["title"] as? String } == ["All", "Comments"])
        let chosen = try #require(feeds.first?["address"] as? String)
        let made = try await subscribe(service, chosen)
        #expect(made.status == 201)
        let again = try await subscribe(service, address)
        #expect(again.status == 409 && again.code == "alreadySubscribed")
        #expect(again.json["source"] as? String == made.json["id"] as? String)
    }

    @Test("Each failure has its own code, and nothing is subscribed")
    func failures() async throws {
        let service = try await service()
        service.web.serve("https://none.example/", body: "<html></html>")
        let errors: [(String, HTTPClientError)] = [
            ("private", .forbiddenHost("10.0.0.1")), ("port", .forbiddenPort(22)), ("slow", .timedOut),
        ]
        for (name, error) in errors {
            service.web.serve("https://\(name).example/") { _ throws(HTTPClientError) in throw error }
        }
        for (address, status, code) in [
            ("https://none.example/", 422, "noFeed"), ("https://example.org/404", 502, "unreachable"),
            ("https://private.example/", 422, "addressNotAllowed"), ("https://port.example/", 422, "addressNotAllowed"),
            ("https://slow.example/", 502, "unreachable"), ("file:///etc/passwd", 422, "invalidAddress"),
        ] {
            let reply = try await subscribe(service, address)
            #expect(reply.status == status && reply.code == code, "\(address): \(reply.text)")
            #expect(reply.json["pointer"] as? String == (status == 422 ? "/address" : nil))
            #expect(reply.field(.contentType) == "application/problem+json")
        }
        let named = try await service.ask(
            .post, "/sources", as: "ed", #"{"address": "\#(address)", "name": "\u0007"}"#)
        #expect(named.status >= 400 && named.status < 500)
        #expect(try await subscribe(service, address, as: "rita").code == "notAllowed")
        #expect(try await service.ask(.get, "/sources").objects("sources").isEmpty)
        #expect(try await service.services.subscriptions.subscriptions().isEmpty)
    }

    @Test("A server that does not fetch refuses to subscribe")
    func off() async throws {
        let service = try await Service(fetches: false)
        let reply = try await subscribe(service, address)
        #expect(reply.status == 403 && reply.code == "fetchingIsOff")
    }
}
