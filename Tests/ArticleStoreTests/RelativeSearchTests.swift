import Foundation
import Testing
import Text

@testable import ArticleStore

@Suite("Relative dates in searches")
struct RelativeSearchTests {
    @Test(
        "Relative dates are written as days",
        arguments: [
            ("swift after:yesterday", "swift after:2026-03-30"), ("before:7 days ago swift", "before:2026-03-24 swift"),
            ("-since:'last week' x", "-since:2026-03-24 x"), ("until:\"a month ago\"", "until:2026-02-28"),
            ("after:3d  before:today", "after:2026-03-28 before:2026-03-31"),
            ("after:2h", "after:2026-03-31T13:30:20Z"),
            // Other conditions stay as they are.
            ("after:2026  x", "after:2026  x"), ("after:swift", "after:swift"), ("title:yesterday", "title:yesterday"),
            ("after:", "after:"), ("after:7 swift", "after:7 swift"),
        ])
    func dated(text: String, expected: String) throws {
        let now = try DateParser.date(from: "2026-03-31T15:30:20Z")
        #expect(SearchQuery.dated(text, now: now) == expected)
    }
}
