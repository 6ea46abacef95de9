public import Essentials

/// Reads dates in the shapes that people and programs write.
///
/// - `2015-12-03`, `2016-2-9`, `2015/12/03`, `2015.12.03`, `20151203`, `2015-Dec-03`: the start of that day; `2015-12` and
///   `2015`: of that month and year; `2015-W49-4` and `2015-337`: ISO 8601's days of weeks and years
/// - `3 Dec 2015`, `3rd December, 2015`, `03-Dec-15`, `Dec 3, 2015`, `December 2015`, each with the name of the day before
///   it or none; `3.12.2015`
/// - `12/31/2015` and `31/12/2015`, where only one reading is a day: what could be either is refused
/// - any of these and a time: `9:05`, `12:01:01`, `T12:01:01.25`, `24:00`, `3:04 PM`, `3pm`, and a zone or none
/// - `Thu, 3 Dec 2015 12:01:01 -0800` (RFC 5322), `Thu Dec  3 12:01:01 CET 2015` (`date`),
///   `Thu Dec 03 2015 12:01:01 GMT+0100 (CET)` (JavaScript), `2001-12-14 21:59:43.10 -5` (YAML)
/// - `1449144061`: Unix seconds of nine to eleven digits; of twelve or thirteen, milliseconds
///
/// A zone is `Z`, an offset such as `+02:00`, `-0800`, `+2` or `UTC+2`, or a name of the table below. Any other name is UTC,
/// as RFC 5322 (4.3) has it, and so is a time without a zone. Years of two digits are those of RFC 5322: 1950 to 2049.
/// Fractions of a second are dropped. A leap second counts as the second after it. The name of the day is not compared.
/// Months and days may have their names in any of the languages of feeds, and `2015年12月3日` is a day.
public enum DateParser {
    /// Reads a date.
    /// - Throws: ``DateError``, which names the text, cut to 40 characters.
    public static func date(from text: String) throws(DateError) -> Date { try written(from: text).date }

    /// Reads a date, with the offset from UTC that was written with it.
    /// - Throws: ``DateError``, which names the text, cut to 40 characters.
    public static func written(from text: String) throws(DateError) -> WrittenDate {
        var scanner = DateScanner(text: text)
        return try scanner.date()
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

    /// Names of zones and how many minutes they are ahead of UTC. The first four rows are RFC 5322's. Of names that
    /// several countries use, the one meant by most people: BST is Britain's, IST India's, and CST America's as above.
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
