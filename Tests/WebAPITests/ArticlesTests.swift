import Text
import ArticleStore
import LibraryServices
import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("The API: articles")
struct ArticlesTests {
    @Test("A list continues by its cursor and by the field Link, and has every article once")
    func pages() async throws {
        let service = try await Service()
        let ids = try await service.fill(7)
        var seen: [Int64] = []
        var target: String? = "/articles?limit=3&sort=oldest&source=blog"
        while let next = target {
            let reply = try await service.ask(.get, next)
            #expect(reply.status == 200)
            #expect((reply.json["total"] as? Int) == (seen.isEmpty ? 7 : nil))
            seen += reply.objects("articles").compactMap { $0["id"] as? Int64 }
            target = reply.field("link").map { link in
                #expect(link.hasSuffix(">; rel=\"next\""))
                return String(link.dropFirst("</api/v1".count).prefix { $0 != ">" })
            }
            #expect((target == nil) == (reply.json["next"] as? String == nil))
        }
        #expect(seen == ids)
    }

    @Test(
        "The conditions are those of every list",
        arguments: [
            ("author=ann", 4), ("tag=third", 3), ("search=word+author:bob", 3), ("since=2020-09-15T00:00:00Z", 5),
            ("until=2020-09-15T00:00:00%2B00:00", 2),
            ("since=2020-09-15", 5), ("until=2020-09-15", 2), ("starred=true", 1), ("unread=true", 6), ("read=true", 1),
            ("tag=mine:talk", 1),
        ])
    func conditions(query: String, count: Int) async throws {
        let service = try await Service()
        try await service.fill(7)
        let marked = try await service.ask(
            .put, "/articles/article-3/marks", #"{"starred": true, "read": true, "tags": ["talk"]}"#)
        #expect(marked.status == 200)
        #expect(try await service.ask(.get, "/articles?\(query)").objects("articles").count == count)
    }

    @Test(
        "An unknown parameter is refused, and does not return everything",
        arguments: [
            "bogus=1", "tag=a&tag=b", "unread=true&read=true", "limit=0", "limit=1.0", "unread=yes", "read=false",
            "since=yesterday",
            "since=2020-09", "since=2020-02-30",
            "until=2020-9-15",
            "sort=best",
            "search=",
        ])
    func refused(query: String) async throws {
        let service = try await Service()
        let reply = try await service.ask(.get, "/articles?\(query)")
        #expect(reply.status == 400 && reply.field(.contentType) == "application/problem+json")
        #expect(reply.json["status"] as? Int == 400 && (reply.json["detail"] as? String)?.isEmpty == false)
    }

    @Test("An article lists its sources, and the list of each source contains it")
    func story() async throws {
        let service = try await Service()
        let articles = service.services.articles
        let ids = try await service.fill(2)
        try await service.fill(1, source: "other")
        let other = try await articles.existingSource(named: "other")
        try await articles.write(needing: WriteNeeds()) { writer in
            try writer.put(
                ArticleAppearance(
                    source: other.reference, key: "x", title: "Elsewhere", address: "https://example.org/x",
                    text: .init("Another text.", format: .plain)), of: ids[0])
        }
        let sources = try await service.ask(.get, "/articles/\(ids[0])").objects("sources")
        #expect(sources.map { $0["name"] as? String } == ["blog", "other"])
        #expect(sources.map { $0["id"] as? String }.last == other.uid.description)
        #expect(sources.map { $0["address"] as? String } == [nil, "https://example.org/x"])
        #expect(sources.map { $0["title"] as? String } == [nil, "Elsewhere"])
        #expect(sources.map { $0["body"] as? String } == [nil, "Another text."])
        #expect(try await service.ask(.get, "/articles/\(ids[1])").objects("sources").count == 1)
        let listed = try await service.ask(.get, "/articles?source=other&sort=oldest")
        #expect(listed.objects("articles").compactMap { $0["id"] as? Int64 } == [ids[0], ids[1] + 1])
        #expect(listed.json["total"] as? Int == 2)
        let counts = try await service.ask(.get, "/sources").objects("sources").map { $0["articles"] as? Int }
        #expect(counts == [2, 2])
    }

    @Test("A list has the address of each article's original")
    func addresses() async throws {
        let service = try await Service()
        _ = try await service.services.articles.upsert([
            ArticleDraft(key: "a", title: "A", body: "Words.", sourceURL: "https://example.org/a?b=c"),
            ArticleDraft(key: "b", title: "B", body: "Words."),
        ])
        for query in ["sort=title", "search=words&sort=title", "search=words"] {
            let list = try await service.ask(.get, "/articles?" + query).objects("articles")
            #expect(list.first { $0["title"] as? String == "A" }?["url"] as? String == "https://example.org/a?b=c")
            #expect(list.first { $0["title"] as? String == "B" }?["url"] is NSNull)
        }
    }

    @Test("An article is found by number and by slug, and not sent again to a client that has it")
    func article() async throws {
        let service = try await Service()
        let ids = try await service.fill(1)
        let reply = try await service.ask(.get, "/articles/article-0")
        #expect(reply.json["body"] as? String == "The body of 0, *word*.")
        #expect((reply.json["marks"] as? [String: Any])?["read"] as? Bool == false)
        let tag = try #require(reply.fields[.eTag])
        let again = try await service.ask(.get, "/articles/\(ids[0])", fields: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.text.isEmpty && again.fields[.eTag] == tag)
        // The marks of the requesting user are part of the tag.
        _ = try await service.ask(.put, "/articles/article-0/marks", #"{"read": true}"#)
        #expect(try await service.ask(.get, "/articles/\(ids[0])", fields: [.ifNoneMatch: tag]).status == 200)
        #expect(try await service.ask(.get, "/articles/nothing").status == 404)
        #expect(try await service.ask(.head, "/articles/article-0").status == 200)
    }

    @Test("An article named like a path of the API is available there, by the other methods")
    func words() async throws {
        let service = try await Service()
        _ = try await service.ask(.post, "/articles", as: "ed", #"{"title": "T", "body": "B", "slug": "marks"}"#)
        let article = try await service.ask(.get, "/articles/marks")
        #expect(article.status == 200 && article.json["slug"] as? String == "marks")
        #expect(try await service.ask(.head, "/articles/marks").status == 200)
        let any: HTTPFields = [.ifMatch: "*"]
        let changed = try await service.ask(.patch, "/articles/marks", as: "ed", #"{"title": "U"}"#, fields: any)
        #expect(changed.status == 200 && changed.json["title"] as? String == "U")
        #expect(try await service.ask(.put, "/articles/marks/marks", #"{"starred": true}"#).status == 200)
        // The path of the API wins for its own methods.
        #expect(try await service.ask(.post, "/articles/marks?starred=true", #"{"read": true}"#).status == 200)
        #expect(try await service.ask(.get, "/articles?read=true").json["total"] as? Int == 1)
        #expect(try await service.ask(.get, "/tags/mine").json["tags"] is [Any])
        let refused = try await service.ask(.put, "/articles/marks", "{}")
        #expect(refused.status == 405)
        #expect(refused.field(.allow)?.split(separator: ", ").sorted() == ["DELETE", "GET", "HEAD", "PATCH", "POST"])
        #expect(try await service.ask(.post, "/tags/mine", "{}").field(.allow) == "GET, HEAD")
        #expect(try await service.ask(.delete, "/articles/marks", as: "ed", fields: any).status == 204)
        #expect(try await service.ask(.get, "/articles/marks").status == 404)
    }

    @Test(
        "The code of a wrong parameter says whether its name is known",
        arguments: [
            ("bogus=1", "unknownParameter"), ("limit=1&limit=2", "invalidParameter"), ("tag=", "invalidParameter"),
            ("starred=no", "invalidParameter"), ("unread=true&read=true", "invalidParameter"),
        ])
    func parameterCodes(query: String, code: String) async throws {
        let reply = try await Service().ask(.get, "/articles?\(query)")
        #expect(reply.status == 400 && reply.code == code)
        // Parameters do not change anything.
        #expect((reply.json["detail"] as? String)?.contains("unchanged") == false)
    }

    @Test("A created article has the values of the request")
    func create() async throws {
        let service = try await Service()
        let reply = try await service.ask(
            .post, "/articles", as: "ed",
            #"""
            {"title": "Über", "body": "<p>Text", "format": "html", "authors": ["Ann", "ann", "Bob"], "tags": ["x"],
            "language": "DE-at", "published": "2024-02-29T12:00:00+02:00", "url": "https://example.org/1",
            "source": "notes", "slug": "My Slug"}
            """#)
        #expect(reply.status == 201)
        let place = try #require(reply.field(.location))
        let article = try await service.ask(.get, String(place.dropFirst("/api/v1".count)))
        #expect(article.json["title"] as? String == "Über" && article.json["format"] as? String == "html")
        #expect(article.json["authors"] as? [String] == ["Ann", "Bob"])
        #expect(article.json["published"] as? String == "2024-02-29T12:00:00+02:00")
        #expect(article.json["language"] as? String == "de-AT" && article.json["source"] as? String == "notes")
        #expect(article.json["slug"] as? String == "my-slug")
    }

    @Test("The same request with the same key creates nothing twice, and another is an error")
    func idempotency() async throws {
        let service = try await Service()
        func create(_ title: String, _ key: HTTPFieldValue, as who: String = "ed") async throws -> Service.Reply {
            try await service.ask(
                .post, "/articles", as: who, #"{"title": "\#(title)", "body": "B"}"#, fields: ["idempotency-key": key])
        }
        let first = try await create("One", "k")
        let again = try await create("One", "k")
        #expect(first.status == 201 && again.status == 201 && first.text == again.text)
        #expect(try await create("Two", "k").code == "otherContent")
        // Keys belong to their user, and expire.
        #expect(try await create("Two", "k", as: "olga").status == 201)
        service.clock.advance(by: 86_401)
        #expect(try await create("Three", "k").status == 201)
        #expect(try await service.ask(.get, "/articles").json["total"] as? Int == 3)
    }

    @Test(
        "A body that makes no sense changes nothing, and the response names the place of the error",
        arguments: [
            (#"{"title": "T"}"#, 400, "", "invalid"), (#"{"title": "", "body": "B"}"#, 400, "/title", "invalid"),
            (#"{"title": "\u0000", "body": "B"}"#, 400, "/title", "invalid"),
            (#"{"title": " \u202e", "body": "B"}"#, 400, "/title", "invalid"),
            (#"{"title": "T", "body": 1}"#, 400, "/body", "invalid"),
            (#"{"title": "T", "body": "B", "tags": ["a", 2]}"#, 400, "/tags/1", "invalid"),
            (#"{"title": "T", "body": "B", "other": 1}"#, 400, "", "invalid"),
            (#"{"title": "T", "body": "B", "published": "2024"}"#, 400, "/published", "invalid"),
            (#"{"title": "T", "body": "B", "format": "pdf"}"#, 400, "/format", "invalid"),
            (#"{"title": "T", "body": "B", "title": "U"}"#, 400, "", "invalid"),
            (#"{"title": "T""#, 400, nil, "invalidJSON"), ("[]", 400, "", "invalid"),
        ] as [(String, Int, String?, String)])
    func mistakes(body: String, status: Int, pointer: String?, code: String) async throws {
        let service = try await Service()
        let reply = try await service.ask(.post, "/articles", as: "ed", body)
        #expect(reply.status == status && reply.code == code && reply.json["pointer"] as? String == pointer)
        #expect(try await service.ask(.get, "/articles").json["total"] as? Int == 0)
    }

    @Test(
        "An address that is not on the web is refused, new and changed, and nothing is changed",
        arguments: ["url", "base"],
        [
            "javascript:alert(1)", "", "/here", "https://example.org/a b", "ftp://example.org/", "http://",
            "https:///path", "http://?q", "http://:80/", "http://ada@/",
        ])
    func addresses(name: String, address: String) async throws {
        let service = try await Service()
        let addresses = #""\#(name)": "\#(address)""#
        let made = try await service.ask(.post, "/articles", as: "ed", #"{"title": "T", "body": "B", \#(addresses)}"#)
        #expect(made.status == 422 && made.code == "invalidAddress" && made.json["pointer"] as? String == "/\(name)")
        #expect(try await service.ask(.get, "/articles").json["total"] as? Int == 0)
        let article = try await service.fill(1)[0]
        let before = try await service.ask(.get, "/articles/\(article)", as: "ed").text
        let changed = try await service.ask(
            .patch, "/articles/\(article)", as: "ed", "{\(addresses)}", fields: [.ifMatch: "*"])
        #expect(changed.status == 422 && changed.code == "invalidAddress")
        #expect(try await service.ask(.get, "/articles/\(article)", as: "ed").text == before)
    }

    @Test("A language that is not a tag is refused", arguments: ["klingonxxxx", "no tag", ""])
    func languages(language: String) async throws {
        let service = try await Service()
        let made = try await service.ask(
            .post, "/articles", as: "ed", #"{"title": "T", "body": "B", "language": "\#(language)"}"#)
        #expect(made.status == 422 && made.code == "invalidLanguage" && made.json["pointer"] as? String == "/language")
        let article = try await service.fill(1)[0]
        let changed = try await service.ask(
            .patch, "/articles/\(article)", as: "ed", #"{"language": "\#(language)"}"#, fields: [.ifMatch: "*"])
        #expect(changed.status == 422 && changed.code == "invalidLanguage")
    }

    @Test("A body of another type is refused, and so is a source that accepts no articles")
    func otherRefusals() async throws {
        let service = try await Service()
        let form = try await service.ask(
            .post, "/articles", as: "ed", "title=T&body=B", fields: [.contentType: "application/x-www-form-urlencoded"])
        #expect(form.status == 415)
        _ = try await service.services.articles.upsert(
            .init(key: "k", title: "T", body: "B"), into: .init(name: "folder", kind: .folder))
        let body = #"{"title": "T", "body": "B", "source": "folder"}"#
        #expect(try await service.ask(.post, "/articles", as: "ed", body).status == 409)
    }

    @Test("A summary that was made from the text follows a change of the text, and one that was given stays")
    func summaryOfChange() async throws {
        let service = try await Service()
        for (slug, given, kept) in [("made", nil, "Second."), ("given", "Mine.", "Mine.")] {
            var article = ["slug": slug, "title": "T", "body": "First."]
            article["summary"] = given
            let body = String(decoding: try JSONSerialization.data(withJSONObject: article), as: UTF8.self)
            #expect(try await service.ask(.post, "/articles", as: "ed", body).status == 201)
            let reply = try await service.ask(
                .patch, "/articles/\(slug)", as: "ed", #"{"body": "Second."}"#, fields: [.ifMatch: "*"])
            #expect(reply.json["summary"] as? String == kept)
        }
    }

    @Test("An article is changed only by a client that names its version")
    func change() async throws {
        let service = try await Service()
        try await service.fill(1)
        let tag = try #require(try await service.ask(.get, "/articles/article-0", as: "ed").fields[.eTag])
        let body = #"{"title": "Other", "tags": [], "summary": null}"#
        #expect(try await service.ask(.patch, "/articles/article-0", as: "ed", body).status == 428)
        let reply = try await service.ask(
            .patch, "/articles/article-0", as: "ed", body, fields: [.ifMatch: "\"other\"", .ifMatch: tag])
        #expect(reply.status == 200 && reply.json["title"] as? String == "Other")
        #expect(reply.json["slug"] as? String == "article-0" && reply.json["tags"] as? [String] == [])
        #expect(reply.json["authors"] as? [String] == ["Ann"])
        // The version does not include marks.
        let current = try #require(reply.fields[.eTag])
        _ = try await service.ask(.put, "/articles/article-0/marks", as: "ed", #"{"read": true, "tags": ["a"]}"#)
        let marked = try await service.ask(
            .patch, "/articles/article-0", as: "ed", #"{"tags": ["b"]}"#, fields: [.ifMatch: current])
        #expect(marked.status == 200 && marked.json["tags"] as? [String] == ["b"])
        #expect(
            try await service.ask(.patch, "/articles/article-0", as: "ed", body, fields: [.ifMatch: current]).status
                == 412)
        let late = try await service.ask(.patch, "/articles/article-0", as: "ed", body, fields: [.ifMatch: tag])
        #expect(late.status == 412 && late.code == "hasChanged")
        let weak = try HTTPFieldValue("W/" + (marked.field(.eTag) ?? ""))
        let refused = try await service.ask(.delete, "/articles/article-0", as: "ed", fields: [.ifMatch: weak])
        #expect(refused.status == 412 && (refused.json["detail"] as? String)?.contains("weak") == true)
        // A strong tag may contain the letters of a weak one.
        let other = try await service.ask(.delete, "/articles/article-0", as: "ed", fields: [.ifMatch: "\"W/1\""])
        #expect(other.status == 412 && (other.json["detail"] as? String)?.contains("weak") == false)
        let gone = try await service.ask(.delete, "/articles/article-0", as: "ed", fields: [.ifMatch: "*"])
        #expect(gone.status == 204)
        #expect(try await service.ask(.get, "/articles/article-0").status == 404)
    }

    @Test("null removes a field that an article need not have, and is refused for others")
    func null() async throws {
        let service = try await Service()
        let body = #"""
            {"title": "T", "body": "B", "published": "2024-02-29T12:00:00+02:00", "language": "de", "tags": ["x"],
            "url": "https://example.org/1", "base": "https://example.org/", "summary": "Said."}
            """#
        let made = try await service.ask(.post, "/articles", as: "ed", body)
        let place = String(try #require(made.field(.location)).dropFirst("/api/v1".count))
        func change(_ body: String) async throws -> Service.Reply {
            try await service.ask(.patch, place, as: "ed", body, fields: [.ifMatch: "*"])
        }
        for name in ["published", "title", "body", "authors", "tags", "format"] {
            let reply = try await change(#"{"summary": null, "\#(name)": null}"#)
            #expect(reply.status == 400 && reply.json["pointer"] as? String == "/\(name)")
            let words = "The body at /\(name) cannot be null: omit it instead."
            #expect(reply.json["detail"] as? String == words)
        }
        #expect(try await service.ask(.get, place, as: "ed").text == made.text)
        let reply = try await change(#"{"summary": null, "language": null, "url": null, "base": null}"#)
        #expect(reply.status == 200 && reply.json["published"] as? String == "2024-02-29T12:00:00+02:00")
        for name in ["language", "url", "base"] { #expect(reply.json[name] is NSNull, "\(name)") }
        #expect(reply.json["summary"] as? String == "B")
        let whole = try await service.ask(
            .post, "/articles", as: "ed", #"{"title": "T", "body": "B", "published": null}"#)
        #expect(whole.status == 201 && whole.json["published"] is String)
    }

    @Test("A source gets another name and other tags, and its articles are listed by them")
    func sources() async throws {
        let service = try await Service()
        try await service.fill(2)
        func sources() async throws -> [[String: Any]] {
            try #require(try await service.ask(.get, "/sources", as: "ed").json["sources"] as? [[String: Any]])
        }
        let before = try #require(try await sources().first)
        let path = "/sources/\(try #require(before["id"] as? String))"
        #expect(before["tags"] as? [String] == [])
        let tagged = try await service.ask(.patch, path, as: "ed", #"{"tags": ["Tech", "News", "NEWS"]}"#)
        #expect(tagged.status == 200 && tagged.json["tags"] as? [String] == ["News", "Tech"])
        #expect(tagged.json["name"] as? String == before["name"] as? String)
        let found = try await service.ask(.get, "/articles?source-tag=news", as: "ed")
        #expect((found.json["articles"] as? [Any])?.count == 2)
        #expect(
            (try await service.ask(.get, "/articles?source-tag=x", as: "ed").json["articles"] as? [Any])?.isEmpty
                == true)
        let renamed = try await service.ask(.patch, path, as: "ed", #"{"name": "Blog", "tags": ["tech"]}"#)
        #expect(renamed.json["name"] as? String == "Blog" && renamed.json["tags"] as? [String] == ["Tech"])
        #expect(try await service.ask(.patch, path, as: "ed", #"{"tags": ["a,b"]}"#).status == 422)
        #expect(try await service.ask(.patch, path, as: "ed", #"{"tags": [""]}"#).status == 400)
        #expect(try await service.ask(.patch, path, as: "rita", #"{"tags": []}"#).status == 403)
        #expect(try await sources().map { $0["tags"] as? [String] } == [["Tech"]])
    }

    @Test("A read token changes nothing", arguments: [("rita", "notAllowed"), ("token", "outOfScope")])
    func roles(who: String, code: String) async throws {
        let service = try await Service()
        try await service.fill(1)
        var who = who
        if who == "token" {
            let made = try await service.ask(.post, "/tokens", as: "ed", #"{"name": "t", "scope": "read"}"#)
            who = try #require(made.json["token"] as? String)
            #expect(made.field(.cacheControl) == "no-store")
        }
        let any: HTTPFields = [.ifMatch: "*"]
        for reply in [
            try await service.ask(.post, "/articles", as: who, #"{"title": "T", "body": "B"}"#),
            try await service.ask(.patch, "/articles/article-0", as: who, #"{"title": "T"}"#, fields: any),
            try await service.ask(.delete, "/articles/article-0", as: who, fields: any),
            try await service.ask(.delete, "/sources/x", as: who),
            try await service.ask(.post, "/sources", as: who, #"{"address": "https://example.org/"}"#),
            try await service.ask(.post, "/sources/x/fetch", as: who),
            try await service.ask(.delete, "/sources/x/subscription", as: who),
        ] {
            #expect(reply.status == 403 && reply.code == code)
        }
        #expect(try await service.ask(.get, "/articles/article-0", as: who).json["title"] as? String == "Article 0")
    }
}
