internal import Text

/// The words for a time, as people say them: `5 min ago`, `Yesterday`, `3 Mar`, `In 2 h`.
///
/// The server does not know the clock of the browser, so days begin by the clock of the publisher.
struct DateWords: Equatable {
    let words: String
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
        func distance(_ number: Int64, _ unit: String) -> String {
            seconds < 0 ? "In \(number) \(unit)" : "\(number) \(unit) ago"
        }
        words =
            if !isDay, distant < 60 {
                "Now"
            } else if !isDay, distant < 3_600 {
                distance(distant / 60, "min")
            } else if !isDay, distant < 43_200 || day == today {
                distance(distant / 3_600, "h")
            } else if day == today {
                "Today"
            } else if isToday(plus: -1) {
                "Yesterday"
            } else if isToday(plus: 1) {
                "Tomorrow"
            } else {
                Self.days[day.month * 32 + day.day] + (day.year == today.year ? "" : " " + String(day.year))
            }
    }

    /// The words for each day of a month, because a page has hundreds of dates. A month has room for 32 days.
    private static let days = [
        "", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].flatMap { month in (0..<32).map { "\($0) \(month)" } }

    /// The time in the form of RFC 3339.
    var machine: String { RFC3339.string(from: date, offset: offset) }

    /// Adds the words to a page, with the exact time, to the minute, for those who point at them.
    ///
    /// - Parameter isWithin: whether the words are in the middle of a text.
    func add(to page: inout HTML, isWithin: Bool = false) {
        page.add("<time datetime=\"")
        RFC3339.withBytes(of: date, offset: offset) { machine in
            page.add(safe: machine[...])
            page.add("\" title=\"")
            page.add(safe: machine[..<10])
            if !isDay {
                page.add(" ")
                page.add(safe: machine[11..<16])
                page.add(safe: machine[19...])
            }
        }
        page.add("\">")
        page.add(text: isWithin ? words.prefix(1).lowercased() + words.dropFirst() : words)
        page.add("</time>")
    }

    /// Returns the words as a piece of a page.
    func html(isWithin: Bool = false) -> HTML {
        var page = HTML(capacity: 96)
        add(to: &page, isWithin: isWithin)
        return page
    }
}
