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
        takeWeekday()
        let day: Day
        switch digits {
        case 4: day = try yearFirst()
        case 8: day = try compactDay(takeNumber(8))
        case 12, 14:
            if let date = try compactTime() { return date }
            return try unixTime()
        case 9...13: return try unixTime()
        case 1, 2: day = try dayFirst()
        case 0:
            let (month, dayOfMonth) = try monthFirst()
            takeAny(of: " ,-/.")
            if let dayOfMonth, digits <= 2, digits > 0 {
                // The order of C's `asctime`: the year comes last.
                let time = try time(afterT: false)
                takeSpaces()
                let zone = digits == 4 ? nil : try zone(isYearNext: true)
                takeSpaces()
                guard let year = number(4...4) else { throw unknown }
                try takeRest()
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
        return counts.contains(count) ? takeNumber(count) : nil
    }

    /// Reads a number with exactly this number of digits. The caller has checked that they are there.
    mutating func takeNumber(_ count: Int) -> Int64 {
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

    mutating func takeWeekday() {
        let before = bytes
        let isMonth = namedMonth() != nil
        bytes = before
        guard let name = name(), DateNames.isWeekday(name) else {
            bytes = before
            return
        }
        if bytes.starts(with: "-feira".utf8) { bytes = bytes.dropFirst(6) }
        takeAny(of: "., ")
        guard isMonth else { return }
        // "mar" is read as Tuesday only if a day and a month follow.
        let date = bytes
        let isDay = number(1...2) != nil && takeAny(of: " -/.,") && namedMonth() != nil
        bytes = isDay ? date : before
    }

    mutating func takeOrdinal() {
        let before = bytes
        if let ending = word(), !["st", "nd", "rd", "th"].contains(ending) { bytes = before }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard bytes.first == byte else { return false }
        bytes.removeFirst()
        return true
    }

    @discardableResult
    mutating func takeAny(of characters: StaticString) -> Bool {
        let count = bytes.count
        characters.withUTF8Buffer { characters in bytes = bytes.drop { characters.contains($0) } }
        return bytes.count < count
    }

    @discardableResult
    mutating func takeSpaces() -> Bool { takeAny(of: " ") }
}

extension UInt8 {
    package var isDecimalDigit: Bool { (0x30...0x39).contains(self) }
    var isLatinLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
