import Text
import ArticleStore
import AuthService
import Database
import LibraryServices
import Foundation
import HTTPServer
import StoreEngines
import Testing
import WebAPI

@Suite("The API: marks and changes")
struct MarksTests {
    @Test("Marks are set one by one, and those left out stay")
    func put() async throws {
        let service = try await Service()
        try await service.fill(2)
        _ = try await service.ask(
            .put, "/articles/article-0/marks", #"{"starred": true, "note": "N", "tags": ["a", "b"], "place": 500}"#)
        let reply = try await service.ask(.put, "/articles/article-0/marks", #"{"tags": ["b", "c"], "later": true}"#)
        let marks = try #require(reply.json["marks"] as? [String: Any])
        #expect(marks["starred"] as? Bool == true && marks["later"] as? Bool == true && marks["read"] as? Bool == false)
        #expect(marks["tags"] as? [String] == ["b", "c"] && marks["note"] as? String == "N")
        #expect(try await service.ask(.put, "/articles/article-0/marks", #"{"tags": ["a,b"]}"#).status == 422)
        #expect(
            try await service.ask(.get, "/tags/mine").objects("tags").compactMap { $0["name"] as? String } == [
                "b", "c",
            ])
        // Nobody else sees the marks.
        let other = try await service.ask(.get, "/articles/article-0", as: "ed").json["marks"] as? [String: Any]
        #expect(other?["starred"] as? Bool == false)
    }

    @Test("Searches are saved, replaced, listed, renamed, used in lists and feeds, and removed")
    func searches() async throws {
        let service = try await Service()
        try await service.fill(6)
        let body = #"{"filters": {"author": "bob", "starred": false, "since": "2001-01-01", "sort": "oldest"}}"#
        let saved = try await service.ask(.put, "/searches/By%20Bob", body)
        #expect(saved.status == 200 && saved.json["name"] as? String == "By Bob")
        let filters = try #require(saved.json["filters"] as? [String: String])
        #expect(filters == ["author": "bob", "since": "2001-01-01T00:00:00Z", "sort": "oldest"])
        #expect(saved.json["list"] as? String == "/articles?author=bob&since=978307200&sort=oldest")
        #expect(try await service.ask(.put, "/searches/by%20bob", #"{"filters": {"author": "bob"}}"#).status == 200)
        let listed = try await service.ask(.get, "/searches").objects("searches")
        #expect(listed.count == 1 && listed[0]["name"] as? String == "by bob" && listed[0]["unread"] as? Int == 3)
        #expect(try await service.ask(.get, "/articles?saved=BY%20BOB").json["total"] as? Int == 3)
        #expect(try await service.ask(.get, "/articles?saved=by%20bob&starred=true").json["total"] as? Int == 0)
        let marked = try await service.ask(.post, "/articles/marks?saved=by%20bob", #"{"read": true}"#)
        #expect(marked.json["changed"] as? Int == 3)
        #expect(try await service.ask(.get, "/searches").objects("searches").first?["unread"] as? Int == 0)
        let made = try await service.ask(.post, "/feed-address", fields: [.host: "example.org"])
        let feed = try #require(made.json["json"] as? String).dropFirst("http://example.org".count)
        #expect(try await service.feed(feed + "?saved=by%20bob").objects("items").count == 3)
        #expect(try await service.feed(feed + "?saved=none").status == 404)
        _ = try await service.ask(.put, "/searches/oldest", #"{"filters": {"sort": "oldest"}}"#)
        let items = try await service.feed(feed + "?saved=oldest").objects("items")
        #expect(items.first?["title"] as? String == "Article 5")
        let renamed = try await service.ask(.patch, "/searches/by%20bob", #"{"name": "Bob"}"#)
        #expect(renamed.status == 200 && renamed.json["name"] as? String == "Bob")
        #expect(try await service.ask(.put, "/searches/Other", #"{"filters": {}}"#).status == 200)
        let taken = try await service.ask(.patch, "/searches/other", #"{"name": "bob"}"#)
        #expect(taken.status == 409 && taken.code == "nameIsTaken")
        #expect(try await service.ask(.patch, "/searches/none", #"{"name": "x"}"#).status == 404)
        #expect(try await service.ask(.put, "/searches/a%2Cb", #"{"filters": {}}"#).code == "invalidName")
        #expect(
            try await service.ask(.put, "/searches/x", #"{"filters": {"read": true, "unread": true}}"#).status == 422)
        #expect(try await service.ask(.put, "/searches/x", #"{"filters": {"limit": 3}}"#).status == 400)
        #expect(try await service.ask(.put, "/searches/x", #"{"filters": {"tag": "a\u0000"}}"#).status == 400)
        #expect(try await service.ask(.get, "/articles?saved=none").status == 404)
        // Nobody else sees them.
        #expect(try await service.ask(.get, "/searches", as: "ed").objects("searches").isEmpty)
        #expect(try await service.ask(.delete, "/searches/bob").status == 204)
        #expect(try await service.ask(.delete, "/searches/bob").status == 404)
    }

    @Test("Rules are tried, saved, replaced, listed, and removed")
    func rules() async throws {
        let service = try await Service()
        try await service.fill(6)
        let trial = try await service.ask(.post, "/rule-trial", #"{"search": "author:bob", "pattern": "title:[35]$"}"#)
        #expect(trial.json["examined"] as? Int == 6 && trial.json["met"] as? Int == 2)
        #expect(trial.objects("articles").compactMap { $0["slug"] as? String } == ["article-5", "article-3"])
        let body = #"{"search": "author:bob", "address": null, "actions": ["hide", "tag:b"]}"#
        let saved = try await service.ask(.put, "/rules/By%20Bob", body)
        #expect(saved.status == 200 && saved.json["name"] as? String == "By Bob")
        #expect(saved.json["search"] as? String == "author:bob" && saved.json["pattern"] is NSNull)
        #expect(saved.json["actions"] as? [String] == ["hide", "tag:b"])
        #expect(try await service.ask(.put, "/rules/by%20bob", body).status == 200)
        let listed = try await service.ask(.get, "/rules").objects("rules")
        #expect(listed.count == 1 && listed[0]["name"] as? String == "by bob")
        for (body, status) in [
            (#"{"actions": ["hide"]}"#, 422), (#"{"search": "a", "actions": []}"#, 422),
            (#"{"search": "a", "actions": ["erase"]}"#, 422), (#"{"search": "is:read", "actions": ["hide"]}"#, 422),
            (#"{"pattern": "title:(", "actions": ["hide"]}"#, 422), (#"{"source": "none", "actions": ["hide"]}"#, 404),
            (#"{"search": "a", "actions": ["tag:"]}"#, 422), (#"{"search": 1, "actions": ["hide"]}"#, 400),
        ] { #expect(try await service.ask(.put, "/rules/x", body).status == status, "\(body)") }
        #expect(try await service.ask(.get, "/rules", as: "ed").objects("rules").isEmpty)
        #expect(try await service.ask(.delete, "/rules/by%20bob").status == 204)
        #expect(try await service.ask(.delete, "/rules/by%20bob").status == 404)
    }

    @Test("Hidden articles leave the lists of their user")
    func hidden() async throws {
        let service = try await Service()
        try await service.fill(4)
        let marked = try await service.ask(.put, "/articles/article-1/marks", #"{"hidden": true, "read": true}"#)
        #expect((marked.json["marks"] as? [String: Any])?["hidden"] as? Bool == true)
        #expect(try await service.ask(.get, "/articles").json["total"] as? Int == 3)
        #expect(try await service.ask(.get, "/articles?hidden=true").json["total"] as? Int == 1)
        #expect(try await service.ask(.get, "/articles", as: "ed").json["total"] as? Int == 4)
        #expect(try await service.ask(.get, "/articles/article-1").status == 200)
        let shown = try await service.ask(.post, "/articles/marks?hidden=true", #"{"hidden": false}"#)
        #expect(shown.json["changed"] as? Int == 1)
        #expect(try await service.ask(.get, "/articles").json["total"] as? Int == 4)
    }

    @Test("A list is marked as a whole, and nothing if a part of the search has no meaning")
    func list() async throws {
        let service = try await Service()
        try await service.fill(6)
        #expect(
            try await service.ask(.post, "/articles/marks?author=bob", #"{"read": true}"#).json["changed"] as? Int == 3)
        #expect(try await service.ask(.get, "/articles?unread=true").json["total"] as? Int == 3)
        let unclear = try await service.ask(.post, "/articles/marks?search=title:+word", #"{"read": true}"#)
        #expect(unclear.status == 422 && unclear.code == "search")
        for query in ["", "?starred=false", "?unread=true&read=true"] {
            #expect(try await service.ask(.post, "/articles/marks\(query)", #"{"read": true}"#).status >= 400)
        }
        let all = try await service.ask(.post, "/articles/marks?all=true", #"{"read": true}"#)
        #expect(all.json["changed"] as? Int == 3)
        // The marks that the query uses do not change before all are done.
        _ = try await service.ask(.post, "/articles/marks?all=true", #"{"read": false}"#)
        let both = try await service.ask(.post, "/articles/marks?unread=true", #"{"read": true, "starred": true}"#)
        #expect(both.json["changed"] as? Int == 12)
        #expect(try await service.ask(.get, "/articles?starred=true").json["total"] as? Int == 6)
    }

    @Test("A tag over the limit is refused, and the response says so")
    func ownTagBound() async throws {
        let service = try await Service()
        let id = try await service.fill(1)[0]
        let token = try #require(SessionToken(service.tokens["rita"] ?? ""))
        let rita = try #require(try await service.services.auth.currentSession(token: token)).user
        try await service.services.marks.giveAllTags(to: rita.id, in: service.services.articles)
        let put = try await service.ask(.put, "/articles/\(id)/marks", #"{"tags": ["another"], "starred": true}"#)
        #expect(put.status == 422 && put.code == "invalidMark")
        #expect((put.json["detail"] as? String)?.contains("1000") == true)
        let merge = try await service.ask(
            .post, "/marks", #"{"marks": [{"article": \#(id), "tags": [{"value": "another"}]}]}"#)
        #expect(merge.json["articles"] as? Int == 0 && merge.json["tagsLeftOut"] as? Int == 1)
        let marks = try await service.ask(.get, "/articles/\(id)").json["marks"] as? [String: Any]
        #expect(marks?["tags"] as? [String] == [] && marks?["starred"] as? Bool == false)
    }

    @Test("An article is reported once")
    func articleTwice() async throws {
        let service = try await Service()
        let id = try await service.fill(1)[0]
        let twice = #"{"article": \#(id), "starred": {"value": true}}"#
        let answer = try await service.ask(.post, "/marks", #"{"marks": [\#(twice), \#(twice)]}"#)
        #expect(answer.status == 422 && answer.code == "articleTwice")
    }

    @Test("Marks of an article that does not exist are reported, one by one and together")
    func missing() async throws {
        let service = try await Service()
        let id = try await service.fill(1)[0]
        #expect(try await service.ask(.put, "/articles/4711/marks", #"{"starred": true}"#).code == "notFound")
        func merge(_ articles: [Int64]) async throws -> Service.Reply {
            let marks = articles.map { #"{"article": \#($0), "starred": {"value": true}}"# }
            return try await service.ask(.post, "/marks", #"{"marks": [\#(marks.joined(separator: ","))]}"#)
        }
        let some = try await merge([4712, id, 4711])
        #expect(some.status == 200 && some.json["articles"] as? Int == 1)
        #expect(some.json["missing"] as? [Int64] == [4711, 4712])
        #expect(try await merge([id]).json["missing"] as? [Int64] == [])
    }

    @Test("A list of a source or a saved search that does not exist is refused, and no article is marked")
    func unknownList() async throws {
        let service = try await Service()
        try await service.fill(2)
        for filter in ["source=nope", "source=nope&all=true", "saved=nope", "source=nope&unread=true"] {
            let (list, mark) = (
                try await service.ask(.get, "/articles?" + filter.replacing("&all=true", with: "")),
                try await service.ask(.post, "/articles/marks?\(filter)", #"{"read": true}"#)
            )
            #expect(list.status == 404 && mark.status == 404, "\(filter)")
            #expect(list.code == mark.code && mark.code?.isEmpty == false, "\(filter)")
        }
        // A tag exists as long as an article has it.
        let none = try await service.ask(.post, "/articles/marks?tag=nope", #"{"read": true}"#)
        #expect(none.status == 200 && none.json["changed"] as? Int == 0)
        #expect(try await service.ask(.get, "/articles?unread=true").objects("articles").count == 2)
    }

    @Test("An object with two members of one name is refused, and the answer names it")
    func duplicates() async throws {
        let service = try await Service()
        let id = try await service.fill(1)[0]
        let record = #""starred": {"value": true, "value": false}"#
        for (method, target, body, pointer, name) in [
            (HTTPMethod.post, "/articles", #"{"title": "A", "titl\u0065": "B", "body": "C"}"#, "", "title"),
            (.put, "/articles/\(id)/marks", #"{"read": true, "read": true}"#, "", "read"),
            (.post, "/marks", #"{"marks": [{"article": \#(id), \#(record)}]}"#, "/marks/0/starred", "value"),
        ] {
            let reply = try await service.ask(method, target, as: "ed", body)
            #expect(reply.status == 400 && reply.code == "invalid" && reply.json["pointer"] as? String == pointer)
            #expect((reply.json["detail"] as? String)?.contains("“\(name)”") == true)
        }
    }

    @Test("Of the changes of two devices, the latest wins")
    func merge() async throws {
        let service = try await Service()
        let id = try await service.fill(1)[0]
        func merge(_ mark: String) async throws -> Int? {
            try await service.ask(.post, "/marks", #"{"marks": [{"article": \#(id), \#(mark)}]}"#).json["articles"]
                as? Int
        }
        #expect(try await merge(#""starred": {"value": true, "changed": "2020-01-02T00:00:00Z"}"#) == 1)
        #expect(try await merge(#""starred": {"value": false, "changed": "2020-01-01T00:00:00Z"}"#) == 0)
        #expect(try await merge(#""tags": [{"value": "t", "changed": "2020-01-02T00:00:00Z"}]"#) == 1)
        #expect(try await merge(#""removedTags": [{"value": "t", "changed": "2020-01-01T00:00:00Z"}]"#) == 0)
        #expect(try await merge(#""removedTags": [{"value": "t", "changed": "2020-01-03T00:00:00Z"}]"#) == 1)
        let marks = try await service.ask(.get, "/articles/\(id)").json["marks"] as? [String: Any]
        #expect(marks?["starred"] as? Bool == true && marks?["tags"] as? [String] == [])
        // Both in one request, in any order and case.
        func both(_ given: String, _ removed: String) async throws -> [String]? {
            func told(_ tag: String, _ time: String) -> String { #"[{"value": "\#(tag)", "changed": "\#(time)"}]"# }
            _ = try await merge(#""removedTags": \#(told("T", removed)), "tags": \#(told("t", given))"#)
            let marks = try await service.ask(.get, "/articles/\(id)").json["marks"] as? [String: Any]
            return marks?["tags"] as? [String]
        }
        #expect(try await both("2020-01-05T00:00:00Z", "2020-01-04T00:00:00Z") == ["t"])
        #expect(try await both("2020-01-06T00:00:00Z", "2020-01-07T00:00:00Z") == [])
        #expect(try await both("2020-01-08T00:00:00Z", "2020-01-08T00:00:00Z") == ["t"])
        #expect(try await both("2020-01-09T00:00:00Z", "2020-01-10T00:00:00Z") == [])
        let bad = try await service.ask(.post, "/marks", #"{"marks": [{"article": \#(id), "read": {"value": 1}}]}"#)
        #expect(bad.status == 400 && bad.json["pointer"] as? String == "/marks/0/read/value")
    }

    @Test("A request with more than 1,000 marks is refused")
    func tooMany() async throws {
        let service = try await Service()
        let ids = try await service.fill(1001)
        for (count, status) in [(1000, 200), (1001, 400)] {
            let records = ids.prefix(count).map { #"{"article": \#($0), "starred": {"value": true}}"# }
            let reply = try await service.ask(.post, "/marks", #"{"marks": [\#(records.joined(separator: ","))]}"#)
            #expect(reply.status == status)
            if status == 400 { #expect(reply.json["pointer"] as? String == "/marks") }
        }
    }

    @Test("A client that follows the changes gets the library, and notices if it is another")
    func changes() async throws {
        let service = try await Service()
        let ids = try await service.fill(5)
        var articles: [Int64: String] = [:]
        var starred: Set<Int64> = []
        var since: String?
        func follow() async throws {
            var more = true
            while more {
                let reply = try await service.ask(.get, "/changes?limit=2" + (since.map { "&since=\($0)" } ?? ""))
                #expect(reply.status == 200 && reply.objects("articles").count <= 2)
                for article in reply.objects("articles") {
                    if let id = article["id"] as? Int64 { articles[id] = article["title"] as? String }
                    #expect(article["marks"] == nil)
                }
                for id in reply.json["gone"] as? [Int64] ?? [] { articles[id] = nil }
                for record in reply.objects("marks") {
                    guard let id = record["article"] as? Int64 else { continue }
                    let isStarred = (record["starred"] as? [String: Any])?["value"] as? Bool
                    if isStarred == true { starred.insert(id) } else { starred.remove(id) }
                }
                since = reply.json["next"] as? String
                more = reply.json["more"] as? Bool == true
            }
        }
        try await follow()
        #expect(articles.count == 5)
        _ = try await service.ask(.put, "/articles/\(ids[1])/marks", #"{"starred": true}"#)
        _ = try await service.ask(.put, "/articles/\(ids[2])/marks", as: "ed", #"{"starred": true}"#)
        _ = try await service.ask(
            .patch, "/articles/\(ids[3])", as: "ed", #"{"title": "New"}"#, fields: [.ifMatch: "*"])
        _ = try await service.ask(.delete, "/articles/\(ids[0])", as: "ed", fields: [.ifMatch: "*"])
        _ = try await service.ask(.post, "/articles", as: "ed", #"{"title": "Sixth", "body": "B"}"#)
        try await follow()
        #expect(articles[ids[0]] == nil && articles[ids[3]] == "New" && articles.values.contains("Sixth"))
        #expect(articles.count == 5 && starred == [ids[1]])
        _ = try await service.ask(.post, "/articles/marks?all=true", #"{"read": true}"#)
        let all = try await service.ask(.get, "/changes?since=\(since ?? "")").json["allRead"] as? [String: Any]
        #expect((all?["upTo"] as? Int64 ?? 0) >= ids[4])
        let other = try await service.ask(.get, "/changes?since=0123456789abcdef-0-0-0")
        #expect(other.status == 410 && other.code == "anotherLibrary")
        #expect(try await service.ask(.get, "/changes?since=nonsense").status == 422)
    }

    @Test("Marks that come between the two reads of changes are never reported before their article")
    func changesInBetween() async throws {
        let service = try await Service()
        let user = try await service.services.auth.currentSession(
            token: try #require(SessionToken(service.tokens["rita"] ?? "")))
        let reader = try #require(user?.user.id)
        let services = service.services
        let interruption = Interruption {
            let id = try await services.articles.upsert(ArticleDraft(key: "late", title: "Late", body: "B")).id
            _ = try await services.marks.change(
                [.starred(true)], of: .ids([id]), by: reader, at: services.clock())
        }
        var interrupted = services
        interrupted.articleLog = InterruptedLog(
            articles: services.articleLog, marks: services.markLog, interruption: interruption)
        interrupted.markLog = InterruptedLog(
            articles: services.articleLog, marks: services.markLog, interruption: interruption)
        let api = WebAPI(services: interrupted, version: "1")
        var (known, starred, since): (Set<Int64>, Set<Int64>, String?) = ([], [], nil)
        for _ in 0..<3 {
            let target = "/api/v1/changes" + (since.map { "?since=\($0)" } ?? "")
            let fields: HTTPFields = [.authorization: try HTTPFieldValue("Bearer \(service.tokens["rita"] ?? "")")]
            let response = await api.answer(HTTPRequest(.get, try #require(HTTPTarget(target)), fields: fields))
            let reply = try Service.read(try #require(response))
            known.formUnion(reply.objects("articles").compactMap { $0["id"] as? Int64 })
            let marked = Set(reply.objects("marks").compactMap { $0["article"] as? Int64 })
            #expect(marked.isSubset(of: known))
            starred.formUnion(marked)
            since = reply.json["next"] as? String
        }
        #expect(known.count == 1 && starred == known)
    }

    @Test("Changes say that there are more only if there are", arguments: [1, 2, 3, 4])
    func more(limit: Int) async throws {
        let service = try await Service()
        for id in try await service.fill(3) {
            _ = try await service.ask(.put, "/articles/\(id)/marks", #"{"starred": true}"#)
        }
        var (articles, marks, since): (Int, Int, String?) = (0, 0, nil)
        var more = true
        var requests = 0
        while more {
            let reply = try await service.ask(.get, "/changes?limit=\(limit)" + (since.map { "&since=\($0)" } ?? ""))
            articles += reply.objects("articles").count
            marks += reply.objects("marks").count
            since = reply.json["next"] as? String
            more = try #require(reply.json["more"] as? Bool)
            requests += 1
            #expect(more == (articles < 3 || marks < 3))
        }
        #expect(articles == 3 && marks == 3 && requests == (3 + limit - 1) / limit)
        let nothing = try await service.ask(.get, "/changes?limit=\(limit)&since=\(since ?? "")")
        #expect(
            nothing.json["more"] as? Bool == false && nothing.objects("articles").isEmpty
                && nothing.objects("marks").isEmpty)
    }
}

/// An action that runs once, after the first read of a log.
private actor Interruption {
    private var work: (@Sendable () async throws -> Void)?

    init(_ work: @escaping @Sendable () async throws -> Void) { self.work = work }

    func happen() async throws {
        let work = work
        self.work = nil
        try await work?()
    }
}

/// A log that runs an action after its first read.
private struct InterruptedLog: ArticleLog, MarkLog {
    let articles: any ArticleLog
    let marks: any MarkLog
    let interruption: Interruption

    func arrivals(of ids: [Int64]) async throws -> [Int64: Arrival] { try await articles.arrivals(of: ids) }

    func firstArticle(since time: Arrival) async throws -> Int64 { try await articles.firstArticle(since: time) }

    func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges {
        let changes = try await articles.changes(after: position, limit: limit)
        try await interruption.happen()
        return changes
    }

    func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        let changes = try await marks.changes(of: user, after: position, limit: limit)
        try await interruption.happen()
        return changes
    }
}
