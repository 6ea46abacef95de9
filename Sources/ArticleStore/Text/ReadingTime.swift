/// How long a text takes to read.
enum ReadingTime {
    /// Words a minute of silent reading (Brysbaert, "How many words do we read per minute?", 2019, finds 238 for
    /// English).
    private static let wordsAMinute = 230

    /// Whole minutes for so many words, at least 1.
    static func minutes(ofWords words: Int) -> Int { max(1, (words + wordsAMinute / 2) / wordsAMinute) }

    /// About so many words are read in so many minutes.
    static func words(ofMinutes minutes: Int) -> Int { minutes * wordsAMinute }
}
