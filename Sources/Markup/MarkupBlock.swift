/// A block of a document.
public indirect enum MarkupBlock: Hashable, Sendable {
    /// Running text.
    case paragraph([MarkupInline])
    /// A heading, of level 1 to 6, with the name that its author gave it for links to lead to.
    case heading(level: Int, id: String? = nil, [MarkupInline])
    /// Code as it was written, its lines separated by line feeds and none after the last, in the language that its author
    /// named.
    case code(language: String?, String)
    /// Text in which white space counts, and which holds links or pictures; without any it is ``code(language:_:)``.
    case preformatted([MarkupInline])
    /// Text of which nothing but its lines is known.
    case lines(String)
    /// A quotation.
    case quote([MarkupBlock])
    /// A list; numbered in this style where it has a start, and without room between its items where it is tight.
    case list(start: Int?, style: NumberStyle = .decimal, isTight: Bool, items: [Item])
    /// Terms and what they mean.
    case definitionList([Definition])
    /// A table. Each row has the cells that the header has, and there are as many alignments: where a row was written with
    /// more, the header and the other rows have empty ones.
    case table(alignments: [Alignment], header: [[MarkupInline]], rows: [[[MarkupInline]]])
    /// A rule between sections.
    case thematicBreak

    /// An item of a list.
    public struct Item: Hashable, Sendable {
        /// Whether the task is done; nil where the item is none.
        public var isDone: Bool?
        /// Its number, if it is not the one after that of the item before; see ``numbers(from:of:)``.
        public var number: Int?
        /// What is in it.
        public var blocks: [MarkupBlock]

        /// An item of these blocks.
        public init(isDone: Bool? = nil, number: Int? = nil, blocks: [MarkupBlock]) {
            self.isDone = isDone
            self.number = number
            self.blocks = blocks
        }

        /// The numbers of the items of a list that starts with a number.
        public static func numbers(from start: Int, of items: [Item]) -> [Int] {
            var next = start
            return items.map { item in
                let number = item.number ?? next
                next = number &+ 1
                return number
            }
        }
    }

    /// How the numbers of a list are written.
    public enum NumberStyle: String, Hashable, Sendable {
        case decimal = "1"
        case lowercaseLetters = "a"
        case uppercaseLetters = "A"
        case lowercaseRoman = "i"
        case uppercaseRoman = "I"

        /// A number in this style; in digits if the style has no form for it.
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

    /// Terms that mean the same, and what they mean.
    public struct Definition: Hashable, Sendable {
        /// The terms, each of running text.
        public var terms: [[MarkupInline]]
        /// What they mean; each of several definitions in blocks of its own.
        public var definitions: [[MarkupBlock]]

        /// A definition of these terms.
        public init(terms: [[MarkupInline]], definitions: [[MarkupBlock]]) {
            self.terms = terms
            self.definitions = definitions
        }
    }

    /// Where the cells of a column stand.
    public enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }
}

extension MarkupBlock {
    /// The text alone.
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
    /// The text alone, a line a block.
    public var text: String { map(\.text).joined(separator: "\n") }
}
