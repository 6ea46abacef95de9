public import Markup
import Text

/// A document as text with styles, ready to be laid out at any width: what does not depend on the width is done once.
///
/// It holds no control characters, whatever the document held. Links are numbered in the text and listed below it.
public struct MarkupText: Sendable {
    /// A link of the document.
    public struct Link: Hashable, Sendable {
        /// The destination as the document has it.
        public var destination: String
        /// The address that is shown for it, whole where it is known what it is relative to.
        public var address: String
    }

    /// A fact about a document, shown above it.
    public struct Fact: Hashable, Sendable {
        /// The name of the fact.
        public var label: String
        /// The values of the fact.
        public var parts: [Part]

        /// A value of a fact.
        public struct Part: Hashable, Sendable {
            /// The text of the value.
            public var text: String
            /// The mark of its spans, from 0 on, if they have one.
            public var mark: Int?

            /// A part of a fact.
            public init(_ text: String, mark: Int? = nil) {
                self.text = text
                self.mark = mark
            }
        }

        /// A fact.
        public init(_ label: String, _ value: String) { self.init(label, [Part(value)]) }

        /// A fact of several parts, which are told with commas between them.
        public init(_ label: String, _ parts: [Part]) {
            self.label = label
            self.parts = parts
        }
    }

    /// The links of the document in the order of first use. The link at index n is shown as `[n + 1]`.
    public internal(set) var links: [Link] = []
    /// Whether there are colours to tell code by.
    public let isColored: Bool
    /// The text of all passages, one after the other, in UTF-8.
    var bytes: [UInt8] = []
    /// The styles of the text, from its start to its end.
    var runs: [Run] = []
    /// The passages, from top to bottom.
    var passages: [Passage] = []
    /// The margins at the left of passages.
    var margins: [Margin] = []
    var tables: [MarkupTable] = []
    /// The texts of the cells of all tables, as ranges of ``bytes``.
    var cells: [Range<Int>] = []
    /// The headings, in their order.
    public internal(set) var outline: [Heading] = []
    /// The passages of the headings and of other places, by the names that links lead to.
    var headings: [String: Int] = [:]
    /// The first passages of the footnotes, in the order of their numbers.
    var notes: [Int] = []
    /// How many footnotes the document has.
    public var noteCount: Int { notes.count }

    /// A heading of a document.
    public struct Heading: Hashable, Sendable {
        /// How deep it is, from 1 on.
        public let level: Int
        /// The heading in one line.
        public let title: String
        /// The passage that it is.
        let passage: Int
    }

    /// Text in one style, from where the one before ends.
    struct Run {
        var end: UInt32
        /// An index in ``links``, or -1; or -2 and less for the marks of facts.
        var link: Int32
        var style: Style

        /// The number that stands for the mark of a fact.
        static func link(ofMark mark: Int) -> Int32 { Int32(clamping: -2 - mark) }
        /// The mark of a fact.
        var mark: Int? { link < -1 ? -2 - Int(link) : nil }
    }

    /// A piece of a document that is laid out by itself.
    struct Passage {
        enum Kind: UInt8 {
            case title
            case prose
            /// With a rule beneath, of `level` 1 or 2.
            case majorHeading, minorHeading
            /// Code, of which a long line is broken with a mark.
            case code
            /// Lines that are broken where they are too long.
            case lines
            /// A rule between sections.
            case thematicBreak
            /// A rule between the text and what belongs to it.
            case divider
            case tableRow
        }

        var kind: Kind
        /// The range of its text in ``MarkupText/bytes``.
        var start: UInt32
        var end: UInt32
        /// An index in ``MarkupText/margins``; -1 where it stands at the left edge.
        var margin: Int32
        /// The margin beside the empty line before it, if there is one.
        var gap: Int32?
        /// How many scalars that are not white space come before it.
        var ink: UInt32
        /// An index in ``MarkupText/tables``.
        var table: UInt32 = 0

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// The margin of the passages within a quotation or a list item.
    struct Margin {
        enum Kind: UInt8 {
            /// At every line.
            case bar
            /// At the first line, with room for it at the others.
            case mark
            /// Room alone, more where there is more.
            case indent
        }

