/// How long a text takes to read.
enum ReadingTime {
    /// Words a minute of silent reading (Brysbaert, "How many words do we read per minute?", 2019, finds 238 for
    /// English).
    private static let wordsAMinute = 230

    /// Whole minutes, at least 1. A word is a run of bytes without space; where words stand without spaces between
    /// them, in Chinese and Japanese, two characters count as one. Cheap on purpose: one pass over the bytes.
    static func minutes(of text: String) -> Int {
        var text = text
        let words = text.withUTF8 { bytes -> Int in
            var starts = 0
            var ideographs = 0
            var previous: UInt8 = 0x20
            for byte in bytes {
                starts &+= previous <= 0x20 && byte > 0x20 ? 1 : 0
                // The first byte of U+3000 to U+DFFF, where the scripts without spaces are.
                ideographs &+= byte >= 0xE3 && byte <= 0xED ? 1 : 0
                previous = byte
            }
            return starts + ideographs / 2
        }
        return max(1, (words + wordsAMinute / 2) / wordsAMinute)
    }
}
