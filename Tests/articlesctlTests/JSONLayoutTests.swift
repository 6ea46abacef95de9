import Testing
import Text

@testable import articlesctl

@Suite("JSON for a person")
struct JSONLayoutTests {
    @Test("each value has a line, what is empty stays on its own, and strings stay as they are")
    func layout() {
        let json: JSON = [
            "a": [1, 2], "empty": [], "none": .object([]), "text": "{\\\"[,]:", "deep": ["b": ["c": nil]],
            "written": .encoded("{ \"x\" : [ ] }"),
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

    @Test("pieces are laid out as the whole is", arguments: 1...9)
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
