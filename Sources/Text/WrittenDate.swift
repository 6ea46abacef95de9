public import Essentials

/// A date as somebody wrote it: a moment, and what clocks showed there.
///
/// The moment alone does not say which day it was where it was written: half past eleven in the evening of 3 December in
/// San Francisco is 4 December in UTC.
public struct WrittenDate: Sendable, Hashable {
    /// The moment, in whole seconds.
    public let date: Date
    /// How many minutes clocks were ahead of UTC there, from -1,439 to 1,439; 0 where no zone was written.
    public let offset: Int

    /// A moment and what clocks showed.
    public init(date: Date, offset: Int = 0) {
        self.date = date
        self.offset = offset
    }

    /// The day that was written.
    public var day: CivilDate { CivilDate(date, offset: offset) }
}
