extension DateScanner {
    /// Reads `2015-12-03`, `2015-Dec-3`, `2015-W49-4`, `2015-337`, `2015-12`, and `2015`.
    mutating func yearFirst() throws(DateError) -> Day {
        let year = takeNumber(4)
        if bytes.starts(with: "年".utf8) {
            bytes = bytes.dropFirst(3)
            guard let month = namedMonth() else { throw unknown }
            guard let dayOfMonth = number(1...2) else { return try day(year, month, 1) }
            guard bytes.starts(with: "日".utf8) else { throw unknown }
            bytes = bytes.dropFirst(3)
            return try day(year, month, dayOfMonth)
        }
        guard let separator = bytes.first else { return try day(year, 1, 1) }
        guard [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: " ")].contains(separator) else {
            throw unknown
        }
        bytes.removeFirst()
        if separator == UInt8(ascii: "-"), digits == 3 { return try dayOfYear(year, takeNumber(3)) }
        if separator == UInt8(ascii: "-"), take(UInt8(ascii: "W")) { return try weekDay(year) }
        guard let month = digits == 0 ? namedMonth() : separator == UInt8(ascii: " ") ? nil : number(1...2) else {
            throw unknown
        }
        if bytes.isEmpty { return try day(year, month, 1) }
        guard take(separator), let dayOfMonth = number(1...2) else { throw unknown }
        return try day(year, month, dayOfMonth)
    }

    mutating func compactDay(_ number: Int64) throws(DateError) -> Day {
        try day(number / 10_000, number / 100 % 100, number % 100)
    }

    private func dayOfYear(_ year: Int64, _ number: Int64) throws(DateError) -> Day {
        guard number >= 1, number <= (CivilDate.isLeap(year) ? 366 : 365) else { throw .noSuchDay(text) }
        return try day(year, 1, 1) + number - 1
    }

    /// Reads a day of a week, such as `W49-4`. The first week of a year is the week of 4 January.
    private mutating func weekDay(_ year: Int64) throws(DateError) -> Day {
        guard let week = number(2...2) else { throw unknown }
        var dayOfWeek: Int64 = 1
        if take(UInt8(ascii: "-")) {
            guard let number = number(1...1) else { throw unknown }
            dayOfWeek = number
        }
        guard (1...53).contains(week), (1...7).contains(dayOfWeek) else { throw .noSuchDay(text) }
        func firstMonday(_ year: Int64) throws(DateError) -> Day {
            let fourth = try day(year, 1, 4)
            // 1 January 1970 was a Thursday.
            return fourth - (fourth + 3).quotientAndRemainder(flooringBy: 7).remainder
        }
        let monday = try firstMonday(year) + (week - 1) * 7
        if week == 53, try monday >= firstMonday(year + 1) { throw .noSuchDay(text) }
        return monday + dayOfWeek - 1
    }

    /// Reads `3 Dec 2015`, `3rd of December, 2015`, `03-Dec-15`, `3.12.2015`, and `31/12/2015`.
    mutating func dayFirst() throws(DateError) -> Day {
        guard let first = number(1...2) else { throw unknown }
        if let separator = bytes.first, bytes.dropFirst().first(where: { $0 != 0x20 })?.isDecimalDigit == true,
            separator != 0x20
        {
            return try numbersOnly(first, separator)
        }
        takeOrdinal()
        takeAny(of: " -/.,")
        var month = namedMonth()
        if month == nil, let link = word(), ["of", "de"].contains(link) {
            takeSpaces()
            month = namedMonth()
        }
        guard let month else { throw unknown }
        takeAny(of: " -/.,")
        if bytes.starts(with: "de ".utf8) { bytes = bytes.dropFirst(3) }
        return try day(writtenYear(), month, first)
    }

    private mutating func numbersOnly(_ first: Int64, _ separator: UInt8) throws(DateError) -> Day {
        guard [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-")].contains(separator), take(separator) else {
            throw unknown
        }
        takeSpaces()
        guard let second = number(1...2), take(separator) else { throw unknown }
        takeSpaces()
        guard let year = number(4...4) else { throw unknown }
        // Dates with dots always begin with the day.
        if separator == UInt8(ascii: ".") || first > 12 || first == second { return try day(year, second, first) }
        guard second > 12 else { throw unknown }
        return try day(year, first, second)
    }

    /// Reads `Dec 3`, `December 3rd`, or `Dec` before a year.
    mutating func monthFirst() throws(DateError) -> (month: Int64, day: Int64?) {
        guard let month = namedMonth() else { throw unknown }
        takeAny(of: " -/.,")
        if digits == 4 { return (month, nil) }
        guard let day = number(1...2) else { throw unknown }
        takeOrdinal()
        return (month, day)
    }

    /// Reads a year. Years of two or three digits are read as in RFC 5322, section 4.3.
    private mutating func writtenYear() throws(DateError) -> Int64 {
        let count = digits
        guard let year = number(2...4) else { throw unknown }
        switch count {
        case 2: return year < 50 ? 2000 + year : 1900 + year
        case 3: return 1900 + year
        default: return year
        }
    }

    func day(_ year: Int64, _ month: Int64, _ day: Int64) throws(DateError) -> Day {
        guard (1...9999).contains(year) else { throw .outOfRange(text) }
        guard day >= 1, day <= CivilDate.days(inMonth: month, of: year) else { throw .noSuchDay(text) }
        return CivilDate.day(year: year, month: month, day: day)
    }
}
