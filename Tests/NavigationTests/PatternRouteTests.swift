import Navigation
import NavigationTesting
import Testing

@Suite("Routes that are declared by patterns")
struct PatternRouteTests {
    private enum Order: String, RouteParameter { case title, date }

    private enum Account: PatternRoute {
        case login
        case key(Int)

        enum Event: NavigationEvent { case done }
        typealias Screen = String

        static let patterns = [
            RoutePattern("/login", flow: "login", Account.login),
            RoutePattern("/keys/<number>", flow: "keys", Account.key),
        ]
    }

    private enum Place: PatternRoute {
        case home
        case list(order: Order?, tag: String?)
        case note(Int)
        case draft(Int)
        case section(note: Int, title: String?)
        case folder(String, Order?)
        case account(Account)
        case login(name: String)

        enum Event: NavigationEvent { case done }
        typealias Screen = String

        static let patterns = [
            RoutePattern("/", flow: "notes", Place.home),
            RoutePattern("/notes?order=<order>&tag=<tag>", flow: "notes", Place.list),
            RoutePattern("/notes/<number>", flow: "notes", Place.note),
            RoutePattern("/drafts/<number>", flow: "notes", Place.draft),
            RoutePattern("/notes/<number>/text#<title>", flow: "text", Place.section),
            RoutePattern("/folders/<name>/<order>", flow: "notes", Place.folder),
            RoutePattern("/account", Place.account),
            RoutePattern("/login/<name>", flow: "login", Place.login),
        ]
        static let links = ["https://notes.example/app", "notes://"]
    }

    @Test(
        "A pattern writes and reads the path of a place",
        arguments: [
            (.home, "/"), (.list(order: nil, tag: nil), "/notes"),
            (.list(order: .date, tag: "a&b"), "/notes?order=date&tag=a%26b"),
            (.list(order: nil, tag: ""), "/notes?tag="), (.note(-42), "/notes/-42"), (.draft(42), "/drafts/42"),
            (.section(note: 1, title: "C++"), "/notes/1/text#C%2B%2B"),
            (.section(note: 1, title: nil), "/notes/1/text"),
            (.folder("a/b", .title), "/folders/a%2Fb/title"), (.folder("..", nil), "/folders/%2E%2E"),
            (.account(.login), "/account/login"), (.account(.key(7)), "/account/keys/7"),
            (.login(name: "Ada"), "/login/Ada"),
        ] as [(Place, String)])
    private func roundTrip(place: Place, path: String) throws {
        #expect(place.path == path)
        try expectRoundTrip([place])
    }

    @Test("The table gives the name of the screen and the flow")
    func names() {
        let places: [Place] = [.home, .list(order: .date, tag: nil), .section(note: 1, title: nil), .account(.key(7))]
        #expect(places.map(\.screenName) == ["/", "/notes", "/notes/<number>/text", "/account/keys/<number>"])
        #expect(places.map(\.flow) == ["notes", "notes", "text", "keys"])
    }

    @Test(
        "A path that no pattern has is not a place",
        arguments: [
            "/notes/x", "/notes/+1", "/notes/01", "/notes/1/2", "/notes?order=size", "/notes?page=2", "/notes#top",
            "/folders", "/folders/a/size", "/folders/a/title/b", "/account", "/account/keys", "/account/keys/7#top",
            "/other",
            "/notes/1/text#%zz",
        ])
    func invalid(path: String) {
        #expect(Place(path: path) == nil)
    }

    @Test(
        "A URL of the application leads to its place",
        arguments: [
            ("https://notes.example/app/notes/42", .note(42)), ("HTTPS://Notes.Example/app/notes/42", .note(42)),
            ("https://notes.example/app", .home), ("https://notes.example/app?utm_source=mail", .home),
            ("notes://notes/42#top", .note(42)), ("notes://notes/1/text#C%2B%2B", .section(note: 1, title: "C++")),
            ("notes:///account/keys/7", .account(.key(7))),
        ] as [(String, Place)])
    private func url(url: String, place: Place) {
        #expect(Place(url: url) == place)
    }

    @Test(
        "A URL of another scheme, host, or place is refused",
        arguments: [
            "http://notes.example/app/notes/42", "https://notes.example.org/app/notes/42",
            "https://notes.example/notes/42",
            "https://notes.example@evil.example/app/notes/42", "https://notes.example:8080/app",
            "https://notes.example/apple", "https://notes.example/appnotes/42",
            "https://notes.example/App/notes/42", "notes:notes/42", "/notes/42", "https://notes.example/app/notes/x",
            "",
        ])
    func foreign(url: String) {
        #expect(Place(url: url) == nil)
    }

    @Test("The URL of a place begins with the first link")
    func writtenURL() throws {
        let url = try #require(Place.list(order: nil, tag: "a b").url)
        #expect(url == "https://notes.example/app/notes?tag=a%20b")
        #expect(Place(url: url) == .list(order: nil, tag: "a b"))
        #expect(Account.login.url == nil)
    }
}
