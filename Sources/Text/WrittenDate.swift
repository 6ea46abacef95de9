/// A date as it was written: a moment, and the offset of the local clock.
///
/// The moment alone does not tell the local day: half past eleven in the evening of 3 December in San Francisco is 4
/// December in UTC.
public struct WrittenDate: Sendable, Hashable {
    /// The moment, in whole seconds.
    public let date: Date
    /// The minutes by which the clock was ahead of UTC, from -1,439 to 1,439; 0 if a zone was not written.
    public let offset: Int

    /// Creates a date from a moment and an offset.
    public init(date: Date, offset: Int = 0) {
        self.date = date
        self.offset = offset
    }

    /// The day that was written.
    public var day: CivilDate { CivilDate(date, offset: offset) }
}
