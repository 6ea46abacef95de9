import Essentials
import Text

/// A date as a record has it: by the clock of whoever published it, where RFC 3339 can say that.
struct RecordDate {
    /// The date as RFC 3339 has it.
    let text: String
    /// By how many minutes that clock was ahead of UTC, where the text does not say so: near the ends of the years 1 to 9999 it
    /// would show another year.
    let offset: Int?

    init(_ date: Date, offset: Int) {
        let local = date.wholeSeconds + Int64(offset) * 60
        let isSaid = DateParser.seconds.contains(local)
        text = RFC3339.string(from: date, offset: isSaid ? offset : 0)
        self.offset = isSaid ? nil : offset
    }
}
