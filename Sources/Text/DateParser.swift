/// Reads dates in the forms that people and programs write.
///
/// - `2015-12-03`, `2016-2-9`, `2015/12/03`, `2015.12.03`, `20151203`, `2015-Dec-03`: the start of that day; `2015-12`
///   and `2015`: the start of that month or year; `2015-W49-4` and `2015-337`: days of weeks and of years in ISO 8601
/// - `3 Dec 2015`, `3rd December, 2015`, `03-Dec-15`, `Dec 3, 2015`, `December 2015`, each optionally after the name of
///   the weekday; `3.12.2015`
/// - `12/31/2015` and `31/12/2015`, if only one order gives a day: an ambiguous date is refused
/// - any of these with a time: `9:05`, `12:01:01`, `T12:01:01.25`, `24:00`, `3:04 PM`, `3pm`, and optionally a zone
/// - `Thu, 3 Dec 2015 12:01:01 -0800` (RFC 5322), `Thu Dec  3 12:01:01 CET 2015` (`date`),
///   `Thu Dec 03 2015 12:01:01 GMT+0100 (CET)` (JavaScript), `2001-12-14 21:59:43.10 -5` (YAML)
/// - `1449144061`: Unix seconds with nine to eleven digits; twelve or thirteen digits are milliseconds
///
/// A zone is `Z`, an offset such as `+02:00`, `-0800`, `+2`, or `UTC+2`, or a name in the table below. Any other name
/// means UTC (RFC 5322, section 4.3), and so does a time without a zone. Years of two digits are read as in RFC 5322:
/// 1950 to 2049. Fractions of a second are dropped. A leap second counts as the second after it. The parser does not
/// check whether the weekday fits the date. Months and weekdays may have their names in any of the supported languages,
/// and `2015年12月3日` is a day.
package enum DateParser {
    /// Reads a date.
    /// - Throws: ``DateError``, with the first 40 characters of the text.
    package static func date(from text: String) throws(DateError) -> Date { try written(from: text).date }

    /// Reads a date, with the offset from UTC that was written with it.
    /// - Throws: ``DateError``, with the first 40 characters of the text.
    package static func written(from text: String) throws(DateError) -> WrittenDate {
        var scanner = DateScanner(text: text)
        return try scanner.date()
    }

    /// Returns the date for a number of Unix seconds.
    /// - Throws: ``DateError/outOfRange(_:)`` if the date is outside the years 1 to 9999. That includes a current time
    ///   in milliseconds.
    package static func date(fromUnixSeconds number: Double) throws(DateError) -> Date {
        guard number >= Double(seconds.lowerBound), number <= Double(seconds.upperBound) else {
            throw .outOfRange("\(number)")
        }
        return Date(timeIntervalSince1970: number.rounded(.down))
    }

    /// The years 1 to 9999 in Unix seconds.
    package static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The names of zones and the number of minutes by which each is ahead of UTC. The first four rows are from RFC
    /// 5322. If several countries use a name, the most common meaning is in the table: BST is Britain's, IST is
    /// India's, and CST is America's.
    static let zones: [String: Int] = [
        "z": 0, "utc": 0, "gmt": 0, "ut": 0,
        "est": -300, "edt": -240, "cst": -360, "cdt": -300,
        "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
        "wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "met": 60, "mest": 120, "eet": 120, "eest": 180,
        "msk": 180, "trt": 180, "sast": 120, "pkt": 300, "ist": 330, "npt": 345, "ict": 420, "wib": 420,
        "sgt": 480, "hkt": 480, "awst": 480, "jst": 540, "kst": 540, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660,
        "nzst": 720, "nzdt": 780, "brt": -180, "art": -180, "nst": -210, "ndt": -150, "ast": -240, "adt": -180,
        "akst": -540, "akdt": -480, "hst": -600,
    ]
}

