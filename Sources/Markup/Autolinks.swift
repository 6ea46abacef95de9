import Text

/// Finds addresses in running text that become links without any markup, by the rules of GitHub Flavored Markdown
/// (section 6.9, "Autolinks (extension)").
enum Autolinks {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Returns the text with its addresses as links.
    static func inlines(in text: Bytes) -> [MarkupInline] {
        // Fast path: most texts do not contain any.
        guard text.contains("://") || text.contains("www.") || text.contains("@") else {
            return text.isEmpty ? [] : [.text(string(text, 0..<text.count))]
        }
        var inlines: [MarkupInline] = []
        var done = 0
        var index = 0
        while index < text.count {
            let found: (range: Range<Int>, scheme: String)? =
                switch text[index] {
                case UInt8(ascii: "h") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "t"),
                    UInt8(ascii: "w") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "w"):
                    address(in: text, at: index)
                case UInt8(ascii: "@"): mailbox(in: text, at: index, after: done)
                default: nil
                }
            guard let found else {
                index += 1
                continue
            }
            if done < found.range.lowerBound { inlines.append(.text(string(text, done..<found.range.lowerBound))) }
            let address = string(text, found.range)
            inlines.append(.link(destination: found.scheme + address, [.text(address)]))
            done = found.range.upperBound
            index = done
        }
        if done < text.count { inlines.append(.text(string(text, done..<text.count))) }
        return inlines
    }

    private static func string(_ text: Bytes, _ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
    }

    /// Returns the range of an address that begins with `http://`, `https://`, or `www.`, and the scheme to add if it
    /// is missing.
    private static func address(in text: Bytes, at start: Int) -> (range: Range<Int>, scheme: String)? {
        if start > 0, !isBoundary(text[start - 1]) { return nil }
        let rest = text[start...]
        let isBare = rest.starts(with: "www.".utf8)
        let scheme = ["https://", "http://"].first { rest.starts(with: $0.utf8) }
        guard isBare || scheme != nil else { return nil }
        let domain = start + (scheme?.utf8.count ?? 0)
        guard let afterDomain = endOfDomain(in: text, from: domain, needsDot: isBare) else { return nil }
        var end = afterDomain
        while end < text.count, !text[end].isHTMLSpace, text[end] != UInt8(ascii: "<") { end += 1 }
        end = withoutPunctuation(text, domain..<end)
        return end > domain ? (start..<end, isBare ? "http://" : "") : nil
    }

    private static func isBoundary(_ byte: UInt8) -> Bool { byte.isHTMLSpace || "*_~(".utf8.contains(byte) }

    /// Returns the end of a domain: letters, digits, hyphens, and underscores, separated by dots, without underscores
    /// in the last two parts.
    private static func endOfDomain(in text: Bytes, from start: Int, needsDot: Bool) -> Int? {
        var end = start
        var dots = 0
        var underscores = (previous: 0, last: 0)
        while end < text.count {
            switch text[end] {
            case UInt8(ascii: "."):
                dots += 1
                underscores = (underscores.last, 0)
            case UInt8(ascii: "_"): underscores.last += 1
            case UInt8(ascii: "-"): break
            case let byte where byte.isASCIILetterOrDigit || byte >= 0x80: break
            default:
                return isDomain(start..<end, dots, underscores, needsDot) ? end : nil
            }
            end += 1
        }
        return isDomain(start..<end, dots, underscores, needsDot) ? end : nil
    }

    private static func isDomain(
        _ range: Range<Int>, _ dots: Int, _ underscores: (previous: Int, last: Int), _ needsDot: Bool
    ) -> Bool {
        !range.isEmpty && underscores.previous == 0 && underscores.last == 0 && (dots > 0 || !needsDot)
    }

    /// Returns the end of the address without trailing punctuation, which belongs to the sentence, and without an
    /// unmatched closing parenthesis.
    static func withoutPunctuation(_ text: Bytes, _ range: Range<Int>) -> Int {
        var end = range.upperBound
        var unopened = 0
        for byte in text[range] {
            if byte == UInt8(ascii: "(") { unopened -= 1 }
            if byte == UInt8(ascii: ")") { unopened += 1 }
        }
        while end > range.lowerBound {
            let last = text[end - 1]
            if last == UInt8(ascii: ")"), unopened > 0 {
                unopened -= 1
            } else if !"?!.,:;*_~'\"".utf8.contains(last) {
                break
            }
            end -= 1
        }
        return end
    }

    private static func mailbox(in text: Bytes, at sign: Int, after done: Int) -> (range: Range<Int>, scheme: String)? {
        var start = sign
        while start > done, text[start - 1].isASCIILetterOrDigit || ".-_+".utf8.contains(text[start - 1]) { start -= 1 }
        var end = sign + 1
        var hasDot = false
        while end < text.count {
            let byte = text[end]
            if byte == UInt8(ascii: "."), end + 1 < text.count, text[end + 1].isASCIILetterOrDigit {
                hasDot = true
            } else if !byte.isASCIILetterOrDigit && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
                break
            }
            end += 1
        }
        guard start < sign, hasDot, text[sign + 1] != UInt8(ascii: "."), text[end - 1].isASCIILetterOrDigit else {
            return nil
        }
        return (start..<end, "mailto:")
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}
