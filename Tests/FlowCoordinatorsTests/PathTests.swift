import ArticleStore
import FlowCoordinators
import Foundation
import Navigation
import NavigationTesting
import TestSupport
import Testing

@Suite("Paths")
struct PathTests {
    static let routes: [AppRoute] =
        AppRoute.screens + [
            .login(username: "ada"),
            .articles(
                ArticleList(
                    query: ArticleQuery(
                        text: "50% of “a+b” & c_d=#?", author: "Ada & Béla?", tag: "a/b#c", language: "pt-BR",
                        since: Date(timeIntervalSince1970: -5),
                        until: Date(timeIntervalSince1970: 1_700_000_000), sort: .title), limit: 7)),
            .articles(ArticleList(query: ArticleQuery(text: "Ärger İ 👩‍👩‍👧"))), .article("welcome"), .article("42"),
            .article("ünï çode/with?every=thing&#"), .article("."), .article(".."),
            .ownTags("ünï/tags?"), .note("note"), .ownTags("tags"), .editing("edit"), .writing,
            .library(of: "ünï çode&#"), .subscribing(address: "https://example.org/?a=1&b=ü#c"),
            .savingPage(address: "https://example.org/?url=1&b=ü#c"), .libraryPart(LibraryPart(.ownTags, page: 7)),
            .sources(page: 7),
        ]

    @Test("The links of feeds and of other clients lead to the places", arguments: routes)
    func pagePath(route: AppRoute) {
        switch route {
        case .article(let reference): #expect(reference.pagePath == route.path)
        case .articles(let list): #expect(list.pagePath == route.path)
        default: break
        }
    }

    @Test("A path reads back as the route that it was printed from")
    func roundTrip() throws {
        try expectRoundTrip(Self.routes)
        for path in Self.routes.map(\.path) {
            #expect(path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    @Test(
        "A tag, author, or source has the path of its list",
        arguments: ["swift", "a/b#c & é", "."])
    func links(word: String) {
        #expect(
            List.Column.Link.author.path(of: word)
                == AppRoute.articles(ArticleList(query: ArticleQuery(author: word))).path)
        #expect(
            List.Column.Link.tag.path(of: word) == AppRoute.articles(ArticleList(query: ArticleQuery(tag: word))).path)
    }

    @Test("A place with any parameters reads back from its path", arguments: AppRoute.screens)
    func generatedRoundTrip(place: AppRoute) throws {
        var generator = RouteGenerator(seed: 7)
        try expectRoundTrip((0..<200).map { _ in generator.place(like: place) })
    }

    @Test(
        "A path that names no place is refused",
        arguments: [
            "/nowhere", "/articles/a/b", "/articles/a/tags/b", "/articles/a/note?x=1", "/articles//", "//",
            "/articles?limit=0", "/articles?limit=1001",
            "/articles?sort=best", "/articles?since=yesterday", "/articles?since=9223372036854775807",
            "/articles?until=-9223372036854775808", "/articles?cursor=!!", "/articles?unknown=1",
            "/articles?unread=yes&read=yes", "/articles?read=1&unread=true", "/articles?tag=a&tag=b",
            "/articles?search=a&search=b", "/articles?search",
            "/articles?Search=a", "/articles?search=%ff", "/articles?tag", "/articles/%", "/articles/%zz",
            "/articles/%ff",
            "/account/secret", "/account%2Fsessions", "/appearance/dark", "/appearance?theme=dark",
            "/sources/0", "/sources/01", "/sources/blog", "/sources/1/2", "/sources?x=1",
            "/users/0", "/users/01", "/users/ada", "/users/1/2", "/welcome?x=1", "/login/again", "/signup/done",
        ])
    func refused(_ path: String) {
        #expect(AppRoute(path: path) == nil)
    }

    @Test("A page has from 1 to 1,000 articles, whatever is requested")
    func limits() {
        #expect([-1, 0, 1, 1000, 1001].map { ArticleList(limit: $0).limit } == [1, 1, 1, 1000, 1000])
        var list = ArticleList()
        list.limit = 0
        #expect(list.limit == 1)
        list.limit = 1001
        #expect(list.limit == 1000)
    }

    @Test("Paths are read with or without their outer slashes")
    func lenient() {
        #expect(AppRoute(path: "/") == AppSection.unread.place)
        #expect(AppRoute(path: "/?tag=swift") == .articles(ArticleList(query: ArticleQuery(tag: "swift"))))
        #expect(AppRoute(path: "") == AppSection.unread.place)
        #expect(AppRoute(path: "articles/welcome") == .article("welcome"))
        #expect(AppRoute(path: "/articles/") == .articles())
        #expect(AppRoute(path: "/signup") == .signUpAccount)
        #expect(AppRoute(path: "/register") == .signUpAccount)
    }

    @Test("A search without a word is the whole list, and a long one is cut")
    func searches() throws {
        #expect(AppRoute(path: "/articles?search=") == .articles())
        #expect(AppRoute(path: "/articles?search=%20%0A&limit=7") == .articles(ArticleList(limit: 7)))
        #expect(AppRoute(path: "/articles?search=%20a%09b") == .articles(ArticleList(query: ArticleQuery(text: "a b"))))
        let long = try #require(AppRoute(path: "/articles?search=" + String(repeating: "%F0%9F%98%80", count: 5000)))
        #expect(long.path.utf8.count < 3000)
        #expect(AppRoute(path: long.path) == long)
    }

    @Test(
        "A page that another app shares is found in the address, the text, or the title",
        arguments: [
            ("/add?url=https%3A%2F%2Fe.org%2F1&text=https%3A%2F%2Fe.org%2F2&title=T", "https://e.org/1"),
            ("/add?text=Read%20this%3A%0Ahttps%3A%2F%2Fe.org%2F2%20now&title=T", "https://e.org/2"),
            ("/add?title=http%3A%2F%2Fe.org%2F3", "http://e.org/3"), ("/add?title=No%20address", nil), ("/add", nil),
        ])
    func sharedPages(path: String, address: String?) {
        #expect(AppRoute(path: path) == .savingPage(address: address))
    }

    @Test("A page of sources, or of a group of the library, has a number from 1")
    func pages() {
        #expect(AppRoute(path: "/library/tags?page=1") == .libraryPart(LibraryPart(.tags)))
        #expect(AppRoute(path: "/sources?page=1") == .sources())
        for path in [
            "/library/tags?page=0", "/library/tags?page=x", "/library/people", "/sources?page=-1", "/sources?pages=2",
        ] {
            #expect(AppRoute(path: path) == nil)
        }
    }

    @Test("Random text never crashes the parser")
    func fuzz() {
        var generator = SeededGenerator(seed: 42)
        let alphabet = Array("/?&=%ab0é.~#\0 articleslogin")
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...24, using: &generator)
            let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "/" })
            guard let route = AppRoute(path: text) else { continue }
            #expect(AppRoute(path: route.path) == route)
        }
    }
}

