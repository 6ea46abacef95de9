import CEntities
import Text

/// Prepares a page for gumbo, which builds the tree of a browser with scripts disabled.
///
/// In that tree, an element that is open at `</noscript>` keeps `noscript` open, so the rest of the page is inside it.
/// Browsers with scripts read the content of `noscript` as text up to its end tag. To get the same result, this type
/// renames the element to `noframes`, whose content gumbo reads as text. Both names have eight letters, so byte offsets
/// do not change.
enum HTMLSource {
    /// Returns the page with its `noscript` elements renamed; nil if there are none.
    ///
    /// If a `noscript` never ends, or another one begins inside it, it contains the article. It is renamed to an
    /// unknown element, whose content is read.
    static func renamingNoscript(in html: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard var open = html.firstTag("<noscript", from: 0) else { return nil }
        var result = Array(html)
        var close = html.firstTag("</noscript", from: open)
        var index = 0
        while let start = html.firstIndex(of: UInt8(ascii: "<"), from: index) {
            guard let tag = Tag(html, at: start) else {
                index = start + 1
                continue
            }
            index = tag.end
            if let content = tag.contentEnd(in: html) {
                index = content
            } else if tag.isNoscript {
                if let found = close, found < index { close = html.firstTag("</noscript", from: index) }
                if open < index { open = html.firstTag("<noscript", from: index) ?? html.count }
                if let close, close < open, html[tag.end - 2] != UInt8(ascii: "/") {
                    result.replaceSubrange((start + 1)..<(start + 9), with: "noframes".utf8)
                    result.replaceSubrange((close + 2)..<(close + 10), with: "noframes".utf8)
                    index = close
                } else {
                    result[start + 1] = UInt8(ascii: "x")
                }
            }
        }
        return result
    }

    /// A start tag or a comment.
    private struct Tag {
        let name: String
        /// The index after it.
        let end: Int

        var isNoscript: Bool { name == "noscript" }

        init?(_ html: UnsafeBufferPointer<UInt8>, at start: Int) {
            let rest = html[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                name = "!--"
                end = html.firstTag("-->", from: start + 2) ?? html.count
                return
            }
            let name = rest.prefix(11).prefix { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
            guard name.first?.isASCIILetter == true else { return nil }
            var index = name.endIndex
            var quote: UInt8?
            var isValue = false
            while index < html.count {
                let byte = html[index]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: ">") {
                    break
                } else if byte == UInt8(ascii: "=") {
                    isValue = true
                } else if isValue, !byte.isHTMLSpace {
                    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
                    isValue = false
                }
                index += 1
            }
            self.name = String(decoding: name, as: UTF8.self).lowercased()
            end = min(index + 1, html.count)
        }

        /// Returns the end of the content of an element that contains only text; nil for another element.
        func contentEnd(in html: UnsafeBufferPointer<UInt8>) -> Int? {
            switch name {
            case "plaintext": html.count
            case "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes":
                html.firstTag("</" + name, from: end) ?? html.count
            default: nil
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first index at or after `start` of a lower-case text, ignoring case.
    fileprivate func firstTag(_ text: String, from start: Int) -> Int? {
        let sign = text.utf8.first ?? 0
        var index = start
        while let found = firstIndex(of: sign, from: index) {
            let isTag =
                count - found >= text.utf8.count
                && zip(self[found...], text.utf8).allSatisfy { $0 == $1 || $1.isASCIILetter && $0 | 0x20 == $1 }
            if isTag { return found }
            index = found + 1
        }
        return nil
    }
}

/// Character references of HTML (`&amp;`, `&#233;`, `&#xE9;`).
enum CharacterReference {
    /// Returns the text of a reference with its `&` and `;`; nil if it is not a reference.
    static func decoded(_ source: some StringProtocol) -> String? {
        guard source.utf8.count <= longest, source.hasPrefix("&"), source.hasSuffix(";") else { return nil }
        var name = String(source.dropFirst().dropLast())
        guard name.hasPrefix("#") else {
            var scalars: (UInt32, UInt32) = (0, 0)
            let count = name.withUTF8 { name in
                name.withMemoryRebound(to: CChar.self) { name -> Int32 in
                    guard let start = name.baseAddress else { return 0 }
                    return withUnsafeMutableBytes(of: &scalars) {
                        $0.bindMemory(to: UInt32.self).baseAddress.map { centities_find(start, name.count, $0) } ?? 0
                    }
                }
            }
            let found = [scalars.0, scalars.1].prefix(Int(count)).compactMap(Unicode.Scalar.init)
            return found.isEmpty ? nil : String(String.UnicodeScalarView(found))
        }
        let digits = name.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        guard let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits) else { return nil }
        return value == 0 ? "\u{FFFD}" : String(Unicode.Scalar(value) ?? "\u{FFFD}")
    }

    /// Returns the text with all references decoded.
    static func decodeAll(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded: [UInt8] = []
        var text = text
        text.withUTF8 { append($0[...], to: &decoded) }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Appends a text to bytes with all references decoded.
    static func append(_ text: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]) {
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            bytes.append(contentsOf: rest[..<start])
            rest = rest[start...]
            if let end = rest.prefix(longest).firstIndex(of: UInt8(ascii: ";")),
                let decoded = decoded(String(decoding: rest[...end], as: UTF8.self))
            {
                bytes.append(contentsOf: decoded.utf8)
                rest = rest[(end + 1)...]
            } else {
                bytes.append(rest[start])
                rest = rest.dropFirst()
            }
        }
        bytes.append(contentsOf: rest)
    }

    private static let longest = 50
}
