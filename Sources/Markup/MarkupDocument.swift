/// A document as a tree that is independent of the markup language.
///
/// Reading does not load resources or run scripts. The tree contains the original text, including control characters.
public struct MarkupDocument: Hashable, Sendable {
    /// The blocks in document order.
    public var blocks: [MarkupBlock]
    /// The texts of the footnotes as blocks, in the order in which the text first refers to them.
    public var footnotes: [[MarkupBlock]]

    /// Creates a document.
    public init(blocks: [MarkupBlock], footnotes: [[MarkupBlock]] = []) {
        self.blocks = blocks
        self.footnotes = footnotes
    }

    /// Reads CommonMark with GitHub's tables, task lists, strikethrough (two tildes), and bare links; footnotes;
    /// definition lists (`: …` below a term); `^superscript^` and `~subscript~`; and names of headings (`{#name}`).
    /// HTML in it is read as by ``init(html:)``.
    ///
    /// Nil if the text has more than 4 MiB or is malicious. Treat it as plain text then.
    public init?(markdown: String) {
        guard let document = MarkdownReader.document(of: markdown) else { return nil }
        self = document
    }

    /// Reads HTML as browsers do, and keeps the readable content: text and its structure, links, descriptions of
    /// pictures, and links to media (`video`, `audio`, `iframe`, `embed`, `object`). Scripts, styles, forms, and hidden
    /// elements are dropped.
    ///
    /// For a text of more than 16 MiB, or a malicious one (elements nested more than 1,024 deep), the document is the
    /// text without tags, line by line.
    public init(html: String) {
        self = HTMLReader.page(html)?.document ?? MarkupDocument(plain: HTMLReader.tagless(html))
    }

    /// Creates a document from plain text, line by line.
    public init(plain text: String) { self.init(blocks: text.isEmpty ? [] : [.lines(text)]) }
}

