import ArticleStore
import Text

/// Rewrites MDX, which is Markdown with JavaScript and components, as Markdown.
///
/// It omits imports, exports, comments (`{/* … */}`), and the tags of components, which mean nothing outside of their
/// program, except the texts in their attributes, such as a title. The text between tags is Markdown. HTML elements at
/// the start of a line are separated by empty lines.
/// Indentation that only shows the nesting of tags is removed, because Markdown would take the line for code.
/// Expressions are kept as they are written, except strings (`{" "}`). Source: <https://mdxjs.com/docs/what-is-mdx/>.
struct MDX {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []
    /// The offset in the output at which the current line begins.
    private var lineStart = 0
    /// Whether an empty line must precede the next line.
    private var needsGap = false
    private var isInList = false
    /// Whether the last line was empty or contained only a tag.
    private var followsGap = true
    private var fence: (mark: UInt8, count: Int)?
    /// The open tags that stand alone on their lines.
    private var open: [(name: String, indent: Int, inner: Int?)] = []

    // A text may begin a construct at every byte and never end it. These values limit the searches for ends, so that
    // the total time stays linear.
    private var stepsLeft: Int
    private var commentEnd = 0
    private var knownLine = 0..<0
    private var unendedElements: Set<String> = []
    private var hasUnendedCode = false

    /// Returns the text of MDX as Markdown.
    static func markdown(of body: String) -> String {
        var mdx = MDX(bytes: Array(body.utf8))
        mdx.rewrite()
        return String(decoding: mdx.output, as: UTF8.self)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        stepsLeft = 16 * bytes.count + 65_536
    }

    /// Whether Markdown begins with an import or export statement, which does not occur in prose.
    static func begins(_ body: String) -> Bool { isModuleCode(body.utf8.prefix { $0 != 0x0A }) }

