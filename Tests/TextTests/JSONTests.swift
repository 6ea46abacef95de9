import Foundation
import Testing
import Text

@Suite("JSON")
struct JSONTests {
    @Test("Keys keep their order, and every kind of value has its text")
    func values() {
        let json: JSON = [
            "z": nil, "a": true, "n": -5, "s": "t", "list": [1, "b", []],
            "o": [:],
            "max": JSON(Int64.max), "missing": JSON(nil as String?), "tags": JSON(["a", "b"]),
        ]
        #expect(
            json.description
                == #"{"z":null,"a":true,"n":-5,"s":"t","list":[1,"b",[]],"o":{},"max":9223372036854775807,"missing":null,"tags":["a","b"]}"#
        )
    }

    @Test(
        "Strings are escaped, and safe to look at",
        arguments: [
            ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t", #""\n\r\t""#), ("\r\n", #""\r\n""#),
            ("\u{1B}[0m\0", #""\u001b[0m\u0000""#),
            ("\u{7F}\u{9B}\u{202E}\u{2028}", #""\u007f\u009b\u202e\u2028""#), ("日本 👩‍👧 e\u{301}", "\"日本 👩‍👧 e\u{301}\""),
            ("\"\u{301}", "\"\\\"\u{301}\""),
        ])
    func strings(text: String, expected: String) throws {
        let json = JSON.string(text).description
        #expect(Array(json.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8)) == [text])
    }

    @Test(
        "A character is escaped at each place of a text",
        arguments: [
            ("\"", "\\\""), ("\\", "\\\\"), ("\u{1F}", "\\u001f"), ("\u{7F}", "\\u007f"), ("\u{85}", "\\u0085"),
            ("\u{202E}", "\\u202e"),
        ])
    func places(character: String, escaped: String) {
        for place in 0..<20 {
            for rest in 0..<10 {
                let (before, after) = (String(repeating: " ", count: place), String(repeating: "~", count: rest))
                #expect(JSON.string(before + character + after).description == "\"\(before)\(escaped)\(after)\"")
            }
        }
    }

    @Test("Every scalar is read back as it was written")
    func everyScalar() throws {
        let text = String(String.UnicodeScalarView((UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)))
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(JSON.string(text))]".utf8)) == [text])
    }
}
