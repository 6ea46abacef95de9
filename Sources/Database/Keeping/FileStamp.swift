internal import Text

extension Date {
    /// The time in UTC as in file names: `20261121T120000Z`.
    var fileStamp: String {
        formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
            .filter { $0 != ":" }
    }
}