    private mutating func rewrite() {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            let end = lineEnd(from: index)
            let indent = columns(from: index, to: end)
            let text = index + bytes[index..<end].prefix(while: \.isBlank).count
            if let fence {
                writeIndent(indent)
                copy(text..<end)
                endLine(at: end)
                let count = bytes[text..<end].prefix { $0 == fence.mark }.count
                if count >= fence.count, bytes[(text + count)..<end].allSatisfy({ $0.isBlank || $0 == 0x0D }) {
                    self.fence = nil
                }
            } else if bytes[text..<end].allSatisfy({ $0 == 0x0D }) {
                index = text
                endLine(at: end)
            } else if followsGap, text == index, Self.isModuleCode(bytes[index..<end]) {
                skipModuleCode()
            } else {
                if open.last?.inner == nil, !open.isEmpty, !isTag(at: text, "</") {
                    open[open.count - 1].inner = indent
                }
                let marks = listMarks(text..<end)
                if marks > 0 {
                    isInList = true
                } else if followsGap, indent == 0, !isTag(at: text, "<") {
                    isInList = false
                }
                beginFence(text + marks, before: end)
                let isFence = fence != nil
                writeIndent(indent)
                index = text
                if isFence {
                    copy(text..<end)
                    endLine(at: end)
                } else {
                    writeText(indent)
                }
            }
        }
    }

    // MARK: - Lines

    private mutating func lineEnd(from start: Int) -> Int {
        if !knownLine.contains(start) { knownLine = start..<(bytes[start...].firstIndex(of: 0x0A) ?? bytes.count) }
        return knownLine.upperBound
    }

    private var endsWithGap: Bool { output.isEmpty || output.suffix(2).elementsEqual([0x0A, 0x0A]) }

    private func columns(from start: Int, to end: Int) -> Int {
        bytes[start..<end].prefix(while: \.isBlank).reduce(0) { $1 == 0x09 ? $0 + 4 - $0 % 4 : $0 + 1 }
    }

    private func isTag(at start: Int, _ sign: String) -> Bool { bytes[start...].starts(with: sign.utf8) }

    /// The indentation of the outermost open tag. The indentation of its content is relative to it.
    private var margin: Int { isInList ? open.first?.indent ?? 0 : 0 }

    private mutating func writeIndent(_ indent: Int) {
        var columns = indent
        if let inner = open.last?.inner ?? open.last?.indent { columns = margin + max(0, indent - inner) }
        if needsGap, !endsWithGap { output.append(0x0A) }
        needsGap = false
        lineStart = output.count
        output.append(contentsOf: repeatElement(0x20, count: columns))
    }

    private mutating func copy(_ range: Range<Int>) { output.append(contentsOf: bytes[range]) }

    /// Ends a line of the input and of the output. Several empty lines become one.
    private mutating func endLine(at end: Int) {
        index = min(end + 1, bytes.count)
        let isEmpty = output[lineStart...].allSatisfy { $0.isBlank || $0 == 0x0D }
        followsGap = isEmpty && fence == nil
        if isEmpty, fence == nil {
            output.removeLast(output.count - lineStart)
            if needsGap || endsWithGap { return }
        }
        needsGap = false
        if end < bytes.count || !isEmpty { output.append(0x0A) }
        lineStart = output.count
        if end >= bytes.count, output.last == 0x0A, bytes.last != 0x0A { output.removeLast() }
    }

    private mutating func beginFence(_ start: Int, before end: Int) {
        guard start < end, bytes[start] == UInt8(ascii: "`") || bytes[start] == UInt8(ascii: "~") else { return }
        let count = bytes[start..<end].prefix { $0 == bytes[start] }.count
        let isFence =
            count >= 3
            && (bytes[start] == UInt8(ascii: "~") || !bytes[(start + count)..<end].contains(UInt8(ascii: "`")))
        if isFence { fence = (bytes[start], count) }
    }

    private func listMarks(_ line: Range<Int>) -> Int {
        let text = bytes[line]
        let digits = text.prefix(9).prefix { (0x30...0x39).contains($0) }
        let sign = text.dropFirst(digits.count)
        guard let mark = sign.first, (digits.isEmpty ? "-+*" : ".)").utf8.contains(mark),
            sign.dropFirst().first?.isBlank == true
        else { return 0 }
        return digits.count + 1 + sign.dropFirst().prefix(while: \.isBlank).count
    }

    // MARK: - Imports and exports

    private static func isModuleCode(_ line: some Collection<UInt8>) -> Bool {
        let line = String(decoding: line, as: UTF8.self).trimmed
        if line.hasPrefix("import") {
            let rest = line.dropFirst(6).drop { $0 == " " }
            guard rest.startIndex > line.index(line.startIndex, offsetBy: 6) || rest.first == "{" else { return false }
            let isQuoted = rest.hasPrefix("'") || rest.hasPrefix("\"")
            return isQuoted || rest.contains(" from '") || rest.contains(" from \"") || rest.contains("} from")
                || rest.hasSuffix("{") || rest == "*"
        }
        return line.hasPrefix("export ")
            && ["const ", "let ", "var ", "default ", "function ", "async ", "class ", "type ", "interface ", "{", "*"]
                .contains { line.dropFirst(7).hasPrefix($0) }
    }

    /// Skips a block of code, which ends at the next empty line outside of brackets.
    private mutating func skipModuleCode() {
        var depth = 0
        var end = index
        while end < bytes.count {
            let line = end..<lineEnd(from: end)
            let isEmpty = bytes[line].allSatisfy { $0.isBlank || $0 == 0x0D }
            if isEmpty, depth <= 0 || hasUnendedCode { break }
            var quote: UInt8?
            for byte in bytes[line] {
                if let sign = quote {
                    if byte == sign { quote = nil }
                } else if "\"'`".utf8.contains(byte) {
                    quote = byte
                } else if "([{".utf8.contains(byte) {
                    depth += 1
                } else if ")]}".utf8.contains(byte) {
                    depth -= 1
                }
            }
            end = min(line.upperBound + 1, bytes.count)
        }
        // If the brackets do not match, the code ends at the first empty line.
        if end == bytes.count, depth > 0, !hasUnendedCode {
            hasUnendedCode = true
            return skipModuleCode()
        }
        index = end
    }

    // MARK: - Text

    /// Writes the text of a line, and of the next lines if a tag or comment continues there.
    private mutating func writeText(_ indent: Int) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A:
                endLine(at: index)
                return
            case UInt8(ascii: "\\"):
                copy(index..<min(index + 2, lineEnd(from: index)))
                index = min(index + 2, lineEnd(from: index))
            case UInt8(ascii: "`"): writeCode()
            case UInt8(ascii: "{"): writeBrace()
            case UInt8(ascii: "<"): if writeTag(indent) { return }
            case let byte:
                output.append(byte)
                index += 1
            }
        }
        endLine(at: bytes.count)
    }

    /// Copies a code span: backticks, and the text up to the same number of backticks in the line.
    private mutating func writeCode() {
        let end = lineEnd(from: index)
        let count = bytes[index..<end].prefix { $0 == UInt8(ascii: "`") }.count
        var close = index + count
        while count <= 32, let next = bytes[close..<end].firstIndex(of: UInt8(ascii: "`")) {
            let found = bytes[next..<end].prefix { $0 == UInt8(ascii: "`") }.count
            close = next + found
            if found == count { break }
        }
        let isClosed =
            close - index >= 2 * count + 1 && bytes[(close - count)..<close].allSatisfy { $0 == UInt8(ascii: "`") }
        let stop = isClosed ? close : index + count
        copy(index..<stop)
        index = stop
    }

    /// Skips a comment, and writes a string without its quotes. Other expressions are kept.
    private mutating func writeBrace() {
        let start = index + 1 + bytes[(index + 1)...].prefix(while: \.isWhite).count
        if bytes[start...].starts(with: "/*".utf8) {
            var at = max(start + 2, commentEnd)
            while at + 1 < bytes.count, !(bytes[at] == UInt8(ascii: "*") && bytes[at + 1] == UInt8(ascii: "/")) {
                at += 1
            }
            commentEnd = at
            at += 2
            if at < bytes.count {
                at += bytes[at...].prefix(while: \.isWhite).count
                if at < bytes.count, bytes[at] == UInt8(ascii: "}") {
                    index = at + 1
                    return
                }
            }
        } else if start < bytes.count, "\"'`".utf8.contains(bytes[start]) {
            if let string = JSXTag.string(inBraces: index, of: bytes, before: lineEnd(from: start)) {
                output.append(contentsOf: bytes[string.text].escapedAsMarkdown(with: "&"))
                index = string.end
                return
            }
        }
        output.append(bytes[index])
        index += 1
    }

    // MARK: - Tags

    /// Writes or skips a tag. Returns true if the tag ended the line.
    private mutating func writeTag(_ indent: Int) -> Bool {
        guard let tag = JSXTag(bytes, at: index, &stepsLeft) else {
            output.append(bytes[index])
            index += 1
            return false
        }
        let isFirst = output[lineStart...].allSatisfy { $0 == 0x20 }
        let after = tag.end + bytes[tag.end...].prefix { $0.isBlank || $0 == 0x0D }.count
        let isAlone = isFirst && (after >= bytes.count || bytes[after] == 0x0A)
        let words = tag.words(bytes)
        // A title in running text, such as that of a tooltip, is not part of the sentence.
        let isTitled = isFirst && !words.isEmpty && (isAlone || !tag.isClosed && !isFollowedByText(tag))
        let text = isTitled ? MDX.marked(words) : words.isEmpty ? tag.html(bytes) : tag.isClosed ? words[0] : []
        index = tag.end
        if tag.isRaw, isFirst {
            // The content of this element is not Markdown.
            output.append(contentsOf: text)
            let end = tag.isOpening ? rawEnd(of: tag.name) : index
            copy(index..<end)
            index = end
            return false
        }
        guard isAlone || isFirst && tag.isBlock || isTitled else {
            output.append(contentsOf: text)
            if !tag.isOpening, let last = open.last, last.name == tag.name { open.removeLast() }
            return false
        }
        // The tag stands alone on its line. The text beside it is separate Markdown.
        output.removeLast(output.count - lineStart)
        if !tag.isOpening, let last = open.lastIndex(where: { $0.name == tag.name }) { open.removeSubrange(last...) }
        if !text.isEmpty {
            if !endsWithGap { output.append(0x0A) }
            output.append(contentsOf: repeatElement(0x20, count: isInList ? open.first?.indent ?? indent : 0))
            output.append(contentsOf: text)
            output.append(0x0A)
        }
        lineStart = output.count
        needsGap = true
        followsGap = true
        if tag.isOpening, !tag.isClosed, open.count < 256 { open.append((tag.name, indent, nil)) }
        if isAlone {
            index = min(after + 1, bytes.count)
            return true
        }
        // The rest of the line becomes a line of its own.
        index += bytes[index...].prefix(while: \.isBlank).count
        if let last = open.indices.last, open[last].inner == nil { open[last].inner = indent }
        writeIndent(indent)
        return false
    }

    /// Whether the element of a tag ends in its line, and text follows it there.
    private mutating func isFollowedByText(_ tag: JSXTag) -> Bool {
        let rest = bytes[tag.end..<lineEnd(from: tag.end)]
        guard let close = rest.firstRange(of: Array("</\(tag.name)>".utf8)) else { return false }
        return !rest[close.upperBound...].allSatisfy { $0.isBlank || $0 == 0x0D }
    }

    /// Returns the texts of a tag as a paragraph: the first is its title.
    private static func marked(_ words: [[UInt8]]) -> [UInt8] {
        Array("**".utf8) + words[0] + Array("**".utf8) + words.dropFirst().flatMap { [UInt8(ascii: " ")] + $0 }
    }

    private mutating func rawEnd(of name: String) -> Int {
        let close = Array("</\(name)".utf8)
        var at = index
        while !unendedElements.contains(name), let next = bytes[at...].firstIndex(of: close[0]) {
            if bytes[next...].starts(with: close) { return bytes[next...].firstIndex(of: 0x0A) ?? bytes.count }
            at = next + 1
        }
        unendedElements.insert(name)
        return lineEnd(from: index)
    }
}

