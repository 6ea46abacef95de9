import Text
import ArticleStore
import LibraryServices
import Foundation
import GoogleReader
import HTTPServer
import StoreEngines
import TestSupport
import Testing

private let state = "user/-/state/com.google/"

/// The tables that clients fill from the responses. A row that violates a constraint ends the sync of the client, so it
/// is an error here.
@Suite("A whole sync of a client")
struct ClientModelTests {
    private struct Subscriptions: Decodable {
        struct Category: Decodable { let id, label: String }
        struct Subscription: Decodable {
            let id, title, url, htmlUrl: String
            let categories: [Category]
        }
        let subscriptions: [Subscription]
    }

    private struct Violation: Error, CustomStringConvertible { let description: String }

    /// Returns a library of folders, of feeds (two of which are the same), and of sources with the same site.
    private func library(on engine: StoreEngine) async throws -> (reader: Reader, token: String) {
        let reader = try await Reader(on: engine)
        var others = (1...9).map { SourceFacts(name: "folder \($0)", kind: .folder, location: ExactText("/srv/\($0)")) }
        let feed = "https://example.com/atom"
        for name in ["twice", "once more"] {
            others.append(
                SourceFacts(
                    name: name, kind: .file, location: ExactText("/srv/\(name).xml"), home: "https://example.com/",
                    feedURL: feed))
        }
        others.append(SourceFacts(name: "files", kind: .files, location: "/srv/files", home: "https://example.com/"))
        for facts in others {
            try await reader.services.articles.upsert(
                [ArticleDraft(key: "a", title: "In \(facts.name)", body: "Text of \(facts.name)")], into: facts)
        }
        return (reader, try await reader.logIn())
    }

    private func subscriptions(_ reader: Reader, _ token: String) async throws -> [Subscriptions.Subscription] {
        try await reader.send(Reader.api + "subscription/list?output=json", token: token)
            .decoded(Subscriptions.self).subscriptions
    }

    private func contents(_ reader: Reader, _ token: String) async throws -> [Reader.Contents.Item] {
        try await reader.send(Reader.api + "stream/contents?output=json&n=125", token: token)
            .decoded(Reader.Contents.self).items
    }

    /// yang991178/fluent-reader, src/scripts/db.ts and src/scripts/models/service.ts: the column `url` has a unique index, and an
    /// empty address is replaced by that of the site.
    private struct FluentReader {
        var sources: [String: String] = [:]
        var items: [String: String] = [:]

        mutating func update(_ subscriptions: [Subscriptions.Subscription]) throws {
            for subscription in subscriptions where sources[subscription.id] == nil {
                let url = subscription.url.isEmpty ? subscription.htmlUrl : subscription.url
                // The client gives the row of another source to this one, and deletes the items of the other.
                guard !url.isEmpty, !sources.values.contains(url) else {
                    throw Violation(description: "\(subscription.title) has the address of another source: “\(url)”")
                }
                sources[subscription.id] = url
            }
        }

        mutating func insert(_ fetched: [Reader.Contents.Item]) throws {
            for item in fetched where sources[item.origin.streamId] != nil {
                guard let link = item.canonical.first?.href, URL(string: link)?.host() != nil else {
                    throw Violation(description: "\(item.title) has no address")
                }
                items[item.id] = link
            }
        }
    }

    @Test(
        "Fluent Reader stores each source under an address of its own, which a new name keeps",
        arguments: StoreEngine.allCases)
    func fluentReader(engine: StoreEngine) async throws {
        let (reader, token) = try await library(on: engine)
        var client = FluentReader()
        let first = try await subscriptions(reader, token)
        try client.update(first)
        try client.insert(try await contents(reader, token))
        #expect(client.sources.count == 14 && client.items.count == 15)
        #expect(client.sources[try reader.feed("news")] == "https://example.org/feed")
        #expect(client.sources.values.filter { $0 == "https://example.com/atom" }.count == 1)
        #expect(!first.contains { ($0.url + $0.htmlUrl).contains("/srv/") })
        // A rename, and another source, change no address.
        let folder = try #require(first.first { $0.title == "folder 3" })
        _ = try await reader.post("subscription/edit", "ac=edit&s=\(folder.id)&t=Notes", token: token)
        try await reader.services.articles.upsert(
            [ArticleDraft(key: "a", title: "Late", body: "Text.")],
            into: SourceFacts(name: "late", kind: .folder, location: "/srv/late"))
        let second = try await subscriptions(reader, token)
        #expect(Array(second.map(\.url).prefix(first.count)) == first.map(\.url))
        try client.update(second)
        #expect(client.sources.count == 15)
    }

    @Test("The address of a source without a feed returns its articles")
    func ownAddress() async throws {
        let (reader, token) = try await library(on: .sqlite)
        let folder = try #require(try await subscriptions(reader, token).first { $0.title == "folder 3" })
        let site = "http://articles.example"
        #expect(folder.url.hasPrefix(site) && folder.htmlUrl == site + "/articles?source=folder%203")
        let feed = try await reader.send(String(folder.url.dropFirst(site.count)), token: token)
        #expect(feed.status == 200 && feed.text.contains("Text of folder 3") && !feed.text.contains("Text of folder 4"))
    }

