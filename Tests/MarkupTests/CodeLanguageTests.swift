import Markup
import TestSupport
import Testing

@Suite("Tokens of code")
struct CodeLanguageTests {
    private func marked(_ code: String, _ language: String) throws -> String {
        try #require(CodeLanguage(named: language)).tokens(in: code).map { token in
            token.kind == .plain ? String(token.text) : "\(token.kind)(\(token.text))"
        }.joined()
    }

    @Test(
        "The kinds of tokens are distinguished",
        arguments: [
            (
                "swift", "let a: Int = 0x1F /* b /* c */ */",
                "keyword(let) a: type(Int) = number(0x1F) comment(/* b /* c */ */)"
            ),
            ("Swift", "f(\"\"\"\na \"b\"\n\"\"\")", "f(string(\"\"\"\na \"b\"\n\"\"\"))"),
            (
                "c++", "#include <a>\nint b = 'c'; // d",
                "keyword(#include) <a>\nkeyword(int) b = string('c'); comment(// d)"
            ),
            (
                "sh", "if a; then echo \"$#\" # b",
                "keyword(if) a; keyword(then) keyword(echo) string(\"$#\") comment(# b)"
            ),
            ("json", "{\"a\": [1.5, true, \"b\"]}", "{keyword(\"a\"): [number(1.5), keyword(true), string(\"b\")]}"),
            (
                "html", "<!-- a --><p class=\"b\">c</p>",
                "comment(<!-- a -->)keyword(<p) type(class)=string(\"b\")keyword(>)ckeyword(</p>)"
            ),
            ("sql", "SELECT a FROM b -- c", "keyword(SELECT) a keyword(FROM) b comment(-- c)"),
            ("python", "def f(): # a", "keyword(def) f(): comment(# a)"),
            ("ts", "const a = `b\n${c}`", "keyword(const) a = string(`b\n${c}`)"),
            ("yaml", "a-b: yes # c", "keyword(a-b): keyword(yes) comment(# c)"),
            ("diff", "@@ a\n-b\n+c\n d", "keyword(@@ a)\ndeleted(-b)\ninserted(+c)\n d"),
        ])
    func tokens(language: String, code: String, expected: String) throws {
        #expect(try marked(code, language) == expected)
    }

    @Test("The tokens are all of the code, whatever it is")
    func whole() {
        let pieces = [
            "\"", "'", "`", "/*", "*/", "//", "#", "<!--", "-->", "<a", ">", "\\", "\n", "a", "1.", "é", "\0", "--",
            "+",
        ]
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let code = (0..<20).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for name in ["swift", "c", "sh", "json", "html", "sql", "python", "js", "yaml", "toml", "diff"] {
                let tokens = CodeLanguage(named: name)?.tokens(in: code) ?? []
                #expect(tokens.map(\.text).joined() == code, "\(name)")
            }
        }
        #expect(CodeLanguage(named: "none") == nil)
    }
}
