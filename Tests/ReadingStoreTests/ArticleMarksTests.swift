import FoundationEssentials
import ReadingStore
import Testing
import Text

@Suite("Marks as JSON")
struct ArticleMarksTests {
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("are read as they were written")
    func roundTrip() throws {
        var marks = ArticleMarks()
        #expect(ArticleMarks(marks.json) == marks)
        marks.read = .init(true, changed: Self.time)
        marks.starred = .init(false, changed: Self.time)
        marks.later = .init(true)
        marks.place = .init(500, changed: Self.time)
        marks.note = .init("Line\n\0", changed: Self.time)
        marks.tags = [.init(try OwnTag("a"), changed: Self.time), .init(try OwnTag("B"))]
        #expect(ArticleMarks(marks.json) == marks)
    }

    @Test("are what somebody writes by hand, and nothing where that can be none")
    func written() throws {
        let byHand: JSON = ["read": true, "note": "Short", "tags": ["one", "a,b", ["value": "two"]]]
        var expected = ArticleMarks()
        expected.read.value = true
        expected.note.value = "Short"
        expected.tags = [.init(try OwnTag("one")), .init(try OwnTag("two"))]
        #expect(ArticleMarks(byHand) == expected)
        let wrong: [JSON] = [
            nil, "x", ["read": "perhaps"], ["place": 1001], ["place": ["value": -1, "changed": "never"]],
            ["tags": "one"], ["note": .string(String(repeating: "a", count: 65_537))], ["starred": ["changed": 1]],
        ]
        for json in wrong { #expect(ArticleMarks(json) == ArticleMarks(), "\(json.description.prefix(80))") }
    }
}
