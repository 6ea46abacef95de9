internal import Text

/// The words for a time, as people say them: `5 min ago`, `Yesterday`, `3 Mar`, `In 2 h`.
///
/// The server does not know the clock of the browser, so days begin by the clock of the publisher.
struct DateWords {
    private enum Kind {
        case relative(String)
        case day(CivilDate, withYear: Bool)
    }

    private let kind: Kind
    private let date: Date
    private let offset: Int
    /// Whether the time of day is unknown: many sources state only the day, which is stored as its first second.
    private let isDay: Bool

    /// Creates the words for a date.
    ///
    /// - Parameters:
    ///   - offset: the minutes by which the publisher's clock is ahead of UTC.
    ///   - now: the present time.
    init(_ date: Date, offset: Int = 0, now: Date) {
        let (day, today) = (CivilDate(date, offset: offset), CivilDate(now, offset: offset))
        let second = Int64(date.timeIntervalSince1970.rounded(.down))
        let seconds = Int64(now.timeIntervalSince1970.rounded(.down)) - second
        (self.date, self.offset) = (date, offset)
        isDay = (second + Int64(offset) * 60) % 86_400 == 0
        let distant = abs(seconds)
        func isToday(plus days: Double) -> Bool {
            // Most dates are further away than these days can be, and computing a day takes longer than this check.
            distant < 172_800 && day == CivilDate(now.addingTimeInterval(days * 86_400), offset: offset)
        }
        func distance(_ number: Int64, _ unit: String) -> Kind {
            .relative(seconds < 0 ? "In \(number) \(unit)" : "\(number) \(unit) ago")
        }
        kind =
            if !isDay, distant < 60 {
                .relative("Now")
            } else if !isDay, distant < 3_600 {
                distance(distant / 60, "min")
            } else if !isDay, distant < 43_200 || day == today {
                distance(distant / 3_600, "h")
            } else if day == today {
                .relative("Today")
            } else if isToday(plus: -1) {
                .relative("Yesterday")
            } else if isToday(plus: 1) {
                .relative("Tomorrow")
            } else {
                .day(day, withYear: day.year != today.year)
            }
    }

    private static let months: [StaticString] = [
        " Jan", " Feb", " Mar", " Apr", " May", " Jun", " Jul", " Aug", " Sep", " Oct", " Nov", " Dec",
    ]

    /// Adds the words to a page, with the exact time, to the minute, for those who point at them.
    ///
    /// - Parameter isWithin: whether the words are in the middle of a text.
    func add(to page: inout HTML, isWithin: Bool = false) {
        page.add("<time datetime=\"")
        RFC3339.withBytes(of: date, offset: offset) { text in
            page.add(safe: text[...])
            page.add("\" title=\"")
            page.add(safe: text[..<10])
            if !isDay {
                page.add(" ")
                page.add(safe: text[11..<16])
                page.add(safe: text[19...])
            }
        }
        page.add("\">")
        switch kind {
        case .relative(let words):
            page.add(text: isWithin ? words.prefix(1).lowercased() + words.dropFirst() : words)
        case .day(let day, let withYear):
            page.add(day.day)
            page.add(Self.months[day.month - 1])
            if withYear {
                page.add(" ")
                page.add(day.year)
            }
        }
        page.add("</time>")
    }

    /// Returns the words as a piece of a page.
    func html(isWithin: Bool = false) -> HTML {
        var page = HTML(capacity: 96)
        add(to: &page, isWithin: isWithin)
        return page
    }
}
