/// Dates as text for machines (RFC 3339), in whole seconds: `2015-12-03T12:01:01Z`, `2015-12-03T04:01:01-08:00`.
///
/// We do not use Foundation's formatters because creating them takes longer than all other work of a short command.
package enum RFC3339 {
    /// Returns the text of a date for a clock that is ahead of UTC by `offset` minutes. For an offset of 0 the text
    /// ends with `Z`.
    ///
    /// Values that the format cannot express become the nearest possible ones: dates outside the years 1 to 9999, and
    /// offsets of a day and more.
    package static func string(from date: Date, offset: Int = 0) -> String {
        let range = DateParser.seconds
        let offset = min(max(Int64(offset), -1439), 1439)
        let seconds = min(max(date.wholeSeconds + offset * 60, range.lowerBound), range.upperBound)
        let (day, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, dayOfMonth) = CivilDate.components(ofDay: day)
        let count = offset == 0 ? 20 : 25
        return String(unsafeUninitializedCapacity: count) { buffer in
            let shape: StaticString =
                offset == 0
                ? "0000-00-00T00:00:00Z" : offset < 0 ? "0000-00-00T00:00:00-00:00" : "0000-00-00T00:00:00+00:00"
            shape.withUTF8Buffer { shape in
                for index in 0..<count { buffer[index] = shape[index] }
            }
            buffer.write(year, digits: 4, at: 0)
            buffer.write(month, digits: 2, at: 5)
            buffer.write(dayOfMonth, digits: 2, at: 8)
            buffer.write(second / 3600, digits: 2, at: 11)
            buffer.write(second / 60 % 60, digits: 2, at: 14)
            buffer.write(second % 60, digits: 2, at: 17)
            if offset != 0 {
                buffer.write(abs(offset) / 60, digits: 2, at: 20)
                buffer.write(abs(offset) % 60, digits: 2, at: 23)
            }
            return count
        }
    }

    /// Returns the day that a clock shows at a date, such as `2015-12-03`. The clock is ahead of UTC by `offset`
    /// minutes.
    package static func day(of date: Date, offset: Int) -> String { "\(CivilDate(date, offset: offset))" }
}

extension Date {
    /// The Unix seconds, rounded down and limited to the years 1 to 9999.
    package var wholeSeconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        let range = DateParser.seconds
        guard seconds > Double(range.lowerBound) else { return range.lowerBound }
        return seconds < Double(range.upperBound) ? Int64(seconds) : range.upperBound
    }

    /// The date without its fraction of a second. This is the precision of ``RFC3339``.
    package var whole: Date { Date(timeIntervalSince1970: Double(wholeSeconds)) }
}

/// Dates relative to the present: `today`, `yesterday`, `7 days ago`, `last month`, `3d`.
///
/// For days and longer units, the date is the start of a day in UTC, as for `2026-01-31`. A month ago is the same day
/// of the month before, or its last day. Hours are exact.
package enum RelativeDate {
    /// The forms of a date, for error messages.
    package static let expectation = "a date such as 2026-01-31, yesterday, 7 days ago, last week or 3d"

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

/// A day of the proleptic Gregorian calendar, in the years 1 to 9999.
package struct CivilDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year, from 1 to 9999.
    package let year: Int
    /// The month, from 1.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// Creates the day that a clock shows at a moment. Days outside the years 1 to 9999 become the nearest day in that
    /// range.
    ///
    /// - Parameters:
    ///   - date: the moment.
    ///   - offset: the minutes by which the clock is ahead of UTC.
    package init(_ date: Date, offset: Int = 0) {
        let range = DateParser.seconds
        let local = min(max(date.wholeSeconds + Int64(offset) * 60, range.lowerBound), range.upperBound)
        let parts = Self.components(ofDay: local.quotientAndRemainder(flooringBy: 86_400).quotient)
        (year, month, day) = (Int(parts.year), Int(parts.month), Int(parts.day))
    }

    /// Whether one day is before another.
    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The day in the form of RFC 3339: `2015-12-03`.
    package var description: String {
        String(unsafeUninitializedCapacity: 10) { buffer in
            buffer.write(Int64(year), digits: 4, at: 0)
            buffer[4] = UInt8(ascii: "-")
            buffer.write(Int64(month), digits: 2, at: 5)
            buffer[7] = UInt8(ascii: "-")
            buffer.write(Int64(day), digits: 2, at: 8)
            return 10
        }
    }
}

// These functions use arithmetic only (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
extension CivilDate {
    /// Returns the number of days since 1 January 1970.
    static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        // Here a year begins in March, so the leap day is its last day.
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = year.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the year, month, and day of month of a day that is counted from 1 January 1970.
    static func components(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// Returns the number of days in a month; 0 for a month that does not exist.
    static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: 31
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 0
        }
    }

    static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes a number of at most `digits` digits, with zeros before it.
    func write(_ number: Int64, digits: Int, at index: Int) {
        var rest = number
        for place in (index..<index + digits).reversed() {
            self[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

extension Int64 {
    /// Divides and rounds down, so the remainder is not negative for a time before 1970.
    func quotientAndRemainder(flooringBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