/// A block of a document.
public indirect enum MarkupBlock: Hashable, Sendable {
    /// Running text.
    case paragraph([MarkupInline])
    /// A heading of level 1 to 6, with the name that its author assigned as a link target.
    case heading(level: Int, id: String? = nil, [MarkupInline])
    /// Code as it was written, with line feeds between lines and none at the end, and the language that the author
    /// stated.
    case code(language: String?, String)
    /// Text with significant white space that contains links or pictures. Without those it is ``code(language:_:)``.
    case preformatted([MarkupInline])
    /// Plain text of which only the lines are known.
    case lines(String)
    /// A quotation.
    case quote([MarkupBlock])
    /// A list. It is numbered in this style if it has a start. A tight list does not have space between its items.
    case list(start: Int?, style: NumberStyle = .decimal, isTight: Bool, items: [Item])
    /// Terms and their definitions.
    case definitionList([Definition])
    /// A table. All rows and the header have the same number of cells, which is the number of alignments: short rows
    /// are filled with empty cells.
    case table(alignments: [Alignment], header: [[MarkupInline]], rows: [[[MarkupInline]]])
    /// A rule between sections.
    case thematicBreak

    /// An item of a list.
    public struct Item: Hashable, Sendable {
        /// Whether the task is done; nil if the item is not a task.
        public var isDone: Bool?
        /// Its number, if it does not follow that of the previous item; see ``numbers(from:of:)``.
        public var number: Int?
        /// The content.
        public var blocks: [MarkupBlock]

        /// Creates an item.
        public init(isDone: Bool? = nil, number: Int? = nil, blocks: [MarkupBlock]) {
            self.isDone = isDone
            self.number = number
            self.blocks = blocks
        }

        /// Returns the numbers of the items of a list with this start.
        public static func numbers(from start: Int, of items: [Item]) -> [Int] {
            var next = start
            return items.map { item in
                let number = item.number ?? next
                next = number &+ 1
                return number
            }
        }
    }

    /// The style of a list's numbers.
    public enum NumberStyle: String, Hashable, Sendable {
        case decimal = "1"
        case lowercaseLetters = "a"
        case uppercaseLetters = "A"
        case lowercaseRoman = "i"
        case uppercaseRoman = "I"

        /// Returns a number in this style, or in digits if the style cannot represent it.
        public func text(of number: Int) -> String {
            switch self {
            case .decimal: String(number)
            case .lowercaseLetters: Self.letters(number)?.lowercased() ?? String(number)
            case .uppercaseLetters: Self.letters(number) ?? String(number)
            case .lowercaseRoman: Self.roman(number)?.lowercased() ?? String(number)
            case .uppercaseRoman: Self.roman(number) ?? String(number)
            }
        }

        private static func letters(_ number: Int) -> String? {
            guard number > 0 else { return nil }
            var letters: [UInt8] = []
            var rest = number
            while rest > 0 {
                letters.append(UInt8(ascii: "A") + UInt8((rest - 1) % 26))
                rest = (rest - 1) / 26
            }
            return String(decoding: letters.reversed(), as: UTF8.self)
        }

        private static func roman(_ number: Int) -> String? {
            guard (1..<4000).contains(number) else { return nil }
            var rest = number
            var text = ""
            for (value, sign) in [
                (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
                (10, "X"),
                (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
            ] {
                while rest >= value {
                    text += sign
                    rest -= value
                }
            }
            return text
        }
    }

    /// Terms with the same meaning, and their definitions.
    public struct Definition: Hashable, Sendable {
        /// The terms as running text.
        public var terms: [[MarkupInline]]
        /// The definitions. Each consists of blocks.
        public var definitions: [[MarkupBlock]]

        /// Creates a definition.
        public init(terms: [[MarkupInline]], definitions: [[MarkupBlock]]) {
            self.terms = terms
            self.definitions = definitions
        }
    }

    /// The alignment of the cells in a column.
    public enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }
}

extension MarkupBlock {
    /// The text without markup.
    public var text: String {
        switch self {
        case .paragraph(let inlines), .heading(_, _, let inlines), .preformatted(let inlines): inlines.text
        case .code(_, let text), .lines(let text): text
        case .quote(let blocks): blocks.text
        case .list(_, _, _, let items): items.map(\.blocks.text).joined(separator: "\n")
        case .definitionList(let definitions):
            definitions.flatMap { $0.terms.map(\.text) + $0.definitions.map(\.text) }.joined(separator: "\n")
        case .table(_, let header, let rows):
            ([header] + rows).map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n")
        case .thematicBreak: ""
        }
    }
}

extension [MarkupBlock] {
    /// The text without markup, one line per block.
    public var text: String { map(\.text).joined(separator: "\n") }
}

/// A piece of running text.
public indirect enum MarkupInline: Hashable, Sendable {
    /// Text as it was written. It may contain any character, so escape it for the output.
    case text(String)
    /// An explicit line break.
    case lineBreak
    /// Emphasized text.
    case emphasis([MarkupInline])
    /// Strongly emphasized text.
    case strong([MarkupInline])
    /// Text that is no longer valid.
    case strikethrough([MarkupInline])
    /// Text above the line, such as an exponent.
    case superscript([MarkupInline])
    /// Text below the line, such as an index.
    case `subscript`([MarkupInline])
    /// Inline code. It contains only text: if the text of a link is code, the code is inside the link.
    case code(String)
    /// A link. It does not contain other links.
    case link(destination: String, [MarkupInline])
    /// A picture, and its description.
    case image(source: String, alternative: String)
    /// A reference to a footnote: the number of its text in ``MarkupDocument/footnotes``, from 1.
    case footnote(number: Int)
    /// An invisible target for links with this name.
    case anchor(name: String)
}

extension [MarkupInline] {
    /// The text without markup and footnote references.
    public var text: String {
        reduce(into: "") { text, inline in
            switch inline {
            case .text(let piece), .code(let piece), .image(_, let piece): text += piece
            case .lineBreak: text += "\n"
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .superscript(let inlines),
                .subscript(let inlines), .link(_, let inlines):
                text += inlines.text
            case .footnote, .anchor: break
            }
        }
    }
}
