/// A piece of text in one style, perhaps part of a link.
public struct Span: Hashable, Sendable {
    /// The text, without control characters.
    public var text: String
    /// How it looks.
    public var style: Style = .plain
    /// The link of the text, as an index in `StyledText.links`.
    public var link: Int?
    /// The mark that the maker of the text gave it, if any.
    public var mark: Int?

    /// A piece of text.
    public init(_ text: some StringProtocol, _ style: Style = .plain, link: Int? = nil, mark: Int? = nil) {
        self.text = String(text)
        self.style = style
        self.link = link
        self.mark = mark
    }
}

/// Text laid out for a terminal: lines of spans that hold no control characters, and the links that they name.
public struct StyledText: Hashable, Sendable {
    /// The lines, each its spans from left to right.
    public var lines: [[Span]] = []
    /// Destinations, in the order of first use. The one at index n is shown as `[n + 1]`.
    public var links: [String] = []

    /// Lines, and the links in them.
    public init(lines: [[Span]] = [], links: [String] = []) {
        self.lines = lines
        self.links = links
    }

    /// A document as it is laid out.
    public init(_ layout: MarkupLayout) {
        self.init(lines: (0..<layout.lineCount).map { layout[$0] }, links: layout.text.links.map(\.address))
    }

    /// The text with a newline after each line, and control sequences for the styles where `isColored`.
    public func rendered(isColored: Bool) -> String {
        var result = ""
        for line in lines {
            for span in line {
                result += span.text.styled(span.style, isColored: isColored)
            }
            result += "\n"
        }
        return result
    }
}

extension [Span] {
    /// The text alone.
    public var text: String { map(\.text).joined() }

    /// Columns that the spans take side by side.
    public var displayWidth: Int { reduce(0) { $0 + $1.text.displayWidth } }

    /// Adds a span, joined to the last one where they look alike.
    public mutating func add(_ span: Span) {
        guard !span.text.isEmpty else { return }
        if let last = indices.last, self[last].style == span.style, self[last].link == span.link,
            self[last].mark == span.mark
        {
            self[last].text += span.text
        } else {
            append(span)
        }
    }
}
