/// Reads the text of a date from the start to the end.
struct DateScanner {
    /// The start of the text, for error messages.
    let text: String
    var bytes: ArraySlice<UInt8>

    init(text: String) {
        let whole = text.trimmed
        self.text = String(whole.prefix(40))
        // A longer text is not a date, and its first 101 bytes do not match any form.
        bytes = Self.plain(whole.utf8.prefix(101))
    }

    /// Returns the bytes with no-break spaces replaced by spaces. Programs write no-break spaces before AM and PM.
    private static func plain(_ bytes: some Sequence<UInt8>) -> ArraySlice<UInt8> {
        var result = ArraySlice(bytes)
        for space in [[0xC2, 0xA0], [0xE2, 0x80, 0xAF]] as [[UInt8]] where result.contains(space[0]) {
            var index = result.startIndex
            while index + space.count <= result.endIndex {
                if result[index..<index + space.count].elementsEqual(space) {
                    result.replaceSubrange(index..<index + space.count, with: [0x20])
                }
                index += 1
            }
        }
        return result
    }

    /// A day, counted from 1 January 1970.
    typealias Day = Int64

    mutating func date() throws(DateError) -> WrittenDate {
        guard bytes.count <= 100 else { throw unknown }
        scanWeekday()
        let day: Day
        switch digits {
        case 4: day = try yearFirst()
        case 8: day = try compactDay(scanNumber(8))
        case 12, 14:
            if let date = try compactTime() { return date }
            return try unixTime()
        case 9...13: return try unixTime()
        case 1, 2: day = try dayFirst()
        case 0:
            let (month, dayOfMonth) = try monthFirst()
            scanAny(of: " ,-/.")
            if let dayOfMonth, digits <= 2, digits > 0 {
                // The order of C's `asctime`: the year comes last.
                let time = try time(afterT: false)
                scanSpaces()
                let zone = digits == 4 ? nil : try zone(isYearNext: true)
                scanSpaces()
                guard let year = number(4...4) else { throw unknown }
                try scanRest()
                return try written(self.day(year, month, dayOfMonth), time, zone ?? 0)
            }
            guard let year = number(4...4) else { throw unknown }
            day = try self.day(year, month, dayOfMonth ?? 1)
        default: throw unknown
        }
        return try timeOfDay(day)
    }

    var unknown: DateError { .unknownShape(text) }

    /// The number of digits that come next.
    var digits: Int { bytes.prefix(while: \.isDecimalDigit).count }

    mutating func number(_ counts: ClosedRange<Int>) -> Int64? {
        let count = digits
        return counts.contains(count) ? scanNumber(count) : nil
    }

