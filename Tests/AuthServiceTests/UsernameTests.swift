import AuthService
import Testing

@Suite("Username")
struct UsernameTests {
    @Test(
        "Names that look alike are the same name",
        arguments: [
            ("alice", "alice"), ("ALICE", "alice"), ("ａｌｉｃｅ", "alice"), ("Ａlice", "alice"), ("𝐚𝐥𝐢𝐜𝐞", "alice"),
            ("Straße", "strasse"), ("ﬁnn", "finn"), ("\u{212A}im", "kim"), ("x２", "x2"), ("a.b_c-d", "a.b_c-d"),
        ])
    func normalises(typed: String, name: String) throws {
        #expect(try Username(typed).text == name)
    }

    @Test("A name has 2 to 32 characters")
    func lengths() throws {
        #expect(throws: AuthError.invalidUsername(.tooShort)) { try Username("") }
        #expect(throws: AuthError.invalidUsername(.tooShort)) { try Username("a") }
        #expect(try Username("ab").text == "ab")
        #expect(try Username(String(repeating: "a", count: 32)).text.count == 32)
        #expect(throws: AuthError.invalidUsername(.tooLong)) { try Username(String(repeating: "a", count: 33)) }
    }

    @Test("A name that becomes too long only by normalizing is too long")
    func longAfterNormalising() {
        // U+1F12B folds to three characters, so 17 of them fold to more than 32.
        #expect(throws: AuthError.invalidUsername(.tooLong)) { try Username(String(repeating: "㎏", count: 17)) }
    }

    @Test("Text of any length is refused without being normalized")
    func hostileLength() {
        for character in ["a", "ﷺ", "e\u{301}", "\u{0}"] {
            #expect(throws: AuthError.invalidUsername(.tooLong)) {
                try Username(String(repeating: character, count: 10_000_000 / character.utf8.count))
            }
        }
    }

    @Test(
        "Only a to z, digits, dot, underscore, and hyphen are allowed",
        arguments: [
            ("al ice", " "), (" alice", " "), ("alice\n", "\n"), ("al\0ice", "\0"), ("al\u{200B}ice", "\u{200B}"),
            ("al\u{202E}ice", "\u{202E}"), ("alıce", "ı"), ("İris", "\u{307}"), ("аlice", "а"), ("jürgen", "ü"),
            ("alice🙂", "🙂"), ("'; DROP TABLE user; --", "'"), ("a/b", "/"), ("a@b.c", "@"), ("名前", "名"),
        ] as [(String, Unicode.Scalar)])
    func alphabet(text: String, scalar: Unicode.Scalar) {
        #expect(throws: AuthError.invalidUsername(.forbidden(scalar))) { try Username(text) }
    }

    @Test(
        "A name begins and ends with a letter or a digit",
        arguments: [(".alice", "."), ("alice-", "-"), ("_x", "_"), ("--", "-")] as [(String, Unicode.Scalar)])
    func edges(text: String, scalar: Unicode.Scalar) {
        #expect(throws: AuthError.invalidUsername(.edge(scalar))) { try Username(text) }
    }

    @Test("The error says the rule, and shows no character that could disturb a terminal")
    func messages() {
        #expect("\(AuthError.invalidUsername(.forbidden("ü")))".contains("'ü' (U+00FC)"))
        #expect("\(AuthError.invalidUsername(.edge(".")))".contains("begin and end"))
        #expect("\(AuthError.invalidUsername(.forbidden(" ")))".hasSuffix("not a space"))
        for scalar in ["\u{1B}", "\u{202E}", "\u{307}", "\0", "\u{A0}"] as [Unicode.Scalar] {
            let message = "\(AuthError.invalidUsername(.forbidden(scalar)))"
            #expect(message.contains("U+"))
            #expect(!message.unicodeScalars.contains(scalar))
        }
    }
}
