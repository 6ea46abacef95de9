import Foundation
import Testing

@testable import WebFront

@Suite("Dates in words")
struct DateWordsTests {
    /// 2025-03-10 15:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_741_618_800)

    @Test(
        "A date is written as people say it, and its exact time is kept",
        arguments: [
            (30, "Now", "2025-03-10 14:59Z"), (-30, "Now", "2025-03-10 15:00Z"),
            (59 * 60, "59 min ago", "2025-03-10 14:01Z"),
            (60 * 60, "1 h ago", "2025-03-10 14:00Z"), (14.5 * 3_600, "14 h ago", "2025-03-10 00:30Z"),
            (15 * 3_600, "Today", "2025-03-10"), (16 * 3_600, "Yesterday", "2025-03-09 23:00Z"),
            (39 * 3_600, "Yesterday", "2025-03-09"), (40 * 3_600, "8 Mar", "2025-03-08 23:00Z"),
            (365 * 86_400, "10 Mar 2024", "2024-03-10 15:00Z"), (-59 * 60, "In 59 min", "2025-03-10 15:59Z"),
            (-8.5 * 3_600, "In 8 h", "2025-03-10 23:30Z"), (-9 * 3_600, "Tomorrow", "2025-03-11"),
            (-11.5 * 3_600, "In 11 h", "2025-03-11 02:30Z"), (-12 * 3_600, "Tomorrow", "2025-03-11 03:00Z"),
            (-33 * 3_600, "12 Mar", "2025-03-12"),
        ] as [(Double, String, String)])
    func words(seconds: Double, words: String, exact: String) {
        let date = DateWords(now.addingTimeInterval(-seconds), now: now)
        #expect(date.page().contains("title=\"\(exact)\">\(words)</time>"))
        let within = words.prefix(1).lowercased() + words.dropFirst()
        #expect(date.page(isWithin: true).contains("title=\"\(exact)\">\(within)</time>"))
    }

    @Test("A day begins by the clock of the publisher")
    func offset() {
        // 2025-03-09 23:30 in UTC, and 2025-03-10 01:30 by a clock that is two hours ahead.
        let date = now.addingTimeInterval(-15.5 * 3_600)
        #expect(DateWords(date, now: now).page().contains(">Yesterday<"))
        #expect(
            DateWords(date, offset: 120, now: now).page()
                == #"<time datetime="2025-03-10T01:30:00+02:00" title="2025-03-10 01:30+02:00">15 h ago</time>"#)
    }
}

extension DateWords {
    fileprivate func page(isWithin: Bool = false) -> String {
        var page = HTML(capacity: 0)
        add(to: &page, isWithin: isWithin)
        return String(decoding: page.utf8(), as: UTF8.self)
    }
}
