public import Essentials

/// Reads dates in the shapes that people and programs write.
///
/// - `2015-12-03`, `2016-2-9`, `2015/12/03`: the start of that day
/// - `2016-02-09 9:05`, `2015-12-03 12:01:01`, `2015-12-03T12:01:01.25`, each with or without a zone
/// - `Thu, 3 Dec 2015 12:01:01 -0800` (RFC 2822), the name of the day and the seconds optional
/// - `1449144061`: Unix seconds, nine to twelve digits
///
/// A zone is `Z`, `UTC`, `GMT`, one of the North American names of RFC 2822, `+02:00`, `-0800` or `+02`. Without one, a
/// time is UTC. Fractions of a second are dropped. A leap second counts as the second after it.
public enum DateParser {
    /// Reads a date.
    /// - Throws: ``DateError``, which names the text, cut to 40 characters.
    public static func date(from text: String) throws(DateError) -> Date {
        var scanner = Scanner(text: text)
        return Date(timeIntervalSince1970: Double(try scanner.date()))
    }

    /// The date of a number of Unix seconds.
    /// - Throws: ``DateError/outOfRange(_:)``, also for milliseconds of the present.
    public static func date(fromUnixSeconds number: Double) throws(DateError) -> Date {
        guard number >= Double(seconds.lowerBound), number <= Double(seconds.upperBound) else {
            throw .outOfRange("\(number)")
        }
        return Date(timeIntervalSince1970: number.rounded(.down))
    }

    /// The years 1 to 9999 in Unix seconds.
    public static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private struct Scanner {
        let text: String
        var bytes: Substring.UTF8View.SubSequence

        init(text: String) {
            self.text = String(text.trimmed.prefix(40))
            // Nothing longer is a date; the cut leaves enough to see that there is more.
            bytes = text.trimmed.prefix(80).utf8[...]
        }

        mutating func date() throws(DateError) -> Int64 {
            switch bytes.prefix(while: isDigit).count {
            case 4 where bytes.dropFirst(4).first == ascii("-") || bytes.dropFirst(4).first == ascii("/"):
                return try numericDate()
            case 9...12:
                return try unixSeconds()
            default:
                return try writtenDate()
            }
        }

        /// The year first, numbers only.
        private mutating func numericDate() throws(DateError) -> Int64 {
            guard let year = number(4...4), let separator = bytes.popFirst(), let month = number(1...2),
                take(separator),
                let day = number(1...2)
            else { throw .unknownShape(text) }
            let start = try startOfDay(year, month, day)
            if bytes.isEmpty { return start }
            guard take(ascii("T")) || take(ascii("t")) || takeSpaces() else { throw .unknownShape(text) }
            return try within(start + time())
        }

        /// The day first and the month by name.
        private mutating func writtenDate() throws(DateError) -> Int64 {
            if let first = bytes.first, !isDigit(first) {
                guard word()?.count == 3, take(ascii(",")) else { throw .unknownShape(text) }
                _ = takeSpaces()
            }
            guard let day = number(1...2), takeSpaces(), let name = word(),
                let month = Self.months.firstIndex(of: name), takeSpaces(), let year = number(4...4)
            else { throw .unknownShape(text) }
            let start = try startOfDay(year, Int64(month) + 1, day)
            if bytes.isEmpty { return start }
            guard takeSpaces() else { throw .unknownShape(text) }
            return try within(start + time())
        }

        private mutating func unixSeconds() throws(DateError) -> Int64 {
            guard let value = number(9...12), bytes.isEmpty else { throw .unknownShape(text) }
            return try within(value)
        }

        private func startOfDay(_ year: Int64, _ month: Int64, _ day: Int64) throws(DateError) -> Int64 {
            guard year >= 1 else { throw .outOfRange(text) }
            guard day >= 1, day <= CivilDate.days(inMonth: month, of: year) else { throw .noSuchDay(text) }
            return CivilDate.day(year: year, month: month, day: day) * 86_400
        }

        private func within(_ value: Int64) throws(DateError) -> Int64 {
            guard DateParser.seconds.contains(value) else { throw .outOfRange(text) }
            return value
        }

        /// Hours, minutes, perhaps seconds, perhaps a zone, and the end: seconds since the start of the day in UTC.
        private mutating func time() throws(DateError) -> Int64 {
            guard let hour = number(1...2), take(ascii(":")), let minute = number(2...2) else {
                throw .unknownShape(text)
            }
            var second: Int64 = 0
            if take(ascii(":")) {
                guard let value = number(2...2) else { throw .unknownShape(text) }
                second = value
                if take(ascii(".")) || take(ascii(",")) {
                    let fraction = bytes.prefix(while: isDigit)
                    guard !fraction.isEmpty else { throw .unknownShape(text) }
                    bytes = bytes[fraction.endIndex...]
                }
            }
            guard hour < 24, minute < 60, second <= 60 else { throw .noSuchTime(text) }
            _ = takeSpaces()
            let offset = try zone()
            guard bytes.isEmpty else { throw .unknownShape(text) }
            return hour * 3600 + minute * 60 + second - offset
        }

        /// Seconds east of UTC; nothing at all is UTC.
        private mutating func zone() throws(DateError) -> Int64 {
            guard let first = bytes.first else { return 0 }
            guard first == ascii("+") || first == ascii("-") else {
                guard let name = word() else { throw .unknownShape(text) }
                guard let hours = Self.zones[name] else { throw .noSuchTime(text) }
                return hours * 3600
            }
            bytes.removeFirst()
            let digits = bytes.prefix(while: isDigit).count
            guard let number = number(digits == 4 ? 4...4 : 2...2) else { throw .unknownShape(text) }
            let hours: Int64
            var minutes: Int64
            (hours, minutes) = digits == 4 ? number.quotientAndRemainder(dividingBy: 100) : (number, 0)
            if digits == 2, take(ascii(":")) {
                guard let number = self.number(2...2) else { throw .unknownShape(text) }
                minutes = number
            }
            guard hours < 24, minutes < 60 else { throw .noSuchTime(text) }
            let offset = hours * 3600 + minutes * 60
            return first == ascii("-") ? -offset : offset
        }

        private mutating func number(_ digits: ClosedRange<Int>) -> Int64? {
            let run = bytes.prefix(while: isDigit)
            guard digits.contains(run.count) else { return nil }
            bytes = bytes[run.endIndex...]
            return run.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        /// Letters, in lower case.
        private mutating func word() -> String? {
            let run = bytes.prefix { (0x61...0x7A).contains($0 | 0x20) }
            guard !run.isEmpty else { return nil }
            bytes = bytes[run.endIndex...]
            return String(decoding: run.map { $0 | 0x20 }, as: UTF8.self)
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard bytes.first == byte else { return false }
            bytes.removeFirst()
            return true
        }

        private mutating func takeSpaces() -> Bool {
            let run = bytes.prefix { $0 == ascii(" ") }
            bytes = bytes[run.endIndex...]
            return !run.isEmpty
        }

        private static let months = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        private static let zones: [String: Int64] = [
            "z": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
            "pst": -8, "pdt": -7,
        ]
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }
