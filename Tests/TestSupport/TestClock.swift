public import Foundation
import Synchronization

/// A clock that stands until it is moved.
public final class TestClock: Sendable {
    private let time: Mutex<Date>

    /// A clock that stands at a whole second, in November 2023 unless told otherwise.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_700_000_000)) { time = Mutex(now) }

    /// The text.
    public var now: Date { time.withLock { $0 } }

    /// Moves it on, or back where `seconds` are negative.
    public func advance(by seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }

    /// Sets it to a time.
    public func set(_ date: Date) { time.withLock { $0 = date } }
}
