public import Essentials

/// Dates as text for machines (RFC 3339), in UTC and whole seconds: `2015-12-03T12:01:01Z`.
///
/// Written by hand because the formatters of Foundation cost a short command more than all of its work.
public enum RFC3339 {
    /// The text of a date. A date beyond the years 1 to 9999, which the format cannot say, is the nearest that it can.
    public static func string(from date: Date) -> String {
        string(fromSeconds: date.wholeSeconds)
    }

    /// The text of a date as a clock shows it that is ahead of UTC by so many minutes, such as `2015-12-03T12:01:01+01:00`;
    /// in UTC where it is not ahead of it.
    public static func string(from date: Date, offset: Int) -> String {
        guard offset != 0 else { return string(from: date) }
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let local = string(fromSeconds: date.wholeSeconds + Int64(offset) * 60).dropLast()
        return "\(local)\(offset < 0 ? "-" : "+")\(digits(abs(offset) / 60)):\(digits(abs(offset) % 60))"
    }

    /// The day of a date as a clock shows it that is ahead of UTC by so many minutes, such as `2015-12-03`.
    public static func day(of date: Date, offset: Int) -> String {
        String(string(fromSeconds: date.wholeSeconds + Int64(offset) * 60).prefix(10))
    }

    private static func string(fromSeconds seconds: Int64) -> String {
        let (day, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, dayOfMonth) = CivilDate.components(ofDay: day)
        return String(unsafeUninitializedCapacity: 20) { buffer in
            func write(_ value: Int64, _ digits: Int, at index: Int) {
                var value = value
                for place in (index..<index + digits).reversed() {
                    buffer[place] = 0x30 + UInt8(truncatingIfNeeded: value % 10)
                    value /= 10
                }
            }
            for (index, byte) in "0000-00-00T00:00:00Z".utf8.enumerated() { buffer[index] = byte }
            write(year, 4, at: 0)
            write(month, 2, at: 5)
            write(dayOfMonth, 2, at: 8)
            write(second / 3600, 2, at: 11)
            write(second / 60 % 60, 2, at: 14)
            write(second % 60, 2, at: 17)
            return 20
        }
    }
}

extension Date {
    /// Unix seconds, rounded down and kept within the years 1 to 9999.
    package var wholeSeconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        let range = DateParser.seconds
        guard seconds > Double(range.lowerBound) else { return range.lowerBound }
        return seconds < Double(range.upperBound) ? Int64(seconds) : range.upperBound
    }

    /// The date without its fraction of a second, as RFC 3339 has it here.
    package var whole: Date { Date(timeIntervalSince1970: Double(wholeSeconds)) }
}
