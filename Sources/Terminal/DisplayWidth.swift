import CUnicode
import Text

extension StringProtocol {
    /// The number of terminal columns of the text: the sum over its grapheme clusters. Control characters have width 0.
    package var displayWidth: Int {
        // Nearly all callers are in other modules, so the functions are specialized for `String`.
        @specialized(where Self == String)
        get {
            if isPrintableASCII { return utf8.count }
            return reduce(0) { $0 + $1.displayWidth }
        }
    }

    /// Whether every byte is a character with width 1, so that characters need not be examined.
    package var isPrintableASCII: Bool {
        @specialized(where Self == String)
        get { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
    }

    /// The text cut to at most `width` columns, with `…` for the omitted part.
    @specialized(where Self == String)
    package func truncated(to width: Int) -> String {
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
    package func truncatedAtStart(to width: Int) -> String {
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
    package func padded(to width: Int, isRight: Bool = false) -> String {
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
    package var displayWidth: Int {
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
    package var displayWidth: Int {
        if value < 0x7F { return value < 0x20 ? 0 : 1 }
        // Conjoining Hangul vowels and final consonants are drawn inside the leading consonant, as in wcwidth of glibc.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return Int(max(0, utf8proc_charwidth(utf8proc_int32_t(bitPattern: value))))
    }
}

/// The cells of a text, if a cell is not always one scalar. A cell is a part of the text that cannot be broken across
/// lines, with its width in columns.
///
/// The cells are grapheme clusters. Clusters wider than two columns are split into their scalars. A terminal receives
/// one span after the other, so a cluster ends at the end of its span.
struct ClusterCells {
    private let start: Int
    /// For each byte at which a cell begins, the end of the cell, relative to ``start``, and its width.
    private var ends: [UInt32]
    private var widths: [UInt8]

    init(_ bytes: UnsafeBufferPointer<UInt8>, spans: [Range<Int>]) {
        start = spans.first?.lowerBound ?? 0
        let count = (spans.last?.upperBound ?? 0) - start
        ends = Array(repeating: 0, count: count)
        widths = Array(repeating: 0, count: count)
        for span in spans {
            var offset = span.lowerBound - start
            for cluster in String(decoding: UnsafeBufferPointer(rebasing: bytes[span]), as: UTF8.self) {
                let width = cluster.displayWidth
                let count = cluster.utf8.count
                // White space has its own meaning in a layout, so it is never part of a cluster here.
                if width <= 2, count == 1 || !cluster.utf8.contains(where: { $0 <= 0x20 }) {
                    add(count, width, at: &offset)
                } else {
                    for scalar in cluster.unicodeScalars { add(UTF8.width(scalar), scalar.displayWidth, at: &offset) }
                }
            }
        }
    }

    private mutating func add(_ count: Int, _ width: Int, at offset: inout Int) {
        ends[offset] = UInt32(truncatingIfNeeded: offset + count)
        widths[offset] = UInt8(truncatingIfNeeded: min(width, 2))
        offset += count
    }

    func cell(at offset: Int) -> (end: Int, width: Int) {
        (start + Int(ends[offset - start]), Int(widths[offset - start]))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the scalar at an offset of valid UTF-8, and its end.
    @inline(__always)
    func scalar(at offset: Int) -> (scalar: Unicode.Scalar, end: Int) {
        let first = UInt32(self[offset])
        func next(_ distance: Int) -> UInt32 { UInt32(self[offset + distance]) & 0x3F }
        let (value, end) =
            switch first {
            case ..<0x80: (first, offset + 1)
            case ..<0xE0: ((first & 0x1F) << 6 | next(1), offset + 2)
            case ..<0xF0: ((first & 0x0F) << 12 | next(1) << 6 | next(2), offset + 3)
            default: ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), offset + 4)
            }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", end)
    }

    /// Whether every scalar is a cell, as in most texts.
    var isScalarByScalar: Bool {
        var offset = 0
        while offset < count {
            if self[offset] < 0x80 {
                // Control characters are not drawn. The layout interprets white space.
                guard self[offset] >= 0x20 || self[offset] == 0x0A, self[offset] != 0x7F else { return false }
                offset += 1
                continue
            }
            let (scalar, end) = scalar(at: offset)
            guard scalar.standsAlone else { return false }
            offset = end
        }
        return true
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a grapheme cluster of its own next to any other scalar of this kind. These are the blocks
    /// that do not contain marks, joiners, prefixes, or parts of syllables of UAX #29.
    var standsAlone: Bool {
        switch value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300, 0x370..<0x483, 0x48A..<0x530, 0x531..<0x557, 0x561..<0x588,
            0x5D0..<0x5EB, 0x620..<0x64B, 0x660..<0x670, 0x671..<0x6D6, 0x1E00..<0x2000, 0x2010..<0x2028,
            0x2030..<0x205F,
            0x2070..<0x20C0, 0x2100..<0x2428, 0x2460..<0x2C00, 0x3001..<0x302A, 0x3041..<0x3097, 0x309B..<0x3100,
            0x3105..<0x3130, 0x3200..<0x4DC0, 0x4E00..<0xA000, 0xAC00..<0xD7A4, 0xFF01..<0xFF9E, 0xFFE0..<0xFFE7,
            0xFFFD,
            0x1F300..<0x1F3FB, 0x1F400..<0x1F650, 0x1F680..<0x1F700, 0x1F900..<0x1FA00:
            true
        default: false
        }
    }

    /// Whether a line must not begin with the character (JIS X 4051): closing brackets, full stops, and small kana.
    var endsLine: Bool {
        switch self {
        case ")", "]", "}", ",", ".", ":", ";", "!", "?", "%", "”", "’", "»", "…", "、", "。", "〉", "》", "」", "』", "】",
            "〕",
            "々", "ー", "・", "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ", "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ",
            "！", "）", "，", "．", "：", "；", "？", "］", "｝":
            true
        default: false
        }
    }

    /// Whether a line must not end with the character: opening brackets.
    var beginsLine: Bool {
        switch self {
        case "(", "[", "{", "“", "‘", "«", "〈", "《", "「", "『", "【", "〔", "（", "［", "｛": true
        default: false
        }
    }
}
