import Text
import ArticleStore
import AuthService
import LibraryServices
import GoogleReader
import HTTPServer
import StoreEngines
import TestSupport
import Testing

/// The prefix of a state.
private let state = "user/-/state/com.google/"

struct StreamTests {
    @Test("Each stream returns IDs with every filter", arguments: StoreEngine.allCases)
    func filters(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (one, two, three) = (reader.articles[0], reader.articles[1], reader.articles[2])
        _ = try await reader.post("edit-tag", "i=\(one)&a=\(state)read&a=user/-/label/own+words", token: token)
        _ = try await reader.post("edit-tag", "i=\(three)&a=\(state)starred", token: token)
        let all = "s=\(state)reading-list"
        let news = try reader.feed("news")
        for (query, expected) in [
            (all, [three, two, one]), (all + "&r=o", [one, two, three]), (all + "&xt=\(state)read", [three, two]),
            (all + "&it=\(state)read", [one]), (all + "&xt=\(state)starred", [two, one]),
            (all + "&it=\(state)starred", [three]), (all + "&it=user/-/label/own+words", [one]),
            (all + "&it=\(state)unread", [three, two]), (all + "&xt=\(state)unread", [one]),
            (all + "&it=\(state)starred&xt=\(state)read", [three]), (all + "&it=\(state)read&xt=\(state)read", []),
            ("s=\(state)read", [one]), ("s=\(state)read&xt=\(state)read", []), ("s=\(state)starred", [three]),
            ("s=\(state)unread", [three, two]), ("s=user/-/label/OWN%20words", [one]),
            ("s=user/\(reader.user.id)/label/own+words&xt=\(state)read", []), ("s=user/-/label/none", []),
            ("s=\(news)", [two, one]), ("s=\(news)&xt=\(state)read", [two]), ("s=\(news)&it=\(state)starred", []),
            (all + "&n=2", [three, two]), (all + "&n=99999999999999999999", [three, two, one]),
            (all + "&merge=true&ck=1&client=x&T=", [three, two, one]), (all + "&c=&ot=&nt=&xt=&r=", [three, two, one]),
        ] {
            #expect(try await reader.ids(query, token: token).numbers == expected, "\(query)")
        }
        // As a form too.
        let posted = try await reader.post("stream/items/ids", all + "&xt=\(state)read&n=1", token: token)
        #expect(try posted.decoded(Reader.IDs.self).numbers == [three])
    }

    @Test(
        "A story is an item of each of its feeds, comes from the first one, and counts once in the reading list",
        arguments: StoreEngine.allCases)
    func story(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (one, three) = (reader.articles[0], reader.articles[2])
        let other = try reader.feed("library")
        let source = try #require(reader.sources.first { "feed/\($0.id)" == other })
        try await reader.services.articles.write(needing: WriteNeeds()) { writer in
            try writer.put(ArticleAppearance(source: source.reference, key: "x", title: "Elsewhere"), of: one)
        }
        #expect(try await reader.ids("s=\(other)", token: token).numbers == [three, one])
        let contents = try await reader.send("/reader/api/0/stream/contents/\(other)", token: token)
        let origins = try contents.decoded(Reader.Contents.self).items.map(\.origin.streamId)
        // The newest one comes first.
        let news = try reader.feed("news")
        #expect(origins == [news, other])
        func unread() async throws -> [String: Int] {
            let counts = try await reader.send("/reader/api/0/unread-count", token: token).decoded(Counts.self)
            return Dictionary(uniqueKeysWithValues: counts.unreadcounts.map { ($0.id, $0.count) })
        }
        let before = try await unread()
        #expect(before[other] == 2 && before[news] == 2 && before.values.max() == 3)
        _ = try await reader.post("mark-all-as-read", "s=\(other)", token: token)
        #expect(try await reader.read() == [one, three])
        let after = try await unread()
        #expect(after[other] ?? 0 == 0 && after[news] == 1)
    }

    private struct Counts: Decodable {
        struct Count: Decodable {
            let id: String
            let count: Int
        }
        let unreadcounts: [Count]
    }

