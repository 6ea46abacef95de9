extension [UInt8] {
    /// The text without indentation, empty lines, and lines that are comments, which browsers do not need.
    ///
    /// A comment must begin on a line of its own, and a comment of a style sheet must end on the same line.
    var compacted: [UInt8] {
        split(separator: UInt8(ascii: "\n")).reduce(into: []) { text, line in
            let words = line.drop { $0 == UInt8(ascii: " ") }
            guard !words.isEmpty, !words.starts(with: "//".utf8), !words.starts(with: "/*".utf8) else { return }
            text += words
            text.append(UInt8(ascii: "\n"))
        }
    }
}