/// A tag in MDX.
private struct JSXTag {
    /// The name; empty for a fragment.
    let name: String
    let isOpening: Bool
    /// Whether the tag closes itself, or is a void element.
    let isClosed: Bool
    /// The index after the tag.
    let end: Int
    private let start: Int
    private var attributes: [(name: String, value: Range<Int>)] = []

    /// The attributes of components with texts that readers see, in the order in which they are shown.
    private static let textNames = [
        "title", "heading", "header", "question", "label", "summary", "text", "caption", "description",
    ]

    /// Returns nil unless a complete tag is at the index.
    init?(_ bytes: [UInt8], at start: Int, _ stepsLeft: inout Int) {
        self.start = start
        guard stepsLeft > 0 else { return nil }
        var at = start + 1
        isOpening = !(at < bytes.count && bytes[at] == UInt8(ascii: "/"))
        if !isOpening { at += 1 }
        let word = bytes[min(at, bytes.count)...].prefix { Self.isNamePart($0) }
        guard word.first.map({ (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F }) ?? true else { return nil }
        name = String(decoding: word, as: UTF8.self)
        at = word.endIndex
        // Another character follows here in an address in angle brackets.
        guard at < bytes.count, bytes[at].isWhite || bytes[at] == 0x3E || bytes[at] == UInt8(ascii: "/") else {
            return nil
        }
        let limit = min(bytes.count, at + 65_536)
        var attributes: [(name: String, value: Range<Int>)] = []
        while at < limit {
            switch bytes[at] {
            case UInt8(ascii: ">"):
                isClosed = bytes[at - 1] == UInt8(ascii: "/") || Self.voids.contains(name)
                end = at + 1
                self.attributes = attributes
                return
            case UInt8(ascii: "{"):
                guard let close = Self.end(ofBraces: at, in: bytes, before: limit) else {
                    stepsLeft -= limit - at
                    return nil
                }
                at = close
            case UInt8(ascii: "<"): return nil
            case let byte where Self.isNamePart(byte):
                let key = bytes[at..<limit].prefix { Self.isNamePart($0) }
                at = key.endIndex + bytes[key.endIndex..<limit].prefix(while: \.isWhite).count
                guard at < limit, bytes[at] == UInt8(ascii: "=") else { continue }
                at += 1 + bytes[(at + 1)..<limit].prefix(while: \.isWhite).count
                guard at < limit else { return nil }
                if let string = Self.string(inBraces: at, of: bytes, before: limit) {
                    attributes.append((String(decoding: key, as: UTF8.self), string.text))
                }
                guard bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else { continue }
                guard let close = bytes[(at + 1)..<limit].firstIndex(of: bytes[at]) else {
                    stepsLeft -= limit - at
                    return nil
                }
                attributes.append((String(decoding: key, as: UTF8.self), (at + 1)..<close))
                at = close + 1
            case let byte where byte.isWhite || byte == UInt8(ascii: "/"): at += 1
            default: return nil
            }
        }
        return nil
    }

    /// Returns the text of an expression that is only a string, such as `{"x"}`; nil for another.
    static func string(
        inBraces start: Int, of bytes: [UInt8], before limit: Int
    ) -> (text: Range<Int>, end: Int)? {
        guard bytes[start] == UInt8(ascii: "{") else { return nil }
        let open = start + 1 + bytes[(start + 1)..<limit].prefix(while: \.isWhite).count
        guard open < limit, "\"'`".utf8.contains(bytes[open]) else { return nil }
        let text = bytes[(open + 1)..<limit].prefix { $0 != bytes[open] && $0 != UInt8(ascii: "\\") && $0 != 0x24 }
        guard text.endIndex < limit, bytes[text.endIndex] == bytes[open] else { return nil }
        let end = text.endIndex + 1 + bytes[(text.endIndex + 1)..<limit].prefix(while: \.isWhite).count
        return end < limit && bytes[end] == UInt8(ascii: "}") ? (text.startIndex..<text.endIndex, end + 1) : nil
    }

    /// Returns the end of an expression in braces, which may contain strings and other braces.
    private static func end(ofBraces start: Int, in bytes: [UInt8], before limit: Int) -> Int? {
        var depth = 0
        var at = start
        while at < limit {
            switch bytes[at] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return at + 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
                guard let close = bytes[(at + 1)..<limit].firstIndex(of: bytes[at]) else { return nil }
                at = close
            default: break
            }
            at += 1
        }
        return nil
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_.:$".utf8.contains(byte)
    }

