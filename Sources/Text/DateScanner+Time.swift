extension DateScanner {
    /// Reads `201512031201` and `20151203120101`. Returns nil if twelve digits are not a time in the years 1900 to
    /// 2100, because they can also be a number of milliseconds.
    mutating func compactTime() throws(DateError) -> WrittenDate? {
        let rest = bytes
        let isLong = digits == 14
        let date = takeNumber(8)
        let (hour, minute, second) = takeClock()
        if (1900...2100).contains(date / 10_000), hour < 24, minute < 60, second < 60, let day = try? compactDay(date) {
            let zone = try zone(isYearNext: false)
            try takeRest()
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
        try takeFraction()
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
            try takeRest()
            return try written(day, 0, zone)
        } else {
            guard takeAny(of: " ,@:") else { throw unknown }
            if bytes.first?.isDecimalDigit != true {
                guard word() == "at", takeSpaces() else { throw unknown }
            }
        }
        let time = try time(afterT: isT)
        let zone = try zone(isYearNext: false)
        try takeRest()
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
            (hour, minute, second) = takeClock()
            try takeFraction()
        } else {
            guard let number = number(1...2) else { throw unknown }
            hour = number
            if take(UInt8(ascii: ":")) {
                guard let number = self.number(2...2) else { throw unknown }
                minute = number
                if take(UInt8(ascii: ":")) {
                    guard let number = self.number(2...2) else { throw unknown }
                    second = number
                    try takeFraction()
                }
                hour = takeHalf()?.hour(hour) ?? hour
            } else {
                guard let half = takeHalf(), (1...12).contains(hour) else { throw unknown }
                hour = half.hour(hour)
            }
        }
        guard hour < 24 || (hour == 24 && minute == 0 && second == 0), minute < 60, second <= 60 else {
            throw .noSuchTime(text)
        }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads `1201` or `120101`. The caller has checked that the digits are there.
    private mutating func takeClock() -> (hour: Int64, minute: Int64, second: Int64) {
        let hasSeconds = digits == 6
        return (takeNumber(2), takeNumber(2), hasSeconds ? takeNumber(2) : 0)
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
    private mutating func takeHalf() -> Half? {
        let before = bytes
        takeSpaces()
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

    private mutating func takeFraction() throws(DateError) {
        guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return }
        guard digits > 0 else { throw unknown }
        bytes = bytes.drop(while: \.isDecimalDigit)
    }

    /// Reads a zone and returns the minutes by which it is ahead of UTC. A missing zone means UTC.
    mutating func zone(isYearNext: Bool) throws(DateError) -> Int {
        takeSpaces()
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
            if take(UInt8(ascii: ":")) {
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
    mutating func takeRest() throws(DateError) {
        takeSpaces()
        if let name = word(), DateParser.zones[name] == nil { throw unknown }
        takeSpaces()
        if take(UInt8(ascii: "(")) {
            guard bytes.last == UInt8(ascii: ")") else { throw unknown }
            bytes = []
        } else if take(UInt8(ascii: "[")) {
            guard bytes.last == UInt8(ascii: "]") else { throw unknown }
            bytes = []
        }
        guard bytes.isEmpty else { throw unknown }
    }
}
