import CMarkdown

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

    /// Computes the digest of a document.
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

/// Makes the digest of a Markdown text from md4c's events. It builds the tree only up to the first paragraph, and
/// counts words.
final class DigestStream: MarkdownReceiver {
    var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0) {
        didSet { tree?.source = source }
    }
    /// Whether the events are not enough and the tree is required: for HTML in the text, and for syntax that md4c does
    /// not support.
    private(set) var needsTree: Bool
    var isDone: Bool { needsTree }

    /// The same limits as those of the tree. Otherwise the digest of a text could depend on whether the tree is used.
    private var limits = MarkdownLimits()
    private var tree: MarkdownTree?
    private var paragraph: String?
    private var count = WordCount()
    /// The number of open blocks, without the document.
    private var depth = 0
    private var isHeading = false

    init(_ rewritten: MarkdownSource?, needsParagraph: Bool) {
        needsTree = rewritten?.hasExtensions == true
        if needsParagraph { tree = MarkdownTree(rewritten) }
    }

    var digest: MarkupDigest { MarkupDigest(paragraph: paragraph ?? "", words: count.words) }

    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        if type == MD_BLOCK_HTML { needsTree = true }
        guard !needsTree, limits.allows(type, detail) else { return -1 }
        count.endWord()
        if type != MD_BLOCK_DOC { depth += 1 }
        if type == MD_BLOCK_H { isHeading = true }
        return tree?.enter(type, detail) ?? 0
    }

    func leave(_ type: MD_BLOCKTYPE) -> Int32 {
        count.endWord()
        isHeading = false
        guard type != MD_BLOCK_DOC else { return 0 }
        depth -= 1
        guard let tree else { return 0 }
        let status = tree.leave(type)
        if depth == 0, let opening = tree.removeOpening() {
            paragraph = opening
            self.tree = nil
        }
        return status
    }

    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        guard limits.allows(type, detail) else { return -1 }
        return tree?.enter(type, detail) ?? 0
    }

    func leave(_ type: MD_SPANTYPE) -> Int32 { tree?.leave(type) ?? 0 }

    func add(_ type: MD_TEXTTYPE, _ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard limits.allows(bytes: text.count) else { return -1 }
        switch type {
        case MD_TEXT_HTML: needsTree = true
        case MD_TEXT_BR, MD_TEXT_SOFTBR: count.endWord()
        case MD_TEXT_ENTITY:
            let reference = String(decoding: text, as: UTF8.self)
            count.add(CharacterReference.decoded(reference) ?? reference)
        default:
            count.add(text)
            // It may be the name of the heading (`{#name}`), which is not part of the text.
            if isHeading, text.last == UInt8(ascii: "}") { needsTree = true }
        }
        return needsTree ? -1 : tree?.add(type, text) ?? 0
    }
}

/// Counts words. A word is a run without white space. In Chinese and Japanese, which do not separate words, two
/// characters count as one.
struct WordCount {
    private var starts = 0
    private var ideographs = 0
    private var previous: UInt8 = 0x20

    /// The number of words so far.
    var words: Int { starts + ideographs / 2 }

    /// Separates the next text from the last word.
    mutating func endWord() { previous = 0x20 }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        var starts = starts
        var ideographs = ideographs
        var previous = previous
        for byte in text {
            starts &+= previous <= 0x20 && byte > 0x20 ? 1 : 0
            // The first byte of U+3000 to U+DFFF, which contains the scripts without spaces.
            ideographs &+= byte >= 0xE3 && byte <= 0xED ? 1 : 0
            previous = byte
        }
        self.starts = starts
        self.ideographs = ideographs
        self.previous = previous
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add($0) }
    }

    /// Adds all text of a document, including its footnotes and the descriptions of its pictures.
    mutating func add(_ document: MarkupDocument) {
        add(document.blocks)
        for note in document.footnotes { add(note) }
    }

    private mutating func add(_ blocks: [MarkupBlock]) {
        for block in blocks {
            endWord()
            switch block {
            case .paragraph(let inlines), .heading(_, _, let inlines), .preformatted(let inlines): add(inlines)
            case .code(_, let text), .lines(let text): add(text)
            case .quote(let blocks): add(blocks)
            case .list(_, _, _, let items): for item in items { add(item.blocks) }
            case .definitionList(let definitions):
                for definition in definitions {
                    for term in definition.terms { add(block: term) }
                    for blocks in definition.definitions { add(blocks) }
                }
            case .table(_, let header, let rows):
                for cell in header { add(block: cell) }
                for row in rows {
                    for cell in row { add(block: cell) }
                }
            case .thematicBreak: break
            }
        }
        endWord()
    }

    private mutating func add(block inlines: [MarkupInline]) {
        endWord()
        add(inlines)
    }

    private mutating func add(_ inlines: [MarkupInline]) {
        for inline in inlines {
            switch inline {
            case .text(let text), .code(let text), .image(_, let text): add(text)
            case .lineBreak: endWord()
            case .footnote, .anchor: break
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .superscript(let inlines),
                .subscript(let inlines), .link(_, let inlines):
                add(inlines)
            }
        }
    }
}
