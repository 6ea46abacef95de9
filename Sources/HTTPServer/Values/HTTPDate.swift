import Text
import Synchronization

/// The date for the heads of responses, formatted once per second.
final class HTTPDate: Sendable {
    private let clock: @Sendable () -> Date
    private let last = Mutex((second: Int.min, value: "" as HTTPFieldValue))

    init(clock: @escaping @Sendable () -> Date) { self.clock = clock }

    var now: HTTPFieldValue {
        let second = Int(clock().timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second, let value = HTTPFieldValue(checking: Self.text(second)) { last = (second, value) }
            return last.value
        }
    }

    /// Returns a time in the format of RFC 9110, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ second: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: TimeInterval(second)))
        func two(_ number: Int?) -> String { String((number ?? 0) + 100).dropFirst().description }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = days[(parts.weekday ?? 1) - 1]
        let month = months[(parts.month ?? 1) - 1]
        return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 0) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }
}
