/// The time that reading a text takes.
enum ReadingTime {
    /// The words per minute in silent reading. Brysbaert ("How many words do we read per minute?", 2019) found 238 for
    /// English.
    private static let wordsAMinute = 230

    /// Returns the whole minutes for a number of words, at least 1.
    static func minutes(ofWords words: Int) -> Int { max(1, (words + wordsAMinute / 2) / wordsAMinute) }

    /// Returns the approximate number of words for a number of minutes.
    static func words(ofMinutes minutes: Int) -> Int { minutes * wordsAMinute }
}