    @Test(
        "A saved search is a label with its articles and its count, and cannot be given",
        arguments: StoreEngine.allCases)
    func savedSearch(engine: StoreEngine) async throws {
        struct Tags: Decodable {
            struct Tag: Decodable { let id: String }
            let tags: [Tag]
        }
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (one, two, three) = (reader.articles[0], reader.articles[1], reader.articles[2])
        let marks = reader.services.marks
        let search = SavedSearch(name: try TagName("My news"), query: ArticleQuery(text: "title", source: "news"))
        _ = try await marks.save(search, of: reader.user.id)
        let label = "user/-/label/My+news"
        let tags = try await reader.send(Reader.api + "tag/list", token: token).decoded(Tags.self).tags
        #expect(tags.map(\.id) == ["user/-/state/com.google/starred", "user/-/label/My news"])
        func unread() async throws -> Int? {
            let counts = try await reader.send(Reader.api + "unread-count", token: token).decoded(Counts.self)
            return counts.unreadcounts.first { $0.id == "user/-/label/My news" }?.count
        }
        #expect(try await unread() == 2)
        #expect(try await reader.ids("s=\(label)", token: token).numbers == [two, one])
        #expect(try await reader.ids("s=\(label)&r=o&n=1", token: token).numbers == [one])
        _ = try await reader.post("edit-tag", "i=\(one)&a=\(state)read", token: token)
        #expect(try await reader.ids("s=\(label)&xt=\(state)read", token: token).numbers == [two])
        #expect(try await unread() == 1)
        #expect(try await reader.post("edit-tag", "i=\(three)&a=\(label)", token: token).status == 400)
        let mixed = Reader.api + "stream/items/ids?s=\(state)reading-list&it=\(label)"
        #expect(try await reader.send(mixed, token: token).status == 400)
        #expect(try await reader.post("mark-all-as-read", "s=\(label)", token: token).text == "OK")
        #expect(try await unread() == 0)
        #expect(try await reader.ids("s=\(state)unread", token: token).numbers == [three])
        #expect(
            try await reader.post("rename-tag", "s=\(label)&dest=user/-/label/Daily", token: token).text == "OK")
        #expect(try await marks.savedSearches(of: reader.user.id).map(\.name.name) == ["Daily"])
        #expect(try await reader.ids("s=user/-/label/Daily", token: token).numbers == [two, one])
        #expect(try await reader.post("disable-tag", "s=user/-/label/Daily", token: token).text == "OK")
        #expect(try await marks.savedSearches(of: reader.user.id).isEmpty)
    }

    @Test("Pages continue after the previous one, in either order, and the last page says so", arguments: ["", "&r=o"])
    func pages(order: String) async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        var numbers: [Int64] = []
        var continuation: String?
        var pages = 0
        repeat {
            let next = continuation.map { "&c=\($0)" } ?? ""
            let page = try await reader.ids("s=\(state)reading-list&n=1" + order + next, token: token)
            numbers += page.numbers
            (continuation, pages) = (page.continuation, pages + 1)
        } while continuation != nil
        #expect(numbers == (order.isEmpty ? reader.articles.reversed() : reader.articles) && pages == 3)
    }

    @Test("An arrival time limits a list, in seconds, milliseconds, or microseconds", arguments: StoreEngine.allCases)
    func times(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        reader.clock.advance(by: 60)
        let late = try await reader.services.articles.upsert(
            ArticleDraft(key: "late", title: "Late", body: "Body.", published: reader.clock.now)
        ).id
        let all = "s=\(state)reading-list"
        let refs = try await reader.ids(all, token: token).itemRefs
        let arrivals = try #require(refs.map { Int64($0.timestampUsec) } as? [Int64])
        #expect(arrivals == arrivals.sorted(by: >) && Set(arrivals).count == 4)
        let time = arrivals[0]
        #expect(time == 1_700_000_060_000_000)
        for (query, count) in [
            ("ot=\(time)", 1), ("ot=\(time + 1)", 0), ("ot=\(time - 1)", 1), ("nt=\(time)", 4), ("nt=\(time - 1)", 3),
            ("ot=1700000060", 1), ("ot=1700000060000", 1), ("ot=1700000060.000001", 0), ("ot=1700000059.9", 1),
            ("nt=1700000059", 3), ("nt=1699999999", 0),
            // The end of the range: three articles came within two millionths of that second.
            ("nt=1700000000", 3), ("nt=1700000000000", 3), ("nt=1700000000.0", 3), ("nt=1700000000.000000", 1),
            ("nt=1700000060", 4), ("nt=1700000059999", 3), ("nt=1700000060000", 4),
            // A client's clock may be a little ahead of the articles.
            ("ot=1700000062", 1), ("ot=1700000062000", 1), ("ot=1700000063", 0), ("ot=1700000062001", 0), ("ot=0", 4),
            ("ot=1&nt=2", 0),
            ("ot=\(arrivals[2])&nt=\(arrivals[1])", 2), ("ot=\(arrivals[2])&nt=\(arrivals[1])&r=o", 2),
        ] {
            #expect(try await reader.ids(all + "&" + query, token: token).itemRefs.count == count, "\(query)")
        }
        // An article that was published long ago and arrives now is new.
        let contents = try await reader.send(
            Reader.api + "stream/contents/\(state)reading-list?ot=\(time)", token: token
        ).decoded(Reader.Contents.self)
        #expect(contents.numbers == [late])
        #expect(contents.items[0].timestampUsec == String(time))
        #expect(contents.items[0].crawlTimeMsec == "1700000060000")
    }

    @Test("An article with a file, such as a podcast, has it as its enclosure")
    func enclosures() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let file =
            #"{"attachments":[{"url":"https://example.org/a.mp3","mime_type":"audio/mpeg","size_in_bytes":12}]}"#
        try await reader.services.articles.upsert(
            ArticleDraft(key: "file", slug: "file", title: "T", body: "", extra: file))
        let text = try await reader.send(Reader.api + "stream/contents/\(state)reading-list", token: token).text
        #expect(
            text.contains(
                #""enclosure":[{"href":"https://example.org/a.mp3","type":"audio/mpeg","length":12}]"#))
        #expect(text.split(separator: "\"enclosure\"").count == 2)
    }

    @Test("The feed of each ID is included on request")
    func directStreams() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let all = "s=\(state)reading-list&n=2"
        #expect(try await reader.ids(all, token: token).itemRefs.allSatisfy { $0.directStreamIds.isEmpty })
        let refs = try await reader.ids(all + "&includeAllDirectStreamIds=true", token: token).itemRefs
        #expect(refs.map(\.directStreamIds) == [[try reader.feed("library")], [try reader.feed("news")]])
    }

    @Test(
        "Whole articles are returned for IDs of every form, and unknown ones are left out",
        arguments: StoreEngine.allCases)
    func itemContents(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        let (one, two, three) = (reader.articles[0], reader.articles[1], reader.articles[2])
        _ = try await reader.post(
            "edit-tag", "i=\(one)&a=\(state)read&a=\(state)starred&a=user/-/label/own", token: token)
        let padded = String(repeating: "0", count: 15) + String(two, radix: 16)
        let form =
            "i=\(one)&i=tag:google.com,2005:reader/item/\(padded)&i=\(padded.dropLast())f&i=\(three)&i=-7&n=200000"
        let contents = try await reader.post("stream/items/contents?output=json", form, token: token)
            .decoded(Reader.Contents.self)
        #expect(contents.numbers == [one, two, three] && contents.id == state + "reading-list")
        #expect(contents.updated == 1_700_000_000 && contents.continuation == nil)
        let item = contents.items[0]
        #expect(
            item.id == "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 15) + String(one, radix: 16))
        #expect(item.title == "Title of one <&>" && item.author == "Ann" && item.published == 1_700_000_000 - 86_400)
        #expect(item.canonical[0].href == "https://example.org/one?a=1&b=2")
        #expect(item.origin.streamId == (try reader.feed("news")) && item.origin.title == "news")
        #expect(item.summary.content.contains("Body") && !item.summary.content.contains("evil"))
        let states = ["reading-list", "read", "starred"].map { state + $0 }
        #expect(item.categories == states + ["user/-/label/own"])
        #expect(contents.items[1].categories == ["reading-list", "fresh"].map { state + $0 })
        let got = try await reader.send(Reader.api + "stream/items/contents?i=\(two)", token: token)
        #expect(try got.decoded(Reader.Contents.self).numbers == [two])
    }

    @Test(
        "An article without an original on the web has the address of its page here",
        arguments: [nil, "javascript:x()"])
    func pageAddress(original: String?) async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let article = try await reader.services.articles.upsert(
            ArticleDraft(key: "bare", slug: "bare", title: "Bare", body: "Body.", sourceURL: original))
        let address = "http://articles.example/articles/bare"
        for target in ["stream/items/contents?i=\(article.id)", "stream/contents?n=1"] {
            let item = try await reader.send(Reader.api + target, token: token).decoded(Reader.Contents.self).items[0]
            #expect(item.canonical.map(\.href) == [address] && item.alternate.map(\.href) == [address])
        }
        let atom = try await reader.send("/reader/atom/\(state)reading-list?n=1", token: token).text
        #expect(atom.contains("<link rel=\"alternate\" href=\"\(address)\"/>"))
    }

    @Test("Hundreds of articles are one response, in the requested order")
    func many() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let ids = try await reader.services.articles.upsert(
            (0..<120).map { ArticleDraft(key: "n\($0)", title: "N \($0)", body: "Body.", published: reader.clock.now) }
        ).map(\.id)
        // A whole batch of them is missing.
        let gone = (5_000..<6_100).map(Int64.init)
        let wanted = Array(ids.shuffled()) + gone + [reader.articles[0]]
        let form = wanted.map { "i=\($0)" }.joined(separator: "&")
        let contents = try await reader.post("stream/items/contents", form, token: token).decoded(Reader.Contents.self)
        #expect(contents.numbers == wanted.filter { !gone.contains($0) })
        let tooMany = (0...10_000).map { "i=\($0)" }.joined(separator: "&")
        #expect(try await reader.post("stream/items/contents", tooMany, token: token).status == 400)
        let nothing = try await reader.post("stream/items/contents", "i=9999", token: token)
        #expect(try nothing.decoded(Reader.Contents.self).items.isEmpty)
    }

    @Test("A stream of long articles, which are loaded in several parts, has each of them once")
    func long() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let body = String(repeating: "word ", count: 12_000)
        let ids = try await reader.services.articles.upsert(
            (0..<30).map { ArticleDraft(key: "l\($0)", title: "L \($0)", body: body, published: reader.clock.now) }
        ).map(\.id)
        let contents = try await reader.send(Reader.api + "stream/contents?n=100", token: token)
            .decoded(Reader.Contents.self)
        #expect(contents.numbers == (ids + reader.articles).sorted(by: >))
    }

    @Test(
        "A stream without an ID returns whole articles by arrival, and a feed by date",
        arguments: StoreEngine.allCases)
    func streamContents(engine: StoreEngine) async throws {
        let reader = try await Reader(on: engine)
        let token = try await reader.logIn()
        func contents(_ target: String) async throws -> Reader.Contents {
            try await reader.send(Reader.api + "stream/contents" + target, token: token).decoded(Reader.Contents.self)
        }
        let (one, two, three) = (reader.articles[0], reader.articles[1], reader.articles[2])
        for target in ["", "/", "?n=", "?s=\(state)reading-list", "/\(state)reading-list", "/reading-list"] {
            #expect(try await contents(target).numbers == [three, two, one], "\(target)")
        }
        #expect(try await contents("?n=5").id == state + "reading-list")
        // `one` came first, and is the newest of its feed.
        let feed = try reader.feed("news")
        for target in ["/" + feed, "/" + feed.replacing("/", with: "%2F"), "?s=" + feed] {
            #expect(try await contents(target).numbers == [one, two], "\(target)")
        }
        #expect(try await contents("/\(feed)?r=o").numbers == [two, one])
        #expect(try await contents("/\(feed)").title == "news")
        for (stream, numbers) in [(feed, [one, two]), (state + "reading-list", [three, two, one])] {
            var (found, continuation): ([Int64], String?) = ([], "")
            while let start = continuation {
                let page = try await contents("/\(stream)?n=1&c=\(start)")
                found += page.numbers
                continuation = page.continuation
            }
            #expect(found == numbers)
        }
        _ = try await reader.post("edit-tag", "i=\(one)&a=user/-/label/a/b", token: token)
        #expect(try await contents("/user/-/label/a%2Fb").numbers == [one])
    }

    @Test(
        "Unknown streams, filters, and parameters are refused",
        arguments: [
            "s=feed/99", "s=feed/x", "s=feed/https://example.org/feed", "s=\(state)broadcast", "s=\(state)fresh",
            "s=\(state)kept-unread", "s=user/99/state/com.google/read", "s=", "",
            "s=feed/1&xt=feed/2", "s=feed/1&it=\(state)like", "s=feed/1&xt=user/-/label/a", "s=feed/1&xt=x",
            "s=user/-/label/a&it=user/-/label/b", "s=feed/1&r=c", "s=feed/1&n=0", "s=feed/1&n=-1", "s=feed/1&n=x",
            "s=feed/1&ot=x", "s=feed/1&ot=-1", "s=feed/1&ot=1700000000000000000", "s=feed/1&nt=1.2.3",
            "s=feed/1&ot=1700000000000.5", "s=feed/1&ot=.", "s=feed/1&c=abc", "s=feed/1&c=-1", "s=feed/1&c=01",
            "s=feed/1&c=9223372036854775807", "s=feed/1&q=words", "s=feed/1&exclude=x",
        ])
    func refused(query: String) async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let answer = try await reader.send(Reader.api + "stream/items/ids?" + query, token: token)
        #expect(answer.status == 400 && !answer.text.contains("itemRefs"))
        if query.hasPrefix("s=feed/1&"), !query.contains("c=") || query.contains("abc") {
            let target = "stream/contents/feed/1?" + query.dropFirst("s=feed/1&".count)
            #expect(try await reader.send(Reader.api + target, token: token).status == 400)
        }
    }

    @Test("Parameters that change nothing, and a second stream, are ignored")
    func harmless() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let news = try reader.feed("news")
        let others = "&s=\(state)starred&hl=en&pretty=true&lang=de&alt=json&nocache=1"
        #expect(try await reader.ids("s=\(news)" + others, token: token).numbers == reader.articles[..<2].reversed())
        for target in ["stream/contents/\(news)?n=10" + others, "stream/contents?s=\(news)" + others] {
            let answer = try await reader.send(Reader.api + target, token: token)
            #expect(try answer.decoded(Reader.Contents.self).numbers == Array(reader.articles[..<2]), "\(target)")
        }
        #expect(try await reader.send("/reader/atom/\(news)?n=10" + others, token: token).status == 200)
        let change = "i=\(reader.articles[0])&a=\(state)read&hl=en&pretty=false"
        #expect(try await reader.post("edit-tag", change, token: token).text == "OK")
    }

    @Test("Contents are refused without IDs, with an invalid one, and of an unknown stream")
    func refusedContents() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        for form in ["", "i=x", "i=", "i=1&i=tag:google.com,2005:reader/item/", "i=1&q=x"] {
            #expect(try await reader.post("stream/items/contents", form, token: token).status == 400)
        }
        #expect(try await reader.send(Reader.api + "stream/contents/feed/99", token: token).status == 400)
        #expect(try await reader.send(.put, Reader.api + "stream/contents", token: token).status == 405)
    }
}
