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
