/// Reads HTML into blocks: tags are taken out, block elements become paragraphs, scripts and styles vanish. It is not a
/// browser: nothing is fetched, styled or run.
struct HTMLReader {
    private var blocks: [MarkupBlock] = []
    /// The items of the list being read.
    private var items: [MarkupBlock.Item] = []
    /// What is in the item being read; nil outside one.
    private var item: [MarkupBlock]?
    /// The text of the block being read, its breaks as newlines.
    private var current: [UInt8] = []
    /// The level of the heading being read.
    private var heading: Int?
    /// Inside `pre`, where white space counts.
    private var isPreformatted = false

    /// The blocks of a text.
    static func blocks(of html: String) -> [MarkupBlock] {
        var reader = HTMLReader()
        var html = html
        html.withUTF8 { reader.read($0[...]) }
        reader.endList()
        return reader.blocks
    }

    private mutating func read(_ html: Bytes) {
        var rest = html
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            add(rest[..<start])
            rest = rest[start...]
            let second = rest.dropFirst().first ?? 0
            if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest.dropFirst(4))
            } else if second == UInt8(ascii: "/") || second == UInt8(ascii: "!")
                || (0x61...0x7A).contains(second | 0x20)
            {
                let end = Self.endOfTag(rest)
                let name = Self.tagName(rest[..<end])
                rest = rest[end...]
                if ["script", "style", "template", "noscript", "head"].contains(name) {
                    rest = Self.afterElement(name, in: rest)
                } else {
                    handle(name)
                }
            } else {
                add(rest.prefix(1))
                rest = rest.dropFirst()
            }
        }
        add(rest)
    }

    private mutating func handle(_ tag: String) {
        let name = tag.hasPrefix("/") ? String(tag.dropFirst()) : tag
        let isStart = name == tag
        switch name {
        case "br": current.append(UInt8(ascii: "\n"))
        case "td", "th": current.append(UInt8(ascii: " "))
        case "li":
            endItem()
            if isStart { item = [] }
        case "ul", "ol": endList()
        case "pre":
            endBlock()
            isPreformatted = isStart
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endBlock()
            heading = isStart ? name.utf8.last.map { Int($0 - UInt8(ascii: "0")) } : nil
        case "p", "div", "dl", "dt", "dd", "blockquote", "section", "article", "header", "footer", "main", "aside",
            "nav",
            "figure", "figcaption", "table", "tr", "hr", "body", "html", "title", "form", "details", "summary":
            endBlock()
        default: break
        }
    }

    private mutating func add(_ bytes: Bytes) {
        guard !bytes.isEmpty else { return }
        let start = current.count
        CharacterReference.append(bytes, to: &current)
        guard !isPreformatted else { return }
        for index in start..<current.count where current[index] == UInt8(ascii: "\n") {
            current[index] = UInt8(ascii: " ")
        }
    }

    private mutating func endBlock() {
        defer { current.removeAll(keepingCapacity: true) }
        // Spaces that are not ASCII are looked for where there is nothing else.
        guard
            current.contains(where: { (0x21...0x7E).contains($0) })
                || String(decoding: current, as: UTF8.self).contains(where: { !$0.isWhitespace })
        else { return }
        let block: MarkupBlock =
            if isPreformatted {
                .code(language: nil, String(decoding: current, as: UTF8.self))
            } else if let heading {
                .heading(level: heading, Self.inlines(current))
            } else {
                .paragraph(Self.inlines(current))
            }
        if item == nil {
            // What follows a list outside an item ends it.
            endItems()
            blocks.append(block)
        } else {
            item?.append(block)
        }
    }

    private mutating func endItem() {
        endBlock()
        if let item, !item.isEmpty { items.append(MarkupBlock.Item(blocks: item)) }
        item = nil
    }

    private mutating func endList() {
        endItem()
        endItems()
    }

    private mutating func endItems() {
        if !items.isEmpty { blocks.append(.list(start: nil, isTight: false, items: items)) }
        items = []
    }

    private static func inlines(_ text: [UInt8]) -> [MarkupInline] {
        var inlines: [MarkupInline] = []
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 { inlines.append(.lineBreak) }
            if !line.isEmpty { inlines.append(.text(String(decoding: line, as: UTF8.self))) }
        }
        return inlines
    }
}

extension HTMLReader {
    typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// `p` of `<p class="x">`, `/p` of `</p>`, in lower case.
    static func tagName(_ tag: some Collection<UInt8>) -> String {
        let name = tag.dropFirst().prefix {
            $0 >= 0x80 || (0x30...0x39).contains($0) || isLetter($0) || $0 == 0x2F || $0 == 0x21
        }
        let lower = String(decoding: name.map { isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        return lower.utf8.count > 1 && lower.hasSuffix("/") ? String(lower.dropLast()) : lower
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Past the `>` of the tag, one inside a quoted attribute not counted; an unclosed tag ends with the text.
    private static func endOfTag(_ text: Bytes) -> Int {
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
        }
        return text.endIndex
    }

    private static func after(_ end: String, in text: Bytes) -> Bytes {
        let end = Array(end.utf8)
        for index in text.indices where text[index] == end[0] && text[index...].starts(with: end) {
            return text[index...].dropFirst(end.count)
        }
        return text[text.endIndex...]
    }

    /// Past `</name …>`, whatever its case; an element that is never closed takes the rest.
    private static func afterElement(_ name: String, in text: Bytes) -> Bytes {
        let end = Array("</\(name)".utf8)
        for index in text.indices where text[index] == end[0] {
            let candidate = text[index...].prefix(end.count)
            if candidate.elementsEqual(end, by: { $0 == $1 || ($0 | 0x20) == $1 }) {
                return text[endOfTag(text[index...])...]
            }
        }
        return text[text.endIndex...]
    }
}