    /// Whether the tag is a component: its name contains a capital letter or a dot, or is empty.
    private var isComponent: Bool { name.first.map { $0.isUppercase } ?? true || name.contains(".") }

    /// The HTML element that replaces the tag; nil if the tag is omitted.
    private var element: String? {
        guard isComponent else { return name }
        switch name {
        case "Link", "A": return "a"
        case "Image", "Img": return "img"
        default: return nil
        }
    }

    var isBlock: Bool { Self.blocks.contains(name) }
    var isRaw: Bool { ["pre", "script", "style", "textarea"].contains(name) }

    /// Returns the tag in HTML, with the attributes whose values are strings.
    func html(_ bytes: [UInt8]) -> [UInt8] {
        guard let element else { return [] }
        guard isComponent else { return bytes[start..<end].filter { $0 != 0x0A && $0 != 0x0D } }
        if !isOpening { return Array("</\(element)>".utf8) }
        var html = Array("<\(element)".utf8)
        for (name, value) in attributes {
            let key = element == "a" && name == "to" ? "href" : name
            guard ["href", "src", "alt", "title", "id"].contains(key) else { continue }
            html += Array(" \(key)=\"".utf8) + bytes[value].filter { $0 != UInt8(ascii: "\"") } + [UInt8(ascii: "\"")]
        }
        return html + [UInt8(ascii: ">")] + (isClosed && element == "a" ? Array("</a>".utf8) : [])
    }

