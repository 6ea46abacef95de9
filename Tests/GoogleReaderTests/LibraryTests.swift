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

/// Feeds and labels, and changes of them as a whole.
struct LibraryTests {
    private struct Counts: Decodable {
        struct Count: Decodable {
            let id: String
            let count: Int
            let newestItemTimestampUsec: String
        }

        let max: Int
        let unreadcounts: [Count]

        subscript(id: String) -> Count? { unreadcounts.first { $0.id == id } }
    }

    private struct Subscriptions: Decodable {
        struct Feed: Decodable {
            struct Category: Decodable {
                let id: String
                let label: String
            }

            let id: String
            let title: String
            let categories: [Category]
            let url: String
            let htmlUrl: String
            let sortid: String
            let firstitemmsec: String
        }

        let subscriptions: [Feed]
    }

    private struct Tags: Decodable {
        struct Tag: Decodable {
            let id: String
            let type: String?
        }

        let tags: [Tag]

        var labels: [String] { tags.map(\.id).filter { $0.contains("/label/") } }
    }

    private func tags(_ reader: Reader, _ token: String) async throws -> [String] {
        try await reader.send(Reader.api + "tag/list?output=json", token: token).decoded(Tags.self).labels
    }

    @Test("Unread articles are counted for everything, each feed, and each label", arguments: StoreEngine.allCases)
    func unreadCount(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (one, two, three) = (reader.articles[0], reader.articles[1], reader.articles[2])
        _ = try await reader.post("edit-tag", "i=\(one)&a=\(state)read", token: token)
        _ = try await reader.post("edit-tag", "i=\(one)&i=\(two)&a=user/-/label/own", token: token)
        func counts() async throws -> Counts {
            try await reader.send(Reader.api + "unread-count?output=json", token: token).decoded(Counts.self)
        }
        let counts1 = try await counts()
        let (news, library) = (try reader.feed("news"), try reader.feed("library"))
        let ids = [state + "reading-list", news, library, "user/-/label/own"]
        #expect(ids.map { counts1[$0]?.count } == [2, 1, 1, 1] && counts1.max == 2)
        #expect(Set(counts1.unreadcounts.map(\.id)) == Set(ids))
        let arrivals = try await reader.services.articleLog.arrivals(of: reader.articles)
        let newest = [three, two, three, two].map { arrivals[$0].map { String($0.microseconds) } }
        #expect(ids.map { counts1[$0]?.newestItemTimestampUsec } == newest)
        _ = try await reader.post("mark-all-as-read", "s=user/-/label/own", token: token)
        let counts2 = try await counts()
        #expect(ids.map { counts2[$0]?.count } == [1, 0, 1, 0])
    }

    @Test("Feeds contain the time of their first article, and their addresses", arguments: StoreEngine.allCases)
    func subscriptions(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let feeds = try await reader.send(Reader.api + "subscription/list", token: token)
            .decoded(Subscriptions.self).subscriptions
        #expect(feeds.map(\.title) == ["news", "library"] && feeds.allSatisfy { $0.categories.isEmpty })
        #expect(feeds.map(\.firstitemmsec) == ["1700000000000", "1700000000000"])
        #expect(feeds.map(\.sortid) == feeds.map(\.sortid).sorted() && feeds[0].sortid.count == 8)
    }

