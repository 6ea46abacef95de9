/// The first paragraph and the length of a text. For Markdown, it is computed while the text is parsed, without a tree
/// if possible.
package struct MarkupDigest: Hashable, Sendable {
    /// The first paragraph as plain text, also one in a quotation or a list. All items of a tight list count as one
    /// paragraph. Headings, code, tables, pictures, and templates (`{% … %}`) are skipped. Empty if there is none.
    package private(set) var paragraph = ""
    /// The number of words in the whole text, including code.
    package private(set) var words = 0

    /// Reads Markdown; nil under the same conditions as ``MarkupDocument/init(markdown:)``.
    package init?(markdown: String, needsParagraph: Bool = true) {
        var markdown = markdown
        let digest = markdown.withUTF8 { bytes -> MarkupDigest? in
            let needsTree = MarkdownTree.mayNameNotes(bytes)
            let stream =
                needsTree ? nil : MarkdownReader.parse(bytes) { DigestStream($0, needsParagraph: needsParagraph) }
            if let stream, !stream.needsTree { return stream.digest }
            return MarkdownReader.parse(bytes) { MarkdownTree($0) }.map { MarkupDigest($0.document) }
        }
        guard let digest else { return nil }
        self = digest
    }

    /// Reads a document.
    package init(_ document: MarkupDocument) {
        paragraph = document.blocks.opening ?? ""
        var count = WordCount()
        count.add(document)
        words = count.words
    }

    init(paragraph: String, words: Int) {
        self.paragraph = paragraph
        self.words = words
    }
}

extension MarkupBlock {
    /// The first paragraph in the block as plain text; nil if there is none.
    var opening: String? {
        switch self {
        case .paragraph(let inlines):
            var text = ""
            inlines.addReadable(to: &text)
            let plain = text.withoutTemplates.words
            return plain.isEmpty ? nil : plain
        case .lines(let text):
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop {
                $0.utf8.allSatisfy { $0 <= 0x20 }
            }
            let first = lines.prefix { !$0.utf8.allSatisfy { $0 <= 0x20 } }
            return first.isEmpty ? nil : first.joined(separator: " ").words
        case .quote(let blocks):
            // Skip a title before the first paragraph.
            if case .paragraph(let inlines) = blocks.first, inlines.count == 1, case .strong = inlines[0],
                let opening = Array(blocks.dropFirst()).opening
            {
                return opening
            }
            return blocks.opening
        case .list(_, _, let isTight, let items):
            var openings = ""
            for item in items {
                guard let opening = item.blocks.opening else { continue }
                if !isTight { return opening }
                openings += openings.isEmpty ? opening : " " + opening
                if openings.utf8.count > 1024 { break }
            }
            return openings.isEmpty ? nil : openings
        case .heading, .code, .preformatted, .definitionList, .table, .thematicBreak: return nil
        }
    }
}

extension [MarkupBlock] {
    /// The first paragraph in the blocks. A loop, because `lazy` evaluates each block twice, which is exponential in
    /// the depth.
    var opening: String? {
        for block in self {
            if let opening = block.opening { return opening }
        }
        return nil
    }
}

extension [MarkupInline] {
    /// Appends the text without pictures and footnotes.
    fileprivate func addReadable(to text: inout String) {
        for inline in self {
            switch inline {
            case .text(let piece), .code(let piece): text += piece
            case .lineBreak: text += " "
            case .image, .footnote, .anchor: break
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .link(_, let inlines):
                inlines.addReadable(to: &text)
            case .superscript(let inlines): text += ScriptForm.superscript.text(inlines.readable)
            case .subscript(let inlines): text += ScriptForm.subscript.text(inlines.readable)
            }
        }
    }

    private var readable: String {
        var text = ""
        addReadable(to: &text)
        return text
    }
}

extension String {
    /// The text without Liquid tags, `{% … %}`.
    fileprivate var withoutTemplates: String {
        guard utf8.hasPair(where: { $0 == UInt8(ascii: "{") && $1 == UInt8(ascii: "%") }) else { return self }
        var result = ""
        var rest = self[...]
        while let start = rest.firstRange(of: "{%"), let end = rest[start.upperBound...].firstRange(of: "%}") {
            result += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// The text with each run of white space, including non-breaking spaces, as one space, and without white space at
    /// the ends.
    fileprivate var words: String {
        let isWritten = utf8.hasPair { $0 < 0x20 || $0 == 0x20 && $1 <= 0x20 || $0 == 0xC2 && $1 == 0xA0 }
        guard isWritten || utf8.first.map({ $0 <= 0x20 }) == true || utf8.last.map({ $0 <= 0x20 }) == true else {
            return self
        }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 || scalar.value == 0xA0 }
        return unicodeScalars.split(whereSeparator: isSpace).map { String($0) }.joined(separator: " ")
    }
}

extension String.UTF8View {
    /// Whether two adjacent bytes satisfy a condition.
    fileprivate func hasPair(where holds: (UInt8, UInt8) -> Bool) -> Bool {
        var previous: UInt8?
        for byte in self {
            if let previous, holds(previous, byte) { return true }
            previous = byte
        }
        return false
    }
}
