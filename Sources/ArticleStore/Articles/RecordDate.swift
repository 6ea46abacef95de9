package import Text

/// A date in a record, by the publisher's clock if RFC 3339 can express that.
package struct RecordDate {
    /// The date in the form of RFC 3339.
    package let text: String
    /// The minutes by which the publisher's clock was ahead of UTC, if the text does not contain them. That happens
    /// near the ends of the years 1 to 9999, when the clock shows a year outside that range.
    package let offset: Int?

    package init(_ date: Date, offset: Int) {
        let local = date.wholeSeconds + Int64(offset) * 60
        let isSaid = DateParser.seconds.contains(local)
        text = RFC3339.string(from: date, offset: isSaid ? offset : 0)
        self.offset = isSaid ? nil : offset
    }
}