    /// Returns the texts in the attributes of a component that is omitted, as Markdown.
    func words(_ bytes: [UInt8]) -> [[UInt8]] {
        guard isOpening, element == nil, !Self.invisible.contains(name) else { return [] }
        return Self.textNames.compactMap { name in
            guard let value = attributes.first(where: { $0.name == name })?.value else { return nil }
            let text = Array(bytes[value].split(whereSeparator: \.isWhite).joined(separator: [0x20]))
            return text.isEmpty ? nil : text.escapedAsMarkdown()
        }
    }

    /// Components with texts for search engines, or for the frame of the page.
    private static let invisible: Set<String> = ["Head", "Helmet", "Layout", "Meta", "NextSeo", "SEO", "Seo"]
    private static let voids: Set<String> = [
        "area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "div", "dl", "dt",
        "fieldset",
        "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav",
        "ol",
        "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    ]
}

extension Collection<UInt8> {
    /// Returns the text with a backslash before each character that Markdown may not take as it stands.
    ///
    /// - Parameter others: other characters to escape: character references stand in attributes, but not in strings.
    fileprivate func escapedAsMarkdown(with others: String = "") -> [UInt8] {
        flatMap { "*_`<>[]{}\\".utf8.contains($0) || others.utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
    fileprivate var isWhite: Bool { isBlank || self == 0x0A || self == 0x0D }
}