    @Test("An editor renames a feed, and a reader does not")
    func rename() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let feed = try reader.feed("news")
        let done = try await reader.post("subscription/edit", "ac=edit&s=\(feed)&t=Daily+news&T=x", token: token)
        #expect(done.status == 200 && done.text == "OK")
        #expect(try await reader.services.articles.sources().map(\.name) == ["Daily news", "library"])
        let log = AuditQuery(kind: .libraryChanged)
        let records = try await reader.services.auth.events(matching: log, by: .system(user: "test"))
        let source = try #require(reader.sources.first { $0.name == "news" })
        #expect(records.map(\.event.detail) == ["sources change: \(source.uid)"])
        #expect(records.map(\.event.userID) == [reader.user.id])
        _ = try await reader.services.auth.register(
            username: Username("bo"), password: Password(Reader.password), region: Region("DE"), from: Origin("test"))
        let other = try await reader.logIn(as: "bo")
        #expect(try await reader.post("subscription/edit", "ac=edit&s=\(feed)&t=Mine", token: other).status == 403)
        for form in [
            "ac=edit&s=\(feed)&t=library", "ac=edit&s=\(feed)&t=", "ac=edit&s=\(feed)", "ac=edit&t=x",
            "ac=edit&s=feed/99&t=x",
            "ac=edit&s=\(feed)&a=\(state)starred", "ac=edit&s=\(feed)&r=folder", "ac=edit&s=\(feed)&a=user/-/label/a,b",
            "ac=edit&s=\(feed)&a=user/-/label/Both&r=user/-/label/both",
            "ac=subscribe&s=\(feed)&t=x", "ac=unsubscribe&s=\(feed)", "ac=delete&s=\(feed)&t=x",
            "ac=edit&s=feed/https://example.org/feed&t=x", "ac=unsubscribe&s=feed/https://example.org/feed",
            "ac=edit&s=\(feed)&s=feed/1&t=x", "ac=edit&s=\(state)read&t=x",
        ] {
            let answer = try await reader.post("subscription/edit", form, token: token)
            #expect(answer.status == 400 && answer.text.count > 10, "\(form)")
        }
        #expect(try await reader.services.articles.sources().map(\.name) == ["Daily news", "library"])
        // A refused change is not recorded as done.
        #expect(try await reader.services.auth.events(matching: log, by: .system(user: "test")).count == records.count)
    }

    @Test("Folders are the tags of the sources", arguments: StoreEngine.allCases)
    func folders(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (news, library) = (try reader.feed("news"), try reader.feed("library"))
        let (one, two, three) = (reader.articles[0], reader.articles[1], reader.articles[2])
        for (feed, form) in [
            (news, "a=user/-/label/Daily+news&a=user/-/label/Both"), (library, "a=user/-/label/both&t=Books"),
        ] {
            #expect(try await reader.post("subscription/edit", "ac=edit&s=\(feed)&\(form)", token: token).text == "OK")
        }
        func subscriptions() async throws -> [Subscriptions.Feed] {
            try await reader.send(Reader.api + "subscription/list", token: token).decoded(Subscriptions.self)
                .subscriptions
        }
        let feeds = try await subscriptions()
        #expect(feeds.map { $0.categories.map(\.label) } == [["Both", "Daily news"], ["Both"]])
        #expect(feeds[0].categories.map(\.id) == ["user/-/label/Both", "user/-/label/Daily news"])
        #expect(feeds[1].title == "Books")
        let listed = try await reader.send(Reader.api + "tag/list", token: token).decoded(Tags.self).tags
        #expect(listed.filter { $0.type == "folder" }.map(\.id) == ["user/-/label/Both", "user/-/label/Daily news"])

        // The articles of the folders, their unread numbers, and marking all of them.
        #expect(try await reader.ids("s=user/-/label/Daily+news&n=10", token: token).numbers == [two, one])
        #expect(try await reader.ids("s=user/-/label/BOTH&n=10", token: token).numbers == [three, two, one])
        let filtered = try await reader.ids("s=\(state)reading-list&it=user/-/label/Daily+news&n=10", token: token)
        #expect(filtered.numbers == [two, one])
        _ = try await reader.post("edit-tag", "i=\(one)&a=\(state)read", token: token)
        func unread() async throws -> [String: Int] {
            let counts = try await reader.send(Reader.api + "unread-count", token: token).decoded(Counts.self)
            return Dictionary(counts.unreadcounts.map { ($0.id, $0.count) }) { $0 + $1 }
        }
        let labels = ["user/-/label/Daily news", "user/-/label/Both"]
        let before = try await unread()
        #expect(labels.map { before[$0] } == [1, 2])
        _ = try await reader.post("mark-all-as-read", "s=user/-/label/Daily+news", token: token)
        let after = try await unread()
        #expect(labels.map { after[$0] } == [0, 1])
        let atom = try await reader.send("/reader/atom/user%2F-%2Flabel%2FDaily%20news?n=5", token: token)
        #expect(atom.status == 200 && atom.text.contains("Title of one") && !atom.text.contains("Title of three"))

        // The user's own tag of the same name stays beside the folder.
        _ = try await reader.post("edit-tag", "i=\(three)&a=user/-/label/daily+news", token: token)
        #expect(try await reader.ids("s=user/-/label/daily+news&n=10", token: token).numbers == [two, one])
        #expect(try await tags(reader, token) == ["user/-/label/Both", "user/-/label/Daily news"])
        // A client that knew the tag before the folder existed means the tag.
        let meant = try await reader.post("mark-all-as-read", "s=user/-/label/Daily+news", token: token)
        #expect(meant.status == 400)
        _ = try await reader.post("disable-tag", "s=user/-/label/Daily+news", token: token)
        #expect(try await reader.ids("s=user/-/label/daily+news&n=10", token: token).numbers == [three])

        // An editor removes a feed from a folder and renames one, for all users of the library.
        _ = try await reader.services.auth.register(
            username: Username("bo"), password: Password(Reader.password), region: Region("DE"), from: Origin("test"))
        let other = try await reader.logIn(as: "bo")
        for (endpoint, form) in [
            ("rename-tag", "s=user/-/label/Both&dest=user/-/label/Mine"), ("disable-tag", "s=user/-/label/Both"),
            ("subscription/edit", "ac=edit&s=\(news)&a=user/-/label/Mine"),
        ] {
            #expect(try await reader.post(endpoint, form, token: other).status == 403)
        }
        #expect(
            try await reader.post("rename-tag", "s=user/-/label/Both&dest=user/-/label/All", token: token).text == "OK")
        _ = try await reader.post("subscription/edit", "ac=edit&s=\(library)&r=user/-/label/All", token: token)
        #expect(try await subscriptions().map { $0.categories.map(\.label) } == [["All"], []])
        #expect(
            try await reader.send(Reader.api + "subscription/export", token: token).text.contains(
                "<outline text=\"All\""))
    }

    @Test("The feeds are available as OPML")
    func export() async throws {
        let reader = try await Reader()
        let answer = try await reader.send(Reader.api + "subscription/export", token: reader.logIn())
        #expect(answer.fields["content-type"]?.text.hasPrefix("text/x-opml") == true)
        #expect(answer.text.contains("<opml version=\"2.0\">") && answer.text.contains("text=\"news\""))
        #expect(!answer.text.contains("library"))
    }

    @Test("A label is renamed and removed", arguments: StoreEngine.allCases)
    func labels(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (one, two) = (reader.articles[0], reader.articles[1])
        let form = "i=\(one)&i=\(two)&a=user/-/label/old+name&a=user/-/label/other"
        _ = try await reader.post("edit-tag", form, token: token)
        func rename(_ form: String) async throws -> Int {
            try await reader.post("rename-tag", form, token: token).status
        }
        #expect(try await rename("s=user/-/label/old+name&dest=user/-/label/New&T=x") == 200)
        #expect(try await tags(reader, token) == ["user/-/label/New", "user/-/label/other"])
        #expect(try await reader.ids("s=user/-/label/new", token: token).numbers == [two, one])
        #expect(try await rename("t=New&dest=user/-/label/newer") == 200)
        #expect(try await reader.ids("s=user/-/label/newer", token: token).numbers == [two, one])
        #expect(try await rename("t=newer&dest=user/-/label/new") == 200)
        // A folder that is renamed to an existing one is merged into it.
        #expect(try await rename("s=user/\(reader.user.id)/label/other&dest=user/-/label/new") == 200)
        #expect(try await tags(reader, token) == ["user/-/label/new"])
        for form in [
            "s=user/-/label/none&dest=user/-/label/x", "s=user/-/label/new", "dest=user/-/label/x",
            "s=user/-/label/new&dest=user/-/label/a,b", "s=\(state)starred&dest=user/-/label/x",
            "s=user/-/label/new&dest=\(state)starred", "s=user/-/label/new&dest=user/-/label/NEW",
            "s=user/-/label/new&dest=user/-/label/x&only=1",
        ] {
            #expect(try await rename(form) == 400, "\(form)")
        }
        #expect(try await reader.post("disable-tag", "s=user/-/label/none", token: token).status == 400)
        #expect(try await reader.post("disable-tag", "s=\(state)starred", token: token).status == 400)
        #expect(try await reader.post("disable-tag", "s=user/-/label/new&T=", token: token).text == "OK")
        #expect(try await tags(reader, token).isEmpty)
    }

    @Test("No label is made over the limit, and clients get the reason")
    func labelBound() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        try await reader.services.marks.giveAllTags(to: reader.user.id, in: reader.services.articles)
        let answer = try await reader.post(
            "edit-tag", "i=\(reader.articles[0])&a=user/-/label/another", token: token)
        #expect(answer.status == 400 && answer.text.contains("1000"))
        #expect(try await tags(reader, token).count == MarkError.mostOwnTags)
        // Renaming a tag adds none, also on an article with the maximum number.
        let renamed = try await reader.post(
            "rename-tag", "s=user/-/label/tag+0+0&dest=user/-/label/another", token: token)
        #expect(renamed.text == "OK")
        #expect(try await tags(reader, token).contains("user/-/label/another"))
        #expect(try await tags(reader, token).count == MarkError.mostOwnTags)
    }

    @Test(
        "Marking all as read includes everything that arrived until then, and nothing later",
        arguments: StoreEngine.allCases,
        ["1700000000", "1700000000000"])
    func markAllUpTo(engine: StoreEngine, unit: String) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let arrivals = try await reader.services.articleLog.arrivals(of: reader.articles)
        let times = reader.articles.compactMap { arrivals[$0]?.microseconds }
        func mark(_ form: String) async throws {
            #expect(try await reader.post("mark-all-as-read", form, token: token).text == "OK")
        }
        try await mark("s=\(state)reading-list&ts=\(times[0] - 1)")
        #expect(try await reader.read().isEmpty)
        try await mark("s=\(state)reading-list&ts=\(times[0])")
        #expect(try await reader.read() == [reader.articles[0]])
        try await mark("s=\(try reader.feed("news"))&ts=\(times[2])&t=news")
        #expect(try await reader.read() == Set(reader.articles[...1]))
        // Read You sends milliseconds, other clients seconds.
        try await mark("s=\(state)reading-list&ts=1699999999")
        #expect(try await reader.read() == Set(reader.articles[...1]))
        try await mark("s=\(state)reading-list&ts=\(unit)")
        #expect(try await reader.read() == Set(reader.articles))
    }

    @Test("Several streams are marked as read at once, without articles that arrived later")
    func markStreams() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let form = "s=\(try reader.feed("news"))&s=\(try reader.feed("library"))"
        #expect(try await reader.post("mark-all-as-read", form, token: token).text == "OK")
        #expect(try await reader.read() == Set(reader.articles))
        let late = try await reader.services.articles.upsert(ArticleDraft(key: "late", title: "Late", body: "B."))
        #expect(try await reader.ids("s=\(state)unread", token: token).numbers == [late.id])
    }

    @Test("A time limits each of several streams that are marked as read at once", arguments: StoreEngine.allCases)
    func markStreamsUpTo(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let time = try #require(try await reader.services.articleLog.arrivals(of: reader.articles)[reader.articles[2]])
        reader.clock.advance(by: 60)
        let (news, library) = (try reader.feed("news"), try reader.feed("library"))
        try await reader.services.articles.upsert(
            [ArticleDraft(key: "late", title: "Late", body: "Body.")], into: reader.sources[0].facts)
        try await reader.services.articles.upsert(ArticleDraft(key: "last", title: "Last", body: "Body."))
        for form in ["s=\(news)&s=\(library)", "s=\(library)&s=\(news)"] {
            let answer = try await reader.post("mark-all-as-read", form + "&ts=\(time.microseconds)", token: token)
            #expect(answer.text == "OK")
            #expect(try await reader.ids("s=\(state)unread", token: token).numbers.count == 2, "\(form)")
        }
        #expect(try await reader.read() == Set(reader.articles))
    }

    @Test("Removing “keep unread” changes nothing alone, and together with “read” marks as read")
    func keptUnread() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let first = reader.articles[0]
        for (form, read) in [
            ("r=\(state)kept-unread", []), ("a=\(state)read&r=\(state)kept-unread", [first]),
            ("r=\(state)kept-unread", [first]), ("a=\(state)kept-unread", []),
            ("r=\(state)kept-unread&a=\(state)read", [first]), ("r=\(state)read&r=\(state)kept-unread", []),
        ] as [(String, Set<Int64>)] {
            #expect(try await reader.post("edit-tag", "i=\(first)&" + form, token: token).text == "OK")
            #expect(try await reader.read() == read, "\(form)")
        }
    }

    @Test("A form of hundreds of items with their feeds is accepted")
    func editMany() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let ids = try await reader.services.articles.upsert(
            (0..<300).map { ArticleDraft(key: "n\($0)", title: "N \($0)", body: "Body.") }
        ).map(\.id)
        let form = ids.map { "i=\($0)&s=feed/2" }.joined(separator: "&") + "&a=\(state)read&async=true&ac=edit-tags"
        #expect(try await reader.post("edit-tag", form, token: token).text == "OK")
        #expect(try await reader.ids("s=\(state)read&n=500", token: token).numbers == ids.reversed())
    }

    @Test("Items that do not exist are left out, and the others are changed: an error would stop a client's queue")
    func editMissing() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let (first, tags) = (reader.articles[0], "&a=\(state)read&a=user/-/label/own")
        #expect(try await reader.post("edit-tag", "i=471100&i=\(first)" + tags, token: token).text == "OK")
        #expect(try await reader.read() == [first])
        #expect(try await reader.post("edit-tag", "i=471100" + tags, token: token).text == "OK")
        #expect(try await reader.read() == [first])
    }

    @Test("Every change is a POST, by a user who may write")
    func rights() async throws {
        let reader = try await Reader()
        let (full, reading) = (try await reader.logIn(), try await reader.apiToken(.read))
        for endpoint in [
            "subscription/edit", "subscription/quickadd", "subscription/import", "rename-tag", "disable-tag",
        ] {
            #expect(try await reader.send(Reader.api + endpoint, token: full).status == 405)
            #expect(try await reader.post(endpoint, "s=x", token: reading).status == 403)
        }
        for endpoint in ["unread-count", "user-info", "subscription/list", "tag/list", "stream/contents"] {
            #expect(try await reader.send(Reader.api + endpoint, token: reading).status == 200)
            #expect(try await reader.send(Reader.api + endpoint, token: nil).status == 401)
        }
    }
}
