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
