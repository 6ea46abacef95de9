/// The reason why a text is not a date.
public enum DateError: Error, Hashable, CustomStringConvertible {
    /// The text has an unknown form.
    case unknownShape(String)
    /// The month or the day does not exist.
    case noSuchDay(String)
    /// The hour, minute, second, or zone does not exist.
    case noSuchTime(String)
    /// The date is outside the years 1 to 9999.
    case outOfRange(String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .unknownShape(let text): "\"\(text)\" is not a date: write it as 2015-12-03 or 2015-12-03 12:01:01"
        case .noSuchDay(let text): "the date \"\(text)\" names a day that does not exist"
        case .noSuchTime(let text): "the date \"\(text)\" names a time or zone that does not exist"
        case .outOfRange(let text): "the date \"\(text)\" lies outside the years 1 to 9999"
        }
    }
}
