import ArticleStore
import FlowCoordinators
import Terminal
import Text

/// A document in lines, as wide as they are shown.
struct DocumentLayout: Sendable {
    let width: Int
    let lines: [[Span]]
    /// Where the links lead; the one at index n is shown as `[n + 1]`.
    let links: [String]
    /// The scalars of text before each line: an offset that holds at any width. White space and rules are no text, and a line without any is at the
    /// end of the text before it.
    private let offsets: [Int]
    private let source: (title: String, facts: [Document.Fact], body: String, format: Article.Format)

    init(title: String, _ document: Document, width: Int) {
        let textWidth = min(120, max(20, width))
        // The title of the screen is heading enough where it is not cut.
        let isTitleSeen = title.sanitized().displayWidth <= width - 8
        let text = StyledText(document, title: isTitleSeen ? nil : title, width: textWidth)
        let lines = text.lines.flatMap { $0.folded(at: width) }
        self.width = width
        self.lines = lines
        links = text.links
        source = (title, document.facts, document.body, document.format)
        var offset = 0
        offsets = lines.map { line in
            let length = line.reduce(0) { $1.text.unicodeScalars.reduce($0) { $0 + ($1.isText ? 1 : 0) } }
            defer { offset += length }
            return length == 0 ? offset - 1 : offset
        }
    }

    /// Whether this is the layout of that document at that width.
    func isLayout(title: String, _ document: Document, width: Int) -> Bool {
        self.width == width && source.title == title && source.facts == document.facts
            && source.body == document.body && source.format == document.format
    }

    func offset(ofLine line: Int) -> Int { offsets.indices.contains(line) ? offsets[line] : offsets.last ?? 0 }

    /// The line that the text at the offset is in.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = offsets.count
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// Columns of a line where `query` is found.
    func matches(of query: FoldedText, inLine line: Int) -> [Range<Int>] {
        guard !query.bytes.isEmpty, lines.indices.contains(line) else { return [] }
        let text = lines[line].text
        let folded = FoldedText(text)
        var ranges: [Range<Int>] = []
        var start = 0
        while let range = folded.range(of: query, from: start) {
            ranges.append(range)
            start = range.upperBound
        }
        guard !ranges.isEmpty else { return [] }
        // From bytes of the folded text to columns.
        var columns: [Int] = []
        var column = 0
        for cluster in text {
            columns += repeatElement(column, count: cluster.lowercased().utf8.count)
            column += cluster.displayWidth
        }
        columns.append(column)
        return ranges.compactMap { range in
            guard range.upperBound < columns.count else { return nil }
            // The end of what was found is the start of the cluster after it.
            return columns[range.lowerBound]..<max(columns[range.lowerBound] + 1, columns[range.upperBound])
        }
    }

    /// The first line at or after `start` (at or before it, backwards) where `query` is found, going on at the other end.
    func line(with query: FoldedText, from start: Int, backwards: Bool = false) -> Int? {
        guard !query.bytes.isEmpty, !lines.isEmpty else { return nil }
        for distance in 0..<lines.count {
            let index = (start + (backwards ? lines.count - distance : distance) + lines.count) % lines.count
            if FoldedText(lines[index].text).contains(query) { return index }
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Whether it was in the document: spaces and lines that are drawn come and go with the width.
    fileprivate var isText: Bool { self != " " && !(0x2500..<0x2580).contains(value) }
}

extension [Span] {
    /// The line cut in pieces of at most `width` columns, so that long code is not lost at the edge.
    fileprivate func folded(at width: Int) -> [[Span]] {
        guard width > 1, displayWidth > width else { return [self] }
        var lines: [[Span]] = []
        var line: [Span] = []
        var column = 0
        for span in self {
            var piece = ""
            for cluster in span.text {
                if column + cluster.displayWidth > width {
                    line.add(Span(piece, span.style, link: span.link))
                    piece = ""
                    lines.append(line)
                    line = []
                    column = 0
                }
                piece.append(cluster)
                column += cluster.displayWidth
            }
            line.add(Span(piece, span.style, link: span.link))
        }
        return lines + [line]
    }
}
