extension String {
    /// The text in lines of at most `width` columns, broken at spaces. See `[Span].wrapped`.
    public func wrapped(to width: Int) -> [String] {
        [Span(self)].wrapped(to: width).map(\.text)
    }
}

extension [Span] {
    /// The spans in lines of at most `width` columns (at least two).
    ///
    /// Runs of spaces and tabs become one space and vanish at a break; a newline always breaks. A word longer than a line is cut where the
    /// line ends; between wide characters (CJK, emoji) a line may break anywhere. Nothing but white space is ever lost.
    public func wrapped(to width: Int) -> [[Span]] {
        var wrapper = Wrapper(width: Swift.max(2, width))
        for span in self {
            wrapper.add(span)
        }
        return wrapper.finish()
    }
}

/// Fills lines word by word. A word may run through several spans.
private struct Wrapper {
    let width: Int
    private var lines: [[Span]] = []
    private var line: [Span] = []
    private var column = 0
    /// The space before the word, written only if the word stays on the line.
    private var space: Span?
    private var word: [(span: Span, width: Int)] = []
    private var wordWidth = 0

    init(width: Int) {
        self.width = width
    }

    mutating func add(_ span: Span) {
        let bytes = span.text.utf8
        var start = bytes.startIndex
        while start < bytes.endIndex {
            switch bytes[start] {
            case UInt8(ascii: "\n"):
                endWord()
                endLine()
                start = bytes.index(after: start)
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                endWord()
                if space == nil { space = Span(" ", span.style, link: span.link) }
                start = bytes.index(after: start)
            default:
                let end =
                    bytes[start...].firstIndex {
                        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n")
                    }
                    ?? bytes.endIndex
                addToWord(span.text[start..<end], like: span)
                start = end
            }
        }
    }

    mutating func finish() -> [[Span]] {
        endWord()
        if !line.isEmpty { endLine() }
        return lines
    }

    private mutating func addToWord(_ text: Substring, like span: Span) {
        if text.isPrintableASCII {
            word.append((Span(text, span.style, link: span.link), text.utf8.count))
            wordWidth += text.utf8.count
            return
        }
        var narrow = ""
        var narrowWidth = 0
        for (cluster, clusterWidth) in text.cells {
            if clusterWidth < 2 {
                narrow += cluster
                narrowWidth += clusterWidth
                continue
            }
            if !narrow.isEmpty {
                word.append((Span(narrow, span.style, link: span.link), narrowWidth))
                wordWidth += narrowWidth
                narrow = ""
                narrowWidth = 0
            }
            endWord()
            word = [(Span(cluster, span.style, link: span.link), clusterWidth)]
            wordWidth = clusterWidth
            endWord()
        }
        if !narrow.isEmpty {
            word.append((Span(narrow, span.style, link: span.link), narrowWidth))
            wordWidth += narrowWidth
        }
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let gap = line.isEmpty || space == nil ? 0 : 1
        if column + gap + wordWidth > width, !line.isEmpty {
            endLine()
        } else if gap == 1, let space {
            line.add(space)
            column += 1
        }
        space = nil
        for (span, spanWidth) in word {
            if column + spanWidth <= width {
                line.add(span)
                column += spanWidth
            } else {
                addInPieces(span)
            }
        }
        word = []
        wordWidth = 0
    }

    /// Cuts a span that is longer than what is left of the line.
    private mutating func addInPieces(_ span: Span) {
        var piece = ""
        for (cluster, clusterWidth) in span.text[...].cells {
            if column + clusterWidth > width {
                line.add(Span(piece, span.style, link: span.link))
                piece = ""
                endLine()
            }
            piece += cluster
            column += clusterWidth
        }
        line.add(Span(piece, span.style, link: span.link))
    }

    private mutating func endLine() {
        lines.append(line)
        line = []
        column = 0
        space = nil
    }
}

extension Substring {
    /// The grapheme clusters with their widths; one wider than two columns is given scalar by scalar, so that each fits any line.
    fileprivate var cells: [(text: String, width: Int)] {
        var cells: [(String, Int)] = []
        for cluster in self {
            let width = cluster.displayWidth
            if width <= 2 {
                cells.append((String(cluster), width))
            } else {
                cells += cluster.unicodeScalars.map { (String($0), $0.displayWidth) }
            }
        }
        return cells
    }
}
