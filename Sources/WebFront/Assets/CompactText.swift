extension [UInt8] {
    /// The text without indentation, empty lines, lines that are comments, and line breaks after `{`, `;`, `,`, and `(`. Browsers
    /// need none of these.
    ///
    /// A comment must begin on a line of its own, and a comment of a style sheet must end on the same line.
    var compacted: [UInt8] {
        split(separator: UInt8(ascii: "\n")).reduce(into: []) { text, line in
            let words = line.drop { $0 == UInt8(ascii: " ") }
            guard !words.isEmpty, !words.starts(with: "//".utf8), !words.starts(with: "/*".utf8) else { return }
            text += words
            if let last = words.last, !"{;,(".utf8.contains(last) { text.append(UInt8(ascii: "\n")) }
        }
    }

    /// The style sheet without comments, and without the spaces and semicolons that its punctuation makes superfluous.
    var compactedStyle: [UInt8] {
        let (space, newline, quote) = (UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\""))
        var style: [UInt8] = []
        var isQuoted = false
        var spaces = 0
        for byte in compacted {
            if !isQuoted, byte == space || byte == newline {
                spaces += 1
                continue
            }
            let separates = style.last.map { !"{};:,".utf8.contains($0) } ?? false
            if spaces > 0, separates, !"{}".utf8.contains(byte) { style.append(space) }
            spaces = 0
            if !isQuoted, byte == UInt8(ascii: "}"), style.last == UInt8(ascii: ";") { style.removeLast() }
            if byte == quote { isQuoted.toggle() }
            style.append(byte)
        }
        return style
    }
}
