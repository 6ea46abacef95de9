import Navigation
import Testing

// The code of the page DeclaringRoutes. A test compares the two.

private enum Order: String, RouteParameter { case title, date }

private enum ShelfRoute: PatternRoute {
    case shelf(order: Order?, tag: String?)
    case book(Int)
    case chapter(book: Int, heading: String?)

    enum Event: NavigationEvent { case chosen(Int) }
    typealias Screen = String

    static let patterns = [
        RoutePattern("/books?order=<order>&tag=<tag>", flow: "books", ShelfRoute.shelf),
        RoutePattern("/books/<number>", flow: "books", ShelfRoute.book),
        RoutePattern("/books/<number>/text#<heading>", flow: "books", ShelfRoute.chapter),
    ]
    static let links = ["https://books.example", "books://"]
}

@Suite("The page DeclaringRoutes")
struct DeclaringRoutesTests {
    @Test("The links of the page lead to the places that it names")
    func links() {
        let link = ShelfRoute(url: "https://books.example/books/42/text?utm_source=mail#summary")
        let custom = ShelfRoute(url: "books://books?order=date")
        let foreign = ShelfRoute(url: "https://books.example.org/books/42")
        let written = ShelfRoute.book(42).url
        #expect(link == .chapter(book: 42, heading: "summary"))
        #expect(custom == .shelf(order: .date, tag: nil))
        #expect(foreign == nil)
        #expect(written == "https://books.example/books/42")
    }

    @Test("A text that is not valid is not a place", arguments: ["/books/x", "/books/007", "/books?order=size"])
    func invalid(path: String) {
        #expect(ShelfRoute(path: path) == nil)
    }
}
