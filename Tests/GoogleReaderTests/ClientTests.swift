import Text
import ArticleStore
import AuthService
import LibraryServices
import Foundation
import GoogleReader
import HTTPServer
import StoreEngines
import TestSupport
import Testing

private let state = "user/-/state/com.google/"
private let prefix = "tag:google.com,2005:reader/item/"

/// The first sync of real clients and one change, with the requests of their code, and the values that they read from
/// the responses: a key that a client requires is not optional here.
struct ClientTests {
    private static func hexadecimal(_ number: Int64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Ranchero-Software/NetNewsWire, Modules/Account/Sources/Account/ReaderAPI/ReaderAPICaller.swift, and the types
    /// that it decodes in ReaderAPIEntry.swift, ReaderAPISubscription.swift, ReaderAPITag.swift, and
    /// ReaderAPIUnreadEntry.swift.
    @Test("The requests of NetNewsWire work")
    func netNewsWire() async throws {
        struct Entries: Decodable {
            struct Entry: Decodable {
                struct Summary: Decodable { let content: String? }
                struct Location: Decodable { let href: String? }
                struct Origin: Decodable { let streamId, title: String? }
                let id: String
                let published: Double?
                let crawlTimeMsec, timestampUsec: String?
                let summary: Summary
                let alternate: [Location]
                let categories: [String]
                let origin: Origin
            }
            let id: String
            let updated: Int
            let items: [Entry]
        }
        struct References: Decodable {
            struct Reference: Decodable { let id: String }
            let itemRefs: [Reference]?
            let continuation: String?
        }
        struct Subscriptions: Decodable {
            struct Subscription: Decodable {
                struct Category: Decodable { let id, label: String }
                let id: String
                let categories: [Category]
                let url: String
            }
            let subscriptions: [Subscription]
        }
        struct Tags: Decodable {
            struct Tag: Decodable { let id: String }
            let tags: [Tag]
        }
        let reader = try await Reader()
        let answer = try await reader.send(
            .post, "/accounts/ClientLogin", form: "Email=al&Passwd=correct%20horse%20battery%20staple")
        // The client splits each line at its equals sign, which it requires.
        let lines = answer.text.split(separator: "\n").map { $0.split(separator: "=").map(String.init) }
        let token = try #require(lines.first { $0[0] == "Auth" }?[1])
        #expect(lines.allSatisfy { $0.count == 2 })
        let action = try await reader.send(Reader.api + "token", token: token).text
        _ = try await reader.send(Reader.api + "tag/list?output=json", token: token).decoded(Tags.self)
        let feeds = try await reader.send(Reader.api + "subscription/list?output=json", token: token)
            .decoded(Subscriptions.self).subscriptions
        func ids(_ query: String) async throws -> [String] {
            let target = Reader.api + "stream/items/ids?n=1000&output=json&" + query
            return try await reader.send(target, token: token).decoded(References.self).itemRefs?.map(\.id) ?? []
        }
        let month = 1_700_000_000 - 90 * 86_400
        let all = try await ids("ot=\(month)&s=user/-/state/com.google/reading-list")
        let unread = try await ids("s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read")
        #expect(all.count == 3 && unread == all)
        #expect(try await ids("s=user/-/state/com.google/starred").isEmpty)
        #expect(try await ids("ot=\(month)&s=\(feeds[0].id)").count == 2)
        let wanted = try all.map { "i=\(prefix)" + String(try #require(Int($0)), radix: 16) }
        let form = "T=\(action)&output=json&" + wanted.joined(separator: "&")
        let entries = try await reader.post("stream/items/contents", form, token: token).decoded(Entries.self).items
        let read = try entries.map {
            String(try #require(Int($0.id.components(separatedBy: "/").last ?? "", radix: 16)))
        }
        #expect(read == all && entries.allSatisfy { $0.origin.streamId != nil && $0.published != nil })
        let first = Self.hexadecimal(reader.articles[0])
        let change = "T=\(action)&i=\(prefix)\(first)&a=user/-/state/com.google/read"
        #expect(try await reader.post("edit-tag", change, token: token).status == 200)
        #expect(try await reader.read() == [reader.articles[0]])
        let later = try await ids("s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read")
        #expect(later == all.dropLast())
    }

    /// ReadYouApp/ReadYou, app/src/main/java/me/ash/reader/infrastructure/rss/provider/greader/GoogleReaderAPI.kt, and
    /// app/src/main/java/me/ash/reader/domain/service/GoogleReaderRssService.kt, also in the earlier version of
    /// Ashinch/ReadYou.
    @Test("The requests of Read You work")
    func readYou() async throws {
        struct Auth: Decodable { let Auth: String }
        struct User: Decodable { let userName: String }
        struct Feeds: Decodable {
            struct Category: Decodable { let id, label: String }
            struct Feed: Decodable {
                let id, title, url: String
                let categories: [Category]?
            }
            let subscriptions: [Feed]
        }
        struct IDs: Decodable {
            struct Item: Decodable { let id: String }
            let itemRefs: [Item]
            let continuation: String?
        }
        let reader = try await Reader()
        let form =
            "output=json&Email=al&Passwd=correct%20horse%20battery%20staple&client=ReadYou%2F0.14"
            + "&accountType=HOSTED_OR_GOOGLE&service=reader"
        let token = try await reader.send(.post, "/accounts/ClientLogin", form: form).decoded(Auth.self).Auth
        let action = try await reader.send(Reader.api + "token", token: token).text
        #expect(
            try await reader.send(Reader.api + "user-info?output=json", token: token).decoded(User.self).userName
                == "al")
        _ = try await reader.post(
            "edit-tag?output=json", "i=\(reader.articles[1])&a=\(state)read&T=\(action)", token: token)
        func ids(_ query: String) async throws -> [Int64] {
            var (ids, continuation): ([Int64], String?) = ([], nil)
            repeat {
                let target =
                    Reader.api + "stream/items/ids?output=json&" + query + (continuation.map { "&c=\($0)" } ?? "")
                let page = try await reader.send(target, token: token).decoded(IDs.self)
                ids += page.itemRefs.compactMap { Int64($0.id) }
                continuation = page.continuation
            } while continuation != nil
            return ids
        }
        let month = 1_700_000_000 - 30 * 86_400
        let unread = try await ids("s=\(state)reading-list&xt=\(state)read&n=1000")
        let starred = try await ids("s=\(state)starred&n=1000")
        let read = try await ids("s=\(state)read&ot=\(month)&n=1000")
        #expect(try await ids("s=\(state)reading-list&it=\(state)read&ot=\(month)&n=1") == read)
        #expect(unread == [reader.articles[2], reader.articles[0]] && starred.isEmpty && read == [reader.articles[1]])
        let feeds = try await reader.send(Reader.api + "subscription/list?output=json", token: token)
            .decoded(Feeds.self).subscriptions
        #expect(try await ids("s=\(feeds[0].id)&xt=\(state)read&n=1000") == [reader.articles[0]])
        let wanted = (unread + read).map { "i=\($0)" }.joined(separator: "&")
        let contents = try await reader.post("stream/items/contents?output=json", "\(wanted)&T=\(action)", token: token)
            .decoded(Reader.Contents.self)
        #expect(contents.numbers == unread + read)
        // Earlier versions send 16 digits.
        let old = try await reader.post(
            "stream/items/contents?output=json", "i=\(Self.hexadecimal(read[0]))&T=", token: token)
        #expect(try old.decoded(Reader.Contents.self).numbers == read)
        // The client drops IDs that are not 16 digits after the prefix.
        #expect(contents.items.allSatisfy { $0.id.hasPrefix(prefix) && $0.id.dropFirst(prefix.count).utf8.count == 16 })
        let change = "s=\(feeds[0].id)&ts=1700000001000&T=\(action)"
        #expect(try await reader.post("mark-all-as-read?output=json", change, token: token).text == "OK")
        #expect(try await reader.read() == Set(reader.articles[...1]))
    }

    /// yang991178/fluent-reader, src/scripts/models/services/greader.ts.
    @Test("The requests of Fluent Reader work")
    func fluentReader() async throws {
        let reader = try await Reader()
        let answer = try await reader.send(
            .post, "/accounts/ClientLogin", form: "Email=al&Passwd=correct+horse+battery+staple")
        let token = String(try #require(answer.text.firstMatch(of: /Auth=(\S+)/)?.1))
        #expect(try await reader.send(Reader.api + "user-info", token: token).status == 200)
        #expect(try await reader.send(Reader.api + "subscription/list?output=json", token: token).status == 200)
        let unread = try await reader.ids("s=\(state)reading-list&xt=\(state)read&n=1000", token: token)
        #expect(unread.numbers.count == 3)
        #expect(try await reader.ids("s=\(state)starred&n=1000", token: token).numbers.isEmpty)
        /// A page since the last time; its first item determines the next time.
        func fetch(_ since: String) async throws -> [Reader.Contents.Item] {
            let target = Reader.api + "stream/contents?output=json&n=125" + since
            return try await reader.send(target, token: token).decoded(Reader.Contents.self).items
        }
        let items = try await fetch("")
        #expect(items.count == 3 && items.allSatisfy { $0.canonical.first?.href.hasPrefix("https://") == true })
        let last = items[0]
        // Without new articles the last one is sent again, and the client stops there.
        let seconds = Int((try #require(Double(last.crawlTimeMsec)) / 1_000).rounded())
        #expect(try await fetch("&ot=\(seconds)").first?.id == last.id)
        reader.clock.advance(by: 100)
        let late = try await reader.services.articles.upsert(
            .init(key: "late", title: "Late", body: "Body.", published: Date(timeIntervalSince1970: 0))
        ).id
        #expect(try await fetch("&ot=\(seconds)").map(\.number).prefix(2) == [late, last.number])
        let refs = [reader.articles[0], reader.articles[1]].map(String.init).joined(separator: "&i=")
        #expect(try await reader.post("edit-tag", "i=\(refs)&a=\(state)read", token: token).status == 200)
        #expect(
            try await reader.post("mark-all-as-read", "s=\(try reader.feed("library"))", token: token).status == 200)
        #expect(try await reader.read() == Set(reader.articles))
    }

    /// martinrotter/rssguard, src/librssguard/services/greader/greadernetwork.cpp and definitions.h, for FreshRSS.
    @Test("The requests of RSS Guard work")
    func rssGuard() async throws {
        let reader = try await Reader()
        let base = "/api/greader.php"
        let answer = try await reader.send(
            .post, base + "/accounts/ClientLogin", form: "Email=al&Passwd=correct%20horse%20battery%20staple")
        let token = try #require(answer.text.split(separator: "\n").first { $0.hasPrefix("Auth=") }?.dropFirst(5))
        func get(_ target: String) async throws -> Reader.Answer {
            try await reader.send(base + Reader.api + target, token: String(token))
        }
        #expect(try await get("user-info?output=json").status == 200)
        #expect(try await get("tag/list?output=json").text.hasPrefix("{\"tags\":["))
        #expect(try await get("subscription/list?output=json").text.hasPrefix("{\"subscriptions\":["))
        let year = 1_700_000_000 - 365 * 86_400
        let stream = "user%2F-%2Fstate%2Fcom.google%2Freading-list"
        let target = "stream/items/ids?output=json&n=200000&s=\(stream)"
        let unread = try await get(target + "&xt=\(state)read&ot=\(year)").decoded(Reader.IDs.self)
        let all = try await get(target + "&ot=\(year)").decoded(Reader.IDs.self)
        #expect(all.numbers == reader.articles.reversed() && unread.numbers == all.numbers)
        // Up to 9,999 IDs at a time.
        let ids = all.numbers + (1_000..<10_996).map(Int64.init)
        let form = ids.map { "i=tag%3Agoogle.com%2C2005%3Areader%2Fitem%2F" + Self.hexadecimal($0) }
            .joined(separator: "&")
        let contents = try await reader.send(
            .post, base + Reader.api + "stream/items/contents?output=json&n=200000", form: form, token: String(token)
        ).decoded(Reader.Contents.self)
        #expect(contents.numbers == all.numbers && contents.continuation == nil)
        let feed = try reader.feed("news").replacing("/", with: "%2F")
        let own = try await get("stream/contents/\(feed)?output=json&n=2000000&xt=\(state)read&ot=\(year)")
        #expect(try own.decoded(Reader.Contents.self).items.count == 2)
        let change = "a=\(state)starred&" + contents.items.map { "i=" + $0.id }.joined(separator: "&")
        let done = try await reader.send(
            .post, base + Reader.api + "edit-tag", form: change, token: String(token))
        #expect(done.status == 200)
        #expect(try await reader.ids("s=\(state)starred", token: String(token)).numbers == all.numbers)
    }
}
