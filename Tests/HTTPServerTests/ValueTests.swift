import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("The values of HTTP")
struct ValueTests {
    @Test(
        "A field rejects text that would end it",
        arguments: [
            "a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\u{0}", "\u{7F}", "a\u{1B}[2J",
        ])
    func smuggledFields(text: String) {
        #expect(throws: HTTPFieldError.self) { try HTTPFieldValue(text) }
        #expect(HTTPFieldName(text) == nil)
        #expect(HTTPMethod(text) == nil)
    }

    @Test("Names of fields ignore case, and a name may have several values")
    func fields() {
        var fields: HTTPFields = [.accept: "a", .vary: "b", .accept: " c\t"]
        #expect(HTTPFieldName("ACCEPT") == .accept)
        #expect(fields[.accept] == "a")
        #expect(fields.values(of: "Accept").map(\.text) == ["a", "c"])
        fields[.accept] = "d"
        #expect(fields.map { "\($0.name): \($0.value)" } == ["accept: d", "vary: b"])
        fields[.vary] = nil
        fields[.eTag] = "\"x\""
        fields.append(HTTPFieldValue(7), for: "x-number")
        #expect(fields.map { "\($0.name): \($0.value)" } == ["accept: d", "etag: \"x\"", "x-number: 7"])
        #expect(HTTPFieldValue(" a , b\t,, c").list == ["a", "b", "c"])
        // A combining mark on the space before it stays.
        #expect(HTTPFieldValue(" \u{301}a ").text == "\u{301}a")
    }

    @Test(
        "Targets are parsed once and strictly",
        arguments: [
            ("/", [""], []), ("/a/b", ["a", "b"], []), ("/a//b/", ["a", "", "b", ""], []), ("/a%2Fb", ["a/b"], []),
            ("/%252e%252e", ["%2e%2e"], []), ("/a+b", ["a+b"], []), ("/%F0%9F%98%80", ["\u{1F600}"], []),
            ("/...", ["..."], []),
            ("/?", [""], []), ("/?a=b&c", [""], ["a=b", "c="]), ("/?a=%26%3D&&a=1%2b1", [""], ["a=&=", "a=1+1"]),
            ("/?q=a+b?c/d", [""], ["q=a b?c/d"]), ("/?a=%0A", [""], ["a=\n"]),
        ])
    func targets(text: String, segments: [String], query: [String]) throws {
        let target = try #require(HTTPTarget(text))
        #expect(target.segments == segments)
        #expect(target.query.items.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test(
        "A target that leads elsewhere, or is ambiguous, is rejected",
        arguments: [
            "", "a", "//\u{e4}", "/..", "/../", "/a/..", "/.", "/%2e", "/%2e.", "/.%2E/a", "/%00", "/a%0ab", "/%7f",
            "/a\\b", "/%5c..",
            "/%c0%af", "/%e0%80%af", "/%f0%80%80%af", "/%ed%a0%80", "/%ff", "/%", "/%4", "/%4g", "/%-1", "/a b", "/a#b",
            "/a\u{0}",
            "/?%00", "/?%zz", "/?a=%c0%80", "/?a=%ff", "/\u{1F600}",
        ])
    func badTargets(text: String) {
        #expect(HTTPTarget(text) == nil)
    }

    @Test("Forms are parsed like queries")
    func forms() {
        let form = HTTPQuery(form: Array("name=J%C3%BCrgen+M&tag=a&tag=b".utf8))
        #expect(form?["name"] == "J\u{fc}rgen M")
        #expect(form?.values(of: "tag") == ["a", "b"])
        #expect(form?["none"] == nil)
        #expect(HTTPQuery(form: [0x61, 0x3D, 0xFF]) == nil)
    }

    @Test("Statuses are from 200 to 599")
    func statuses() {
        #expect(HTTPStatus(200) == .ok)
        #expect(HTTPStatus(199) == nil)
        #expect(HTTPStatus(600) == nil)
    }

    @Test("Any input is parsed without harm, and accepted values are valid", arguments: 1...20)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("/%.?&=+aA2fFeE0:\\#; \r\n\u{0}\u{e4}".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let text = "/" + String(decoding: bytes, as: UTF8.self)
            if let target = HTTPTarget(text) {
                #expect(!target.segments.contains { $0 == ".." || $0 == "." || $0.contains("\0") || $0.contains("\n") })
                #expect(
                    target.segments.count == target.path.split(separator: "/", omittingEmptySubsequences: false).count
                        - 1)
                #expect(!target.query.items.contains { $0.name.contains("\0") || $0.value.contains("\0") })
                #expect(text.hasPrefix(target.path))
            }
            _ = HTTPQuery(form: bytes)
        }
    }
}
