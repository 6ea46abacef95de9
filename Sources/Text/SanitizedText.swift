/// Control characters that `sanitized` does not replace.
package struct KeptControls: OptionSet, Sendable {
    /// A bit for each kind of character.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A line feed. A carriage return before it is dropped.
    package static let newline = KeptControls(rawValue: 1)
    package static let tab = KeptControls(rawValue: 2)
}

extension StringProtocol {
    /// The text in a form that is safe to show in a line of other text. Characters that would control a display or
    /// reorder the line are replaced with visible marks.
    ///
    /// C0 controls and DEL become their control pictures (ESC becomes `␛`). Line and paragraph separators become `␤`.
    /// C1 controls become `�`, and so do the marks, embeddings, overrides, and isolates of the bidirectional algorithm
    /// (see "Trojan Source", CVE-2021-42574) and the invisible tag characters, except in the flags of England,
    /// Scotland, and Wales.
    @specialized(where Self == String)
    package func sanitized(keeping kept: KeptControls = []) -> String {
        // Specialized because nearly all callers are in other modules.
        guard needsSanitizing(keeping: kept) else { return String(self) }
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars.makeIterator()
        var pending = rest.next()
        var flag = FlagTags()
        while let scalar = pending {
            pending = rest.next()
            if scalar == "\r", pending == "\n", kept.contains(.newline) { continue }
            result.append(flag.keeps(scalar) ? scalar : scalar.harmless(keeping: kept))
        }
        return String(result)
    }

    /// The text in a form that is safe in a line for another program. The characters that ``sanitized(keeping:)``
    /// replaces become `mark`.
    package func sanitized(as mark: Unicode.Scalar) -> String {
        guard needsSanitizing(keeping: []) else { return String(self) }
        var result = String.UnicodeScalarView()
        var flag = FlagTags()
        for scalar in unicodeScalars { result.append(flag.keeps(scalar) || !scalar.isHarmful ? scalar : mark) }
        return String(result)
    }

    /// A quick check of the bytes. It is exact for nearly all text, but it may return true for a text that `sanitized`
    /// would not change.
    func needsSanitizing(keeping kept: KeptControls) -> Bool {
        var text = String(self)
        return text.withUTF8 { $0.needSanitizing(keeping: kept) }
    }
}

extension StringProtocol {
    /// Whether the text has a character that is neither white space nor a control character.
    package var isVisible: Bool {
        unicodeScalars.contains { !$0.properties.isWhitespace && !$0.isHarmful }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The same check for text in UTF-8.
    func needSanitizing(keeping kept: KeptControls) -> Bool {
        var index = 0
        while let found = firstIndex(from: index, where: { ($0 .< .all(0x20)) .| ($0 .>= .all(0x7F)) }) {
            index = found
            repeat {
                if needsSanitizing(at: index, keeping: kept) { return true }
                index += 1
            } while index < count && !(0x20..<0x7F).contains(self[index])
        }
        return false
    }

    /// The same check for the character at an index, which is a control character or not ASCII.
    private func needsSanitizing(at index: Int, keeping kept: KeptControls) -> Bool {
        switch self[index] {
        case 0x0A: return !kept.contains(.newline)
        case 0x09: return !kept.contains(.tab)
        case 0x00..<0x20, 0x7F: return true
        default:
            let second = index + 1 < count ? self[index + 1] : 0
            let third = index + 2 < count ? self[index + 2] : 0
            // Dashes and quotation marks begin with the same bytes as some harmful characters, so look at the third
            // byte too.
            return switch (self[index], second, third) {
            case (0xC2, 0x80..<0xA0, _), (0xD8, 0x9C, _), (0xF3, 0xA0, _), (0xEF, 0xBF, 0xB9...0xBB),
                (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE), (0xE2, 0x81, 0xA6...0xAF):
                true
            default: false
            }
        }
    }
}

/// Keeps tag characters (U+E0020 to U+E007F) only after a black flag (U+1F3F4), where they spell a region’s flag, such
/// as that of Scotland.
private struct FlagTags {
    private var left = 0

    mutating func keeps(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1F3F4:
            // Up to six tag characters name the region (UTS #51, annex C), and one more ends the flag.
            left = 7
            return true
        case 0xE0020...0xE007F where left > 0:
            left -= 1
            return true
        default:
            left = 0
            return false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar would control a display, or change the order or the lines of the text around it.
    package var isHarmful: Bool { harmless(keeping: []) != self }

    fileprivate func harmless(keeping kept: KeptControls) -> Unicode.Scalar {
        switch value {
        case 0x0A where kept.contains(.newline), 0x09 where kept.contains(.tab): self
        case 0x00..<0x20: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x2028, 0x2029: "\u{2424}"
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            "\u{FFFD}"
        default: self
        }
    }
}
