import AuthService
import TestSupport
import Testing

@Suite("SessionToken")
struct SessionTokenTests {
    private static let id = "0123456789abcdef"
    private static let secret = String(repeating: "A", count: 43)

    @Test("A token is its session's ID, a dot, and 43 characters of base64url")
    func parses() throws {
        let text = "\(Self.id).\(String(repeating: "-_", count: 21))w"
        let token = try #require(SessionToken(text))
        #expect(token.text == text)
        #expect(token.sessionID.description == Self.id)
    }

    @Test(
        "Text that is not a token is refused",
        arguments: [
            "", ".", "..", id, secret, "\(id)\(secret)", "\(id).", ".\(secret)", "\(id).\(secret)A",
            "\(id).\(secret)\n",
            " \(id).\(secret)", "\(id).\(secret.dropLast())", "\(id).\(secret.dropLast())=",
            "\(id).\(secret.dropLast())+",
            "\(id).\(secret.dropLast())/", "\(id).\(secret.dropLast())B", "\(id).\(secret.dropLast())\0",
            "\(id.uppercased()).\(secret)", "\(id.dropLast())g.\(secret)", "\(id.dropLast())..\(secret)",
            "\(id):\(secret)", "\(id).\(secret.dropLast(2))é", "' OR 1=1 --", String(repeating: "🙂", count: 15),
            String(repeating: "a", count: 10_000_000), String(repeating: ".", count: 60),
            String(repeating: "\0", count: 60),
        ].map(LongText.init))
    func refuses(long: LongText) {
        #expect(SessionToken(long.text) == nil)
    }

    @Test("A token never prints itself")
    func redacted() throws {
        let token = try #require(SessionToken("\(Self.id).\(Self.secret)"))
        var dumped = ""
        dump((1, token), to: &dumped)
        for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
            #expect(!text.contains("AAAA"))
            // As bytes, too.
            #expect(!text.contains("0, 0"))
        }
    }

    @Test(
        "An ID is 16 lowercase hexadecimal digits",
        arguments: ["", "0123456789abcde", "0123456789ABCDEF", "-0123456789abcde", "０123456789abc"])
    func ids(text: String) {
        #expect(Session.ID(text) == nil)
        #expect(Session.ID(Self.id)?.description == Self.id)
    }
}