/// A date as it was written: a moment, and the offset of the local clock.
///
/// The moment alone does not tell the local day: half past eleven in the evening of 3 December in San Francisco is 4
/// December in UTC.
package struct WrittenDate: Sendable, Hashable {
    /// The moment, in whole seconds.
    package let date: Date
    /// The minutes by which the clock was ahead of UTC, from -1,439 to 1,439; 0 if a zone was not written.
    package let offset: Int

    /// Creates a date from a moment and an offset.
    package init(date: Date, offset: Int = 0) {
        self.date = date
        self.offset = offset
    }

    /// The day that was written.
    package var day: CivilDate { CivilDate(date, offset: offset) }
}

/// The reason why a text is not a date.
package enum DateError: Error, Hashable, CustomStringConvertible {
    /// The text has an unknown form.
    case unknownShape(String)
    /// The month or the day does not exist.
    case noSuchDay(String)
    /// The hour, minute, second, or zone does not exist.
    case noSuchTime(String)
    /// The date is outside the years 1 to 9999.
    case outOfRange(String)

    /// A sentence for people.
    package var description: String {
        switch self {
        case .unknownShape(let text): "\"\(text)\" is not a date: write it as 2015-12-03 or 2015-12-03 12:01:01"
        case .noSuchDay(let text): "the date \"\(text)\" names a day that does not exist"
        case .noSuchTime(let text): "the date \"\(text)\" names a time or zone that does not exist"
        case .outOfRange(let text): "the date \"\(text)\" lies outside the years 1 to 9999"
        }
    }
}

/// The names of months and weekdays in the supported languages: English, German, French, Spanish, Portuguese, Italian,
/// Dutch, Polish, Russian, Japanese, and Chinese.
enum DateNames {
    static let months: [[String]] = [
        words("january januar jänner janvier enero janeiro gennaio januari stycznia styczeń января январь"),
        words("february februar février fevrier febrero fevereiro febbraio februari lutego luty февраля февраль"),
        words("march märz mrz mars marzo março maart mrt marca marzec марта"),
        words("april avril abril aprile kwietnia kwiecień апреля апрель"),
        words("may mai mayo maio maggio mei maja мая май"),
        words("june juni juin junio junho giugno czerwca czerwiec июня июнь"),
        words("july juli juillet julio julho luglio lipca lipiec июля июль"),
        words("august août aout agosto augustus sierpnia sierpień августа"),
        words("september septembre septiembre setiembre setembro settembre września wrzesień сентября сентябрь"),
        words("october oktober octobre octubre outubro ottobre października październik октября октябрь"),
        words("november novembre noviembre novembro listopada ноября ноябрь"),
        words("december dezember décembre decembre diciembre dezembro dicembre grudnia grudzień декабря декабрь"),
    ]

    /// Whether a text is the name of a weekday. A name may be cut to two letters or more, except in Japanese and
    /// Chinese.
    static func isWeekday(_ name: String) -> Bool {
        if eastern.contains(name) { return true }
        return name.unicodeScalars.count >= 2 && weekdays.contains { $0.hasPrefix(name) }
    }

    private static let weekdays =
        words("monday tuesday wednesday thursday friday saturday sunday")
        + words("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag")
        + words("lundi mardi mercredi jeudi vendredi samedi dimanche")
        + words("lunes martes miércoles miercoles jueves viernes sábado sabado domingo")
        + words("segunda terça terca quarta quinta sexta")
        + words("lunedì martedì mercoledì giovedì venerdì domenica")
        + words("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag")
        + words("poniedziałek wtorek środa czwartek czw piątek pt sobota niedziela ndz")
        + words("понедельник вторник среда четверг пятница суббота воскресенье пн чт пт сб вс")

    private static let eastern = Set(
        "月火水木金土日".flatMap { ["\($0)", "\($0)曜", "\($0)曜日"] }
            + "一二三四五六日天".flatMap { ["周\($0)", "週\($0)", "星期\($0)"] })

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
