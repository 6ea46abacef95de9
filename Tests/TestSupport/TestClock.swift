public import Foundation
import Synchronization

/// A clock that a test moves.
public final class TestClock: Sendable {
    private let time: Mutex<Date>

    /// Makes a clock at a whole second, in November 2023 by default.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_700_000_000)) { time = Mutex(now) }

    /// The time.
    public var now: Date { time.withLock { $0 } }

    /// Moves the clock, back if `seconds` is negative.
    public func advance(by seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }

    /// Sets the clock to a time.
    public func set(_ date: Date) { time.withLock { $0 = date } }
}
