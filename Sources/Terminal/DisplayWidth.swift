import CUnicode

extension StringProtocol {
    /// Columns that the text takes on a terminal, summed over its grapheme clusters. Control characters take none.
    public var displayWidth: Int {
        // For the callers in other modules, which is nearly all of them; so below.
        @specialized(where Self == String)
        get {
            if isPrintableASCII { return utf8.count }
            return reduce(0) { $0 + $1.displayWidth }
        }
    }

    /// Whether every byte is one column: no character needs to be looked at.
    public var isPrintableASCII: Bool {
        @specialized(where Self == String)
        get { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
    }

    /// The text cut to at most `width` columns, with `…` in the place of what was left out.
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

    /// The end of the text in at most `width` columns, with `…` in the place of what was left out before it.
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

    /// The text with spaces added up to `width` columns: after it, or before it where `isRight`.
    @specialized(where Self == String)
    public func padded(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - displayWidth))
        return isRight ? spaces + self : self + spaces
    }
}

extension Character {
    /// Columns that the cluster takes on a terminal that draws clusters whole.
    ///
    /// An emoji sequence (joined by ZWJ, with a skin tone, a keycap, a flag, or asked for by U+FE0F) takes two columns as UAX #11
    /// and UTS #51 suggest, but not without something to see before it; anything else takes the sum of its scalars, which is what terminals do with Indic and Hangul clusters.
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
    /// Columns of the scalar by itself, from utf8proc's tables of East Asian width (UAX #11); ambiguous ones count as narrow.
    public var displayWidth: Int {
        if value < 0x7F { return value < 0x20 ? 0 : 1 }
        // Vowels and finals of conjoining Hangul are drawn inside the leading consonant, as wcwidth of glibc has it too.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return Int(max(0, utf8proc_charwidth(utf8proc_int32_t(bitPattern: value))))
    }
}
