import Essentials
import Text

/// A date as a record has it: by the clock of whoever published it, where RFC 3339 can say that.
struct WrittenDate {
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

    /// How many minutes ahead of UTC the clock was that a text in the form of RFC 3339 was taken from; 0 where it says none.
    static func offset(of text: String) -> Int {
        let end = text.trimmed.utf8.suffix(6)
        guard text.trimmed.utf8.count >= 22, let sign = end.first,
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            end.dropFirst(3).first == UInt8(ascii: ":"), let hours = Int(Substring(end.dropFirst().prefix(2))),
            let minutes = Int(Substring(end.suffix(2))), hours < 24, minutes < 60
        else { return 0 }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }
}
