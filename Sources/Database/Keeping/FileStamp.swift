internal import Essentials

extension Date {
    /// The time in UTC as names of files have it: `20261121T120000Z`.
    var fileStamp: String {
        formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
            .filter { $0 != ":" }
    }
}
