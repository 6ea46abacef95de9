/// Dates as text for machines (RFC 3339), in whole seconds: `2015-12-03T12:01:01Z`, `2015-12-03T04:01:01-08:00`.
///
/// We do not use Foundation's formatters because creating them takes longer than all other work of a short command.
package enum RFC3339 {
    /// Returns the text of a date for a clock that is ahead of UTC by `offset` minutes, or behind it if the offset is
    /// negative. For an offset of 0 the text ends with `Z`.
    ///
    /// Values that the format cannot express become the nearest possible ones: dates outside the years 1 to 9999, and
    /// offsets of a day and more.
    package static func string(from date: Date, offset: Int = 0) -> String {
        var text = ""
        withBytes(of: date, offset: offset) { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// Calls a function with the ASCII of the text that ``string(from:offset:)`` returns.
    package static func withBytes(of date: Date, offset: Int, _ function: (UnsafeBufferPointer<UInt8>) -> Void) {
        let range = DateParser.seconds
        let offset = min(max(Int64(offset), -1439), 1439)
        let seconds = min(max(date.wholeSeconds + offset * 60, range.lowerBound), range.upperBound)
        let (day, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, dayOfMonth) = CivilDate.components(ofDay: day)
        let count = offset == 0 ? 20 : 25
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            let shape: StaticString =
                offset == 0
                ? "0000-00-00T00:00:00Z" : offset < 0 ? "0000-00-00T00:00:00-00:00" : "0000-00-00T00:00:00+00:00"
            shape.withUTF8Buffer { _ = buffer.initialize(fromContentsOf: $0) }
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
            function(UnsafeBufferPointer(buffer))
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
