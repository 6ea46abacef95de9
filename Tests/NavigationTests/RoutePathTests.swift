import Navigation
import TestSupport
import Testing

@Suite("Parts of a path")
struct RoutePathTests {
    @Test(
        "A path is written with its parameters in order, percent-encoded where necessary",
        arguments: [
            (RoutePath("articles"), "/articles"),
            (RoutePath("articles", "C++ & Ünï"), "/articles/C%2B%2B%20%26%20%C3%9Cn%C3%AF"),
            (RoutePath("a").adding("z", "1").adding("b", "a=b&c").adding("none", nil), "/a?z=1&b=a%3Db%26c"),
            (RoutePath("a").adding("x", "1").adding("y", "2").adding("x", "3"), "/a?y=2&x=3"),
            (RoutePath("a").adding("x", "1").adding("x", nil), "/a"),
            (RoutePath("a").adding("a b", ""), "/a?a%20b="),
            (RoutePath(".."), "/%2E%2E"), (RoutePath("."), "/%2E"), (RoutePath(), ""),
        ])
    func written(path: RoutePath, text: String) {
        #expect(path.text == text)
    }

    @Test(
        "A path is read with or without slashes at its ends",
        arguments: [
            ("/articles/42/", ["articles", "42"], [:]), ("articles", ["articles"], [:]), ("", [], [:]), ("/", [], [:]),
            ("/a?x=1&y=%C3%A9", ["a"], ["x": "1", "y": "é"]), ("/a?x=a=b", ["a"], ["x": "a=b"]),
            ("?x=1", [], ["x": "1"]), ("/a?", ["a"], [:]), ("/a%2Fb", ["a/b"], [:]),
        ] as [(String, [String], [String: String])])
    func read(text: String, segments: [String], parameters: [String: String]) throws {
        let path = try #require(RoutePath(parsing: text))
        #expect(path.segments == segments)
        #expect(path.parameters == parameters)
    }

    @Test(
        "A broken path is refused",
        arguments: ["//", "/a//b", "/a/%", "/a/%4", "/a/%zz", "/%FF", "/a?x", "/a?x=1&x=2", "/a?x=%F"])
    func broken(text: String) {
        #expect(RoutePath(parsing: text) == nil)
    }

    @Test("A path reads back as it was written, whatever it contains", arguments: 1...10)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = Array("ab/?&=%+ .é漢\u{0}\n😀~")
        func word() -> String {
            String(
                (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
        }
        for _ in 0..<200 {
            let path = RoutePath(word(), word()).adding(word(), word()).adding(word(), word())
            #expect(RoutePath(parsing: path.text) == path)
        }
    }
}
