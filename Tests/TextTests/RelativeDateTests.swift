import Foundation
import Testing
import Text

@Suite("Relative dates")
struct RelativeDateTests {
    private func date(_ text: String, _ now: String = "2026-03-31T15:30:20Z") throws -> String? {
        let now = try DateParser.date(from: now)
        return RelativeDate.date(from: text, now: now).map { RFC3339.string(from: $0) }
    }

    @Test(
        "Days and longer units begin at the start of the day, and hours are exact",
        arguments: [
            ("now", "2026-03-31T15:30:20Z"), ("today", "2026-03-31T00:00:00Z"), ("Yesterday", "2026-03-30T00:00:00Z"),
            ("7 days ago", "2026-03-24T00:00:00Z"), ("a week ago", "2026-03-24T00:00:00Z"),
            (" last  week ", "2026-03-24T00:00:00Z"), ("3d", "2026-03-28T00:00:00Z"),
            ("3d ago", "2026-03-28T00:00:00Z"),
            ("2w", "2026-03-17T00:00:00Z"), ("an hour ago", "2026-03-31T14:30:20Z"), ("20h", "2026-03-30T19:30:20Z"),
            ("last month", "2026-02-28T00:00:00Z"), ("13 months ago", "2025-02-28T00:00:00Z"),
            ("2mo", "2026-01-31T00:00:00Z"), ("1y", "2025-03-31T00:00:00Z"), ("0 days ago", "2026-03-31T00:00:00Z"),
        ])
    func told(text: String, expected: String) throws {
        #expect(try date(text) == expected)
    }

    @Test("Before 1970 a day begins with its first second too")
    func early() throws {
        #expect(try date("yesterday", "1969-12-31T23:59:59Z") == "1969-12-30T00:00:00Z")
        #expect(try date("last year", "1968-02-29T12:00:00Z") == "1967-02-28T00:00:00Z")
        #expect(try date("last month", "2026-01-05T12:00:00Z") == "2025-12-05T00:00:00Z")
    }

    @Test(
        "Other text is not a date",
        arguments: [
            "", "ago", "7", "days", "7 days", "-3d", "3m", "3 d", "last", "last fortnight", "d3", "7 days ago ago",
            "99999y",
            "999999999999999999999d", "tomorrow", "٣d",
        ])
    func none(text: String) throws {
        #expect(try date(text) == nil)
    }
}
