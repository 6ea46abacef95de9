import FoundationEssentials
import ArticleStore
import Testing
import Text

@Suite("Marks as JSON")
struct ArticleMarksTests {
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    /// The marks in JSON, and the number of invalid ones.
    private struct Reading: Equatable {
        var marks = ArticleMarks()
        var leftOut = 0

        init(_ marks: ArticleMarks = ArticleMarks(), leftOut: Int = 0) {
            self.marks = marks
            self.leftOut = leftOut
        }

        init(of json: JSON) { marks = ArticleMarks(json, leftOut: &leftOut) }
    }

    @Test("Marks are read as they were written")
    func roundTrip() throws {
        var marks = ArticleMarks()
        #expect(Reading(of: marks.json) == Reading(marks))
        marks.read = .init(true, changed: Self.time)
        marks.starred = .init(false, changed: Self.time)
        marks.later = .init(true)
        marks.readingPosition = .init(500, changed: Self.time)
        marks.note = .init("Line\n\0", changed: Self.time)
        marks.tags = [.init(try TagName("a"), changed: Self.time), .init(try TagName("B"))]
        #expect(Reading(of: marks.json) == Reading(marks))
    }

    @Test("Hand-written marks are read, and invalid ones dropped")
    func written() throws {
        let byHand: JSON = ["read": true, "note": "Short", "tags": ["one", "a,b", ["value": "two"]]]
        var expected = ArticleMarks()
        expected.read.value = true
        expected.note.value = "Short"
        expected.tags = [.init(try TagName("one")), .init(try TagName("two"))]
        #expect(Reading(of: byHand) == Reading(expected, leftOut: 1))
        let nothing: [JSON] = [nil, "x", [:], ["starred": ["changed": 1]], ["tags": nil], ["other": 1]]
        for json in nothing { #expect(Reading(of: json) == Reading(), "\(json)") }
        let wrong: [JSON] = [
            ["read": "perhaps"], ["starred": 1], ["later": []], ["place": 1001], ["tags": "one"],
            ["tags": [["value": []]]],
            ["place": ["value": -1, "changed": "never"]], ["place": ["value": "far", "changed": "2026-01-01"]],
            ["note": .string(String(repeating: "a", count: 65_537))],
            ["note": ["value": ["a"], "changed": "2026-01-01"]],
        ]
        for json in wrong { #expect(Reading(of: json) == Reading(leftOut: 1), "\(json.description.prefix(80))") }
    }
}