        var kind: Kind
        /// The margin to the left of it, or -1.
        var parent: Int32
        var width: UInt16
        var text: String
        /// The passage that has the mark.
        var firstPassage: UInt32
    }
}

extension MarkupText {
    init(isColored: Bool) { self.isColored = isColored }

    /// A document as text.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - title: The title above the document.
    ///   - facts: The facts between the title and the document.
    ///   - base: The address that links without a scheme are relative to.
    ///   - isColored: Whether there are colours to tell code by. Without them characters do.
    public init(
        _ document: MarkupDocument, title: String = "", facts: [Fact] = [], base: String? = nil, isColored: Bool = true
    ) {
        var builder = MarkupTextBuilder(isColored: isColored, base: base)
        builder.add(title: title)
        builder.add(facts)
        builder.add(document)
        self = builder.text
    }

    /// Spans as running text.
    init(running spans: [Span]) {
        var builder = MarkupTextBuilder(isColored: true)
        builder.add(spans)
        self = builder.text
    }

    /// The passage that text at an offset of ``bytes`` is in.
    func passage(at offset: Int) -> Int { max(0, passages.prefixCount { $0.start <= offset } - 1) }

    /// Returns the passage of the heading with a name, which is percent-encoded as in an address. A name that differs only in case
    /// matches too.
    func passage(ofHeading name: Substring) -> Int? {
        let name = name.percentDecoded
        let passage = headings[name] ?? headings.first { $0.key.lowercased() == name.lowercased() }?.value
        // A place at the end has nothing after it.
        return passage.map { min($0, passages.count - 1) }
    }

    /// Calls `body` with what divides a piece of the text into lines.
    func withBreaker<Result>(for range: Range<Int>, _ body: (LineBreaker) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            if UnsafeBufferPointer(rebasing: bytes[range]).isScalarByScalar { return body(LineBreaker(bytes)) }
            return body(LineBreaker(bytes, clusters: ClusterCells(bytes, spans: runs(range).map(\.range))))
        }
    }

    /// The pieces of a piece of the text that are of one style.
    private func runs(_ range: Range<Int>) -> [(run: Run, range: Range<Int>)] {
        var pieces: [(Run, Range<Int>)] = []
        var offset = range.lowerBound
        var index = runs.prefixCount { $0.end <= offset }
        while offset < range.upperBound, index < runs.count {
            let end = min(Int(runs[index].end), range.upperBound)
            pieces.append((runs[index], offset..<end))
            offset = end
            index += 1
        }
        return pieces
    }

    /// A piece of the text, each of its styles as a span.
    func spans(_ range: Range<Int>) -> [Span] {
        runs(range).map { run, range in
            Span(
                String(decoding: bytes[range], as: UTF8.self), run.style, link: run.link < 0 ? nil : Int(run.link),
                mark: run.mark)
        }
    }
}

extension [UInt8] {
    /// How many scalars of a piece of text are not white space.
    func ink(in range: Range<Int>) -> Int {
        withUnsafeBufferPointer { bytes in
            bytes[range].reduce(0) { $0 + ($1.isInk ? 1 : 0) }
        }
    }

    /// Returns the start of the scalar that has `ink` scalars other than white space before it, or the end of the range.
    func place(ofInk ink: Int, in range: Range<Int>) -> Int {
        withUnsafeBufferPointer { bytes in
            var rest = ink
            for place in range where bytes[place].isInk {
                if rest == 0 { return place }
                rest -= 1
            }
            return range.upperBound
        }
    }
}

extension RandomAccessCollection {
    /// How many elements something holds for, where it holds for none after one that it does not hold for.
    func prefixCount(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[index(startIndex, offsetBy: middle)]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension UInt8 {
    /// Whether a scalar begins with the byte that is not white space.
    fileprivate var isInk: Bool { self > 0x20 && self & 0xC0 != 0x80 }
}
