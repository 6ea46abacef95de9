import Text

/// How a text divides into cells where a scalar is not always one: cells are pieces that stay on one line, each with the columns
/// that it takes.
///
/// The cells are grapheme clusters, and the scalars of clusters that are wider than two columns. A terminal receives one span after
/// the other, so that no cluster reaches over the end of one.
struct ClusterCells {
    private let start: Int
    /// For each byte that begins a cell where the cell ends, from ``start``, and its columns.
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
                // White space has a meaning of its own, and is part of no cluster here.
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
    /// The scalar that begins at an offset of text that is UTF-8, and where it ends.
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

    /// Whether every scalar is a cell, as in nearly every text.
    var isScalarByScalar: Bool {
        var offset = 0
        while offset < count {
            if self[offset] < 0x80 {
                // Controls are not drawn. White space is handled by its meaning.
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
    /// Whether it is a grapheme cluster by itself, whichever scalars of this kind are beside it: of UAX #29 those blocks that
    /// hold no marks, joiners, prefixes and parts of syllables.
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

    /// Whether a line does not begin with it (JIS X 4051: closing brackets, full stops, small kana).
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

    /// Whether a line does not end with it: opening brackets.
    var beginsLine: Bool {
        switch self {
        case "(", "[", "{", "“", "‘", "«", "〈", "《", "「", "『", "【", "〔", "（", "［", "｛": true
        default: false
        }
    }
}
