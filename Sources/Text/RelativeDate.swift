/// Dates relative to the present: `today`, `yesterday`, `7 days ago`, `last month`, `3d`.
///
/// For days and longer units, the date is the start of a day in UTC, as for `2026-01-31`. A month ago is the same day
/// of the month before, or its last day. Hours are exact.
package enum RelativeDate {
    /// The forms of a date, for error messages.
    package static let expectation =
        "a date such as 2026-01-31 (year, month, day), yesterday, 7 days ago, last week or 3d"

    private enum Unit {
        case hour, day, week, month, year

        init?(_ name: some StringProtocol) {
            switch name {
            case "h", "hour", "hours": self = .hour
            case "d", "day", "days": self = .day
            case "w", "week", "weeks": self = .week
            case "mo", "month", "months": self = .month
            case "y", "year", "years": self = .year
            default: return nil
            }
        }
    }

    /// Returns the date of a text; nil if the text has another form or the year is not in the range 1 to 9999.
    package static func date(from text: String, now: Date) -> Date? {
        var words = text.lowercased().split(whereSeparator: \.isWhitespace)
        switch words {
        case ["now"]: return now
        case ["today"]: return back(0, .day, from: now)
        case ["yesterday"]: return back(1, .day, from: now)
        default: break
        }
        if words.first == "last", words.count == 2 { return Unit(words[1]).flatMap { back(1, $0, from: now) } }
        let isAgo = words.last == "ago"
        if isAgo { words.removeLast() }
        switch words.count {
        case 1:
            let digits = words[0].prefix { $0.isASCII && $0.isNumber }
            guard let count = Int(digits), let unit = Unit(words[0].dropFirst(digits.count)) else { return nil }
            return back(count, unit, from: now)
        case 2 where isAgo:
            let count = ["a", "an", "one"].contains(words[0]) ? 1 : Int(words[0])
            guard let count, let unit = Unit(words[1]) else { return nil }
            return back(count, unit, from: now)
        default: return nil
        }
    }

    private static func back(_ count: Int, _ unit: Unit, from now: Date) -> Date? {
        // This is more than all hours since the year 1.
        guard (0...100_000_000).contains(count) else { return nil }
        let seconds = Int64(now.timeIntervalSince1970.rounded(.down))
        let start = seconds - ((seconds % 86_400) + 86_400) % 86_400
        let date: Int64
        switch unit {
        case .hour: date = seconds - Int64(count) * 3_600
        case .day: date = start - Int64(count) * 86_400
        case .week: date = start - Int64(count) * 7 * 86_400
        case .month, .year: return back(months: unit == .year ? count * 12 : count, from: CivilDate(now))
        }
        return DateParser.seconds.contains(date) ? Date(timeIntervalSince1970: Double(date)) : nil
    }

    /// Returns the same day of an earlier month, or the last day of that month if it is shorter.
    private static func back(months: Int, from day: CivilDate) -> Date? {
        let month = day.year * 12 + day.month - 1 - months
        guard month >= 12 else { return nil }
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        let start = padded(month / 12, 4) + "-" + padded(month % 12 + 1, 2) + "-"
        return stride(from: day.day, to: 27, by: -1).lazy
            .compactMap { try? DateParser.date(from: start + padded($0, 2)) }.first
            ?? (try? DateParser.date(from: start + padded(day.day, 2)))
    }
}