    /// Reads a number with exactly this number of digits. The caller has checked that they are there.
    mutating func scanNumber(_ count: Int) -> Int64 {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Reads Latin letters, and returns them in lower case.
    mutating func word() -> String? {
        let run = bytes.prefix(while: \.isLatinLetter)
        guard !run.isEmpty else { return nil }
        bytes = bytes[run.endIndex...]
        return String(decoding: run.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// Reads letters of any alphabet, and returns them in lower case.
    private mutating func name() -> String? {
        let run = bytes.prefix { $0.isLatinLetter || $0 >= 0x80 }
        guard !run.isEmpty else { return nil }
        bytes = bytes[run.endIndex...]
        return String(decoding: run, as: UTF8.self).lowercased()
    }

    /// Reads the name of a month and returns its number. The name may be cut to three letters or more, or have the form
    /// `5月`.
    mutating func namedMonth() -> Int64? {
        let before = bytes
        if let number = number(1...2), bytes.starts(with: "月".utf8) {
            bytes = bytes.dropFirst(3)
            return number
        }
        bytes = before
        if let name = name(), name.unicodeScalars.count >= 3 {
            let months = DateNames.months.indices.filter { index in
                DateNames.months[index].contains { $0.hasPrefix(name) }
            }
            // French "jui" could be June or July.
            if months.count == 1 { return Int64(months[0]) + 1 }
        }
        bytes = before
        return nil
    }

    mutating func scanWeekday() {
        let before = bytes
        let isMonth = namedMonth() != nil
        bytes = before
        guard let name = name(), DateNames.isWeekday(name) else {
            bytes = before
            return
        }
        if bytes.starts(with: "-feira".utf8) { bytes = bytes.dropFirst(6) }
        scanAny(of: "., ")
        guard isMonth else { return }
        // "mar" is read as Tuesday only if a day and a month follow.
        let date = bytes
        let isDay = number(1...2) != nil && scanAny(of: " -/.,") && namedMonth() != nil
        bytes = isDay ? date : before
    }

    mutating func scanOrdinal() {
        let before = bytes
        if let ending = word(), !["st", "nd", "rd", "th"].contains(ending) { bytes = before }
    }

    mutating func scan(_ byte: UInt8) -> Bool {
        guard bytes.first == byte else { return false }
        bytes.removeFirst()
        return true
    }

    @discardableResult
    mutating func scanAny(of characters: StaticString) -> Bool {
        let count = bytes.count
        characters.withUTF8Buffer { characters in bytes = bytes.drop { characters.contains($0) } }
        return bytes.count < count
    }

    @discardableResult
    mutating func scanSpaces() -> Bool { scanAny(of: " ") }
}

extension UInt8 {
    package var isDecimalDigit: Bool { (0x30...0x39).contains(self) }
    var isLatinLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

extension DateScanner {
    /// Reads `2015-12-03`, `2015-Dec-3`, `2015-W49-4`, `2015-337`, `2015-12`, and `2015`.
    mutating func yearFirst() throws(DateError) -> Day {
        let year = scanNumber(4)
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
        if separator == UInt8(ascii: "-"), digits == 3 { return try dayOfYear(year, scanNumber(3)) }
        if separator == UInt8(ascii: "-"), scan(UInt8(ascii: "W")) { return try weekDay(year) }
        guard let month = digits == 0 ? namedMonth() : separator == UInt8(ascii: " ") ? nil : number(1...2) else {
            throw unknown
        }
        if bytes.isEmpty { return try day(year, month, 1) }
        guard scan(separator), let dayOfMonth = number(1...2) else { throw unknown }
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
        if scan(UInt8(ascii: "-")) {
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
        scanOrdinal()
        scanAny(of: " -/.,")
        var month = namedMonth()
        if month == nil, let link = word(), ["of", "de"].contains(link) {
            scanSpaces()
            month = namedMonth()
        }
        guard let month else { throw unknown }
        scanAny(of: " -/.,")
        if bytes.starts(with: "de ".utf8) { bytes = bytes.dropFirst(3) }
        return try day(writtenYear(), month, first)
    }

    private mutating func numbersOnly(_ first: Int64, _ separator: UInt8) throws(DateError) -> Day {
        guard [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-")].contains(separator), scan(separator) else {
            throw unknown
        }
        scanSpaces()
        guard let second = number(1...2), scan(separator) else { throw unknown }
        scanSpaces()
        guard let year = number(4...4) else { throw unknown }
        // Dates with dots always begin with the day.
        if separator == UInt8(ascii: ".") || first > 12 || first == second { return try day(year, second, first) }
        guard second > 12 else { throw unknown }
        return try day(year, first, second)
    }

    /// Reads `Dec 3`, `December 3rd`, or `Dec` before a year.
    mutating func monthFirst() throws(DateError) -> (month: Int64, day: Int64?) {
        guard let month = namedMonth() else { throw unknown }
        scanAny(of: " -/.,")
        if digits == 4 { return (month, nil) }
        guard let day = number(1...2) else { throw unknown }
        scanOrdinal()
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

extension DateScanner {
    /// Reads `201512031201` and `20151203120101`. Returns nil if twelve digits are not a time in the years 1900 to
    /// 2100, because they can also be a number of milliseconds.
    mutating func compactTime() throws(DateError) -> WrittenDate? {
        let rest = bytes
        let isLong = digits == 14
        let date = scanNumber(8)
        let (hour, minute, second) = scanClock()
        if (1900...2100).contains(date / 10_000), hour < 24, minute < 60, second < 60, let day = try? compactDay(date) {
            let zone = try zone(isYearNext: false)
            try scanRest()
            return try written(day, hour * 3600 + minute * 60 + second, zone)
        }
        guard !isLong else { throw .noSuchDay(text) }
        bytes = rest
        return nil
    }

    mutating func unixTime() throws(DateError) -> WrittenDate {
        let isMilliseconds = digits > 11
        guard var value = number(9...13) else { throw unknown }
        if isMilliseconds { value /= 1000 }
        try scanFraction()
        guard bytes.isEmpty else { throw unknown }
        return try written(value / 86_400, value % 86_400, 0)
    }

    /// Reads the rest of a date after its day: nothing, a zone, or a time and a zone.
    mutating func timeOfDay(_ day: Day) throws(DateError) -> WrittenDate {
        if bytes.isEmpty { return try written(day, 0, 0) }
        let isT =
            bytes.first.map { $0 | 0x20 == UInt8(ascii: "t") } == true
            && bytes.dropFirst().first?.isDecimalDigit == true
        if isT {
            bytes.removeFirst()
        } else if [UInt8(ascii: "Z"), UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes.first) {
            // A day with a zone, as in XML Schema.
            let zone = try zone(isYearNext: false)
            try scanRest()
            return try written(day, 0, zone)
        } else {
            guard scanAny(of: " ,@:") else { throw unknown }
            if bytes.first?.isDecimalDigit != true {
                guard word() == "at", scanSpaces() else { throw unknown }
            }
        }
        let time = try time(afterT: isT)
        let zone = try zone(isYearNext: false)
        try scanRest()
        return try written(day, time, zone)
    }

    func written(_ day: Day, _ time: Int64, _ offset: Int) throws(DateError) -> WrittenDate {
        let value = day * 86_400 + time - Int64(offset) * 60
        guard DateParser.seconds.contains(value) else { throw .outOfRange(text) }
        return WrittenDate(date: Date(timeIntervalSince1970: Double(value)), offset: offset)
    }

    /// Reads a time and returns the seconds since the start of the day: `9:05`, `12:01:01.25`, `3:04 PM`, `3pm`, and
    /// after a T also `1201` and `120101`.
    mutating func time(afterT: Bool) throws(DateError) -> Int64 {
        var (hour, minute, second): (Int64, Int64, Int64) = (0, 0, 0)
        if afterT, digits == 4 || digits == 6 {
            (hour, minute, second) = scanClock()
            try scanFraction()
        } else {
            guard let number = number(1...2) else { throw unknown }
            hour = number
            if scan(UInt8(ascii: ":")) {
                guard let number = self.number(2...2) else { throw unknown }
                minute = number
                if scan(UInt8(ascii: ":")) {
                    guard let number = self.number(2...2) else { throw unknown }
                    second = number
                    try scanFraction()
                }
                hour = scanHalf()?.hour(hour) ?? hour
            } else {
                guard let half = scanHalf(), (1...12).contains(hour) else { throw unknown }
                hour = half.hour(hour)
            }
        }
        guard hour < 24 || (hour == 24 && minute == 0 && second == 0), minute < 60, second <= 60 else {
            throw .noSuchTime(text)
        }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads `1201` or `120101`. The caller has checked that the digits are there.
    private mutating func scanClock() -> (hour: Int64, minute: Int64, second: Int64) {
        let hasSeconds = digits == 6
        return (scanNumber(2), scanNumber(2), hasSeconds ? scanNumber(2) : 0)
    }

    private enum Half {
        case morning, afternoon

        /// Converts an hour to the 24-hour clock. Some programs write 15:04 PM, which is clear enough.
        func hour(_ hour: Int64) -> Int64 {
            switch self {
            case .morning: hour == 12 ? 0 : hour
            case .afternoon: hour < 12 ? hour + 12 : hour
            }
        }
    }

    /// Reads AM or PM, also in the form `a.m.`
    private mutating func scanHalf() -> Half? {
        let before = bytes
        scanSpaces()
        for (name, half) in [("am", Half.morning), ("pm", .afternoon)] {
            var rest = bytes
            let isNamed = name.utf8.allSatisfy { letter in
                guard rest.first.map({ $0 | 0x20 }) == letter else { return false }
                rest.removeFirst()
                if rest.first == UInt8(ascii: ".") { rest.removeFirst() }
                return true
            }
            if isNamed, rest.first?.isLatinLetter != true {
                bytes = rest
                return half
            }
        }
        bytes = before
        return nil
    }

    private mutating func scanFraction() throws(DateError) {
        guard scan(UInt8(ascii: ".")) || scan(UInt8(ascii: ",")) else { return }
        guard digits > 0 else { throw unknown }
        bytes = bytes.drop(while: \.isDecimalDigit)
    }

    /// Reads a zone and returns the minutes by which it is ahead of UTC. A missing zone means UTC.
    mutating func zone(isYearNext: Bool) throws(DateError) -> Int {
        scanSpaces()
        guard let first = bytes.first else { return 0 }
        if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") { return try offset() }
        guard first != UInt8(ascii: "("), first != UInt8(ascii: "[") else { return 0 }
        guard let name = word() else { throw unknown }
        if bytes.first == UInt8(ascii: "/") {
            // A place such as Europe/Berlin is read as UTC, because its offset on that day requires a large table.
            bytes = bytes.drop { $0.isLatinLetter || "/_-+".utf8.contains($0) || (!isYearNext && $0.isDecimalDigit) }
            return 0
        }
        let minutes = DateParser.zones[name]
        guard minutes != nil || name.utf8.count <= 5 else { throw .noSuchTime(text) }
        let sign = bytes.first
        if minutes == 0, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { return try offset() }
        return minutes ?? 0
    }

    /// Reads `+02:00`, `-0800`, `+530`, and `-5`.
    private mutating func offset() throws(DateError) -> Int {
        let isWest = bytes.popFirst() == UInt8(ascii: "-")
        let count = digits
        guard var hours = number(1...6) else { throw unknown }
        var minutes: Int64 = 0
        switch count {
        case 1, 2:
            if scan(UInt8(ascii: ":")) {
                guard let number = number(2...2) else { throw unknown }
                minutes = number
            }
        case 3, 4: (hours, minutes) = hours.quotientAndRemainder(dividingBy: 100)
        case 6: (hours, minutes) = (hours / 10_000, hours / 100 % 100)
        default: throw unknown
        }
        guard hours < 24, minutes < 60 else { throw .noSuchTime(text) }
        return Int(isWest ? -hours * 60 - minutes : hours * 60 + minutes)
    }

    /// Reads the optional end of a date: the zone's name again, and a comment.
    mutating func scanRest() throws(DateError) {
        scanSpaces()
        if let name = word(), DateParser.zones[name] == nil { throw unknown }
        scanSpaces()
        if scan(UInt8(ascii: "(")) {
            guard bytes.last == UInt8(ascii: ")") else { throw unknown }
            bytes = []
        } else if scan(UInt8(ascii: "[")) {
            guard bytes.last == UInt8(ascii: "]") else { throw unknown }
            bytes = []
        }
        guard bytes.isEmpty else { throw unknown }
    }
}
