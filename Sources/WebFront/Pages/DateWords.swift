internal import Text

/// The words for a date, as people say them: `5 min ago`, `Yesterday`, `3 Mar`.
///
/// The server does not know the clock of the browser, so days begin by the clock of the publisher.
struct DateWords: Equatable {
    let words: String
    /// The exact time, to the minute.
    let exact: String
    /// The time in the form of RFC 3339.
    let machine: String

    /// Creates the words for a date.
    ///
    /// - Parameters:
    ///   - offset: the minutes by which the publisher's clock is ahead of UTC.
    ///   - now: the present time.
    init(_ date: Date, offset: Int = 0, now: Date) {
        let (day, today) = (CivilDate(date, offset: offset), CivilDate(now, offset: offset))
        let seconds = Int64(now.timeIntervalSince1970.rounded(.down)) - Int64(date.timeIntervalSince1970.rounded(.down))
        machine = RFC3339.string(from: date, offset: offset)
        // Many sources state only the day, which is stored as its first second.
        let isDay = machine.dropFirst(11).prefix(8) == "00:00:00"
        exact = isDay ? "\(day)" : "\(day) \(machine.dropFirst(11).prefix(5))\(machine.dropFirst(19))"
        let yesterday = CivilDate(now.addingTimeInterval(-86_400), offset: offset)
        let isRecent = (0..<86_400).contains(seconds) && !isDay
        words =
            if isRecent, seconds < 60 {
                "Now"
            } else if isRecent, seconds < 3_600 {
                "\(seconds / 60) min ago"
            } else if isRecent, day == today || seconds < 43_200 {
                "\(seconds / 3_600) h ago"
            } else if day == today {
                "Today"
            } else if day == yesterday {
                "Yesterday"
            } else {
                "\(day.day) \(Self.months[day.month - 1])" + (day.year == today.year ? "" : " \(day.year)")
            }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The words, with the exact time for those who point at them.
    var html: HTML { "<time datetime=\"\(machine)\" title=\"\(exact)\">\(words)</time>" }
}
