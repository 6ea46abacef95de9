import Testing
import Text

@testable import articlesctl

@Suite("JSON for a person")
struct JSONLayoutTests {
    @Test("Each value has a line, empty values stay on their own, and strings do not change")
    func layout() {
        let json: JSON = [
            "a": [1, 2], "empty": [], "none": .object([]), "text": "{\\\"[,]:", "deep": ["b": ["c": nil]],
            "written": .encoded(Array("{ \"x\" : [ ] }".utf8)),
        ]
        #expect(
            json.laidOut == #"""
                {
                  "a": [
                    1,
                    2
                  ],
                  "empty": [],
                  "none": {},
                  "text": "{\\\"[,]:",
                  "deep": {
                    "b": {
                      "c": null
                    }
                  },
                  "written": {
                    "x": []
                  }
                }
                """#)
    }

    @Test("Parts are laid out like the whole", arguments: 1...9)
    func pieces(size: Int) {
        let json: JSON = ["a": ["x\\", "\"y"], "b": ["c": [], "d": nil]]
        var rest = json.description[...]
        var layout = JSONLayout()
        var text = ""
        while !rest.isEmpty {
            text += layout.add(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(text == json.laidOut)
    }
}
