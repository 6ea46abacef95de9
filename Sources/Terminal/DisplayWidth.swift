import CUnicode

extension StringProtocol {
    /// The number of terminal columns of the text: the sum over its grapheme clusters. Control characters have width 0.
    public var displayWidth: Int {
        // Nearly all callers are in other modules, so the functions are specialized for `String`.
        @specialized(where Self == String)
        get {
            if isPrintableASCII { return utf8.count }
            return reduce(0) { $0 + $1.displayWidth }
        }
    }

    /// Whether every byte is a character with width 1, so that characters need not be examined.
    public var isPrintableASCII: Bool {
        @specialized(where Self == String)
        get { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
    }

    /// The text cut to at most `width` columns, with `…` for the omitted part.
    @specialized(where Self == String)
    public func truncated(to width: Int) -> String {
        guard width > 0 else { return "" }
        guard displayWidth > width else { return String(self) }
        var result = ""
        var column = 0
        for cluster in self {
            let next = column + cluster.displayWidth
            if next > width - 1 { break }
            result.append(cluster)
            column = next
        }
        return result + "…"
    }

    /// The end of the text in at most `width` columns, with `…` for the omitted part before it.
    public func truncatedAtStart(to width: Int) -> String {
        guard displayWidth > width else { return String(self) }
        var kept: [Character] = []
        var column = 0
        for cluster in reversed() {
            column += cluster.displayWidth
            if column > width - 1 { break }
            kept.append(cluster)
        }
        return width > 0 ? "…" + String(kept.reversed()) : ""
    }

    /// The text padded with spaces to `width` columns. With `isRight`, the spaces come before the text.
    @specialized(where Self == String)
    public func padded(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - displayWidth))
        return isRight ? spaces + self : self + spaces
    }
}

extension Character {
    /// The number of columns of the cluster on a terminal that draws clusters as units.
    ///
    /// An emoji sequence (joined by ZWJ, or with a skin tone, a keycap, a flag, or U+FE0F) has two columns, as UAX #11
    /// and UTS #51 suggest, unless it lacks a visible base. Other clusters have the sum of their scalars' widths, as
    /// terminals draw Indic and Hangul clusters.
    public var displayWidth: Int {
        if let ascii = asciiValue { return (0x20..<0x7F).contains(ascii) ? 1 : 0 }
        var sum = 0
        var count = 0
        var isSequence = false
        for scalar in unicodeScalars {
            count += 1
            sum += scalar.displayWidth
            switch scalar.value {
            case 0xFE0F, 0x20E3, 0x1F3FB...0x1F3FF: isSequence = isSequence || (count > 1 && sum >= 1)
            case 0x200D, 0x1F1E6...0x1F1FF: isSequence = isSequence || (count > 1 && sum >= 2)
            default: break
            }
        }
        return isSequence ? 2 : sum
    }
}

extension Unicode.Scalar {
    /// The number of columns of the scalar, from utf8proc's tables of East Asian width (UAX #11). Ambiguous scalars
    /// count as narrow.
    public var displayWidth: Int {
        if value < 0x7F { return value < 0x20 ? 0 : 1 }
        // Conjoining Hangul vowels and final consonants are drawn inside the leading consonant, as in wcwidth of glibc.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return Int(max(0, utf8proc_charwidth(utf8proc_int32_t(bitPattern: value))))
    }
}