    /// Ranchero-Software/NetNewsWire, Modules/Account/Sources/Account/ReaderAPI/ReaderAPIAccountDelegate.swift: the settings of a
    /// feed are stored by its address; a feed in a folder that is not in the list of tags ends the sync of folders.
    @Test("NetNewsWire finds the folder of each feed, and stores the settings of each", arguments: StoreEngine.allCases)
    func netNewsWire(engine: StoreEngine) async throws {
        struct Tags: Decodable {
            struct Tag: Decodable { let id: String }
            let tags: [Tag]
        }
        let (reader, token) = try await library(on: engine)
        for subscription in try await subscriptions(reader, token).prefix(4) {
            _ = try await reader.post(
                "subscription/edit", "ac=edit&s=\(subscription.id)&a=user/-/label/Some+words", token: token)
        }
        let tags = try await reader.send(Reader.api + "tag/list?output=json", token: token).decoded(Tags.self).tags
        let folders = Set(tags.map(\.id).filter { $0.contains("/label/") })
        let feeds = try await subscriptions(reader, token)
        #expect(Dictionary(feeds.map { ($0.url, $0.id) }) { first, _ in first }.count == feeds.count)
        #expect(
            feeds.flatMap(\.categories).count == 4 && feeds.flatMap(\.categories).allSatisfy { folders.contains($0.id) }
        )
        let ids = Set(feeds.map(\.id))
        let items = try await contents(reader, token)
        #expect(items.count == 15 && items.allSatisfy { ids.contains($0.origin.streamId) })
    }

    /// ReadYouApp/ReadYou, GoogleReaderRssService.kt: a feed needs an address and a group, an article the feed that it is of (a
    /// foreign key), and IDs are compared without their leading zeros.
    @Test("Read You stores each article with its feed, and knows which are unread", arguments: StoreEngine.allCases)
    func readYou(engine: StoreEngine) async throws {
        let (reader, token) = try await library(on: engine)
        _ = try await reader.post("edit-tag", "i=\(reader.articles[0])&a=\(state)read", token: token)
        let feeds = Dictionary(
            try await subscriptions(reader, token).map {
                ($0.id, (url: $0.url, group: $0.categories.first?.id ?? "default"))
            }
        ) { first, _ in first }
        #expect(feeds.count == 14 && feeds.values.allSatisfy { URL(string: $0.url)?.host() != nil })
        let unread = Set(try await reader.ids("s=\(state)reading-list&xt=\(state)read&n=10000", token: token).numbers)
        var articles: [Int64: (isUnread: Bool, link: String)] = [:]
        for item in try await contents(reader, token) {
            let number = try #require(item.number)
            guard feeds[item.origin.streamId] != nil else {
                throw Violation(description: "\(item.title) is of no feed")
            }
            articles[number] = (unread.contains(number), item.canonical.first?.href ?? item.origin.htmlUrl)
        }
        #expect(articles.count == 15 && articles.filter(\.value.isUnread).count == 14)
        #expect(articles.values.allSatisfy { !$0.link.isEmpty })
    }

    /// jocmp/capyreader, capy/src/main/java/com/jocmp/capy/accounts/reader/ReaderAccountDelegate.kt: tags of the type `tag` are saved
    /// searches, and an article leaves those that are not among its categories.
    @Test("Capy Reader has each article in its feed, folder, and saved search", arguments: StoreEngine.allCases)
    func capyReader(engine: StoreEngine) async throws {
        struct Tags: Decodable {
            struct Tag: Decodable {
                let id: String
                let type: String?
            }
            let tags: [Tag]
        }
        let (reader, token) = try await library(on: engine)
        _ = try await reader.post(
            "subscription/edit", "ac=edit&s=\(try reader.feed("news"))&a=user/-/label/Papers", token: token)
        _ = try await reader.post(
            "edit-tag", "i=\(reader.articles[2])&a=user/-/label/to+do&a=\(state)starred", token: token)
        let feeds = try await subscriptions(reader, token)
        #expect(feeds.filter { $0.categories.contains { $0.label == "Papers" } }.map(\.title) == ["news"])
        #expect(feeds.allSatisfy { !$0.url.isEmpty && !$0.htmlUrl.isEmpty && !$0.title.isEmpty })
        let searches = try await reader.send(Reader.api + "tag/list", token: token).decoded(Tags.self).tags
            .filter { $0.type == "tag" }.map(\.id)
        #expect(searches == ["user/-/label/to do"])
        let items = try await contents(reader, token)
        #expect(items.filter { !Set($0.categories).isDisjoint(with: searches) }.map(\.number) == [reader.articles[2]])
        #expect(items.filter { $0.categories.contains { $0.hasSuffix("/state/com.google/starred") } }.count == 1)
        // The client requests the articles by the last part of their IDs.
        let wanted = items.map { "i=" + ($0.id.split(separator: "/").last ?? "") }.joined(separator: "&")
        let fetched = try await reader.post("stream/items/contents", wanted, token: token).decoded(Reader.Contents.self)
        #expect(fetched.numbers == items.map(\.number))
        #expect(fetched.items.allSatisfy { !$0.origin.htmlUrl.isEmpty })
    }
}