/// Draws places with parameters from a seed.
private struct RouteGenerator {
    private static let pieces = [
        "", "a", "Ünï", "/", "//", "?", "&", "=", "%", "%2F", "%zz", "#", "+", " ", ".", "..", "~", "<slug>", "tags",
        "edit",
        "\0", "\n", "\u{202E}", "\u{FEFF}", "e\u{301}", "👩‍👩‍👧", "'\"", "\\", "0", "-1", "9223372036854775808",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func place(like place: AppRoute) -> AppRoute {
        switch place {
        case .login: .login(username: optional { $0.text() })
        case .articles: .articles(list())
        case .library: .library(of: optional { ArticleReference($0.text()) })
        case .user: .user(.random(in: 1...Int64.max, using: &random))
        case .source: .source(.random(in: 1...Int64.max, using: &random))
        case .subscribing: .subscribing(address: optional { $0.text() })
        case .savingPage: .savingPage(address: optional { $0.text() })
        case .libraryPart:
            .libraryPart(
                LibraryPart(
                    LibraryPart.Group.allCases.randomElement(using: &random) ?? .tags,
                    page: PageNumber(.random(in: 1...9, using: &random))))
        case .sources: .sources(page: PageNumber(.random(in: 1...9, using: &random)))
        case .savingRule: .savingRule(rule())
        case .ruleTrial: .ruleTrial(rule())
        default: place.about(ArticleReference("x" + text()))
        }
    }

    private mutating func list() -> ArticleList {
        let sorts = ArticleQuery.Sort.allCases
        let query = ArticleQuery(
            text: optional { $0.text() }, source: optional { $0.text() }, sourceTag: optional { $0.text() },
            author: optional { $0.text() }, tag: optional { $0.text() }, language: optional { $0.text() },
            since: optional { $0.date() }, until: optional { $0.date() },
            marks: MarkCondition(
                isRead: optional { $0.flag() }, isStarred: flag() ? true : nil, isReadLater: flag() ? true : nil,
                isNoted: flag() ? true : nil),
            sort: sorts.randomElement(using: &random) ?? .newest)
        return ArticleList(query: query, limit: .random(in: 0...1_001, using: &random))
    }

    private mutating func rule() -> RuleDraft {
        let names: [FieldName] = [.name, .words, .source, .address, .pattern, .tags]
        var texts = Dictionary(uniqueKeysWithValues: names.map { ($0, text()) })
        for toggle in [FieldName.hide, .read, .star, .later] where flag() { texts[toggle] = Form.Field.on }
        texts[.field] = optional { $0.text() }
        return RuleDraft(rule: optional { $0.text() }, texts)
    }

    private mutating func text() -> String {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: -62_135_596_800...253_402_300_799, using: &random)))
    }

    private mutating func flag() -> Bool { .random(using: &random) }

    private mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? { flag() ? value(&self) : nil }
}
