/// Text in one style, possibly part of a link.
public struct Span: Hashable, Sendable {
    /// The text, without control characters.
    public var text: String
    /// The style.
    public var style: Style = .plain
    /// The link of the text, as an index in `StyledText.links`.
    public var link: Int?
    /// A number with which the creator of the text marked it, if any.
    public var mark: Int?

    /// Creates a span.
    public init(_ text: some StringProtocol, _ style: Style = .plain, link: Int? = nil, mark: Int? = nil) {
        self.text = String(text)
        self.style = style
        self.link = link
        self.mark = mark
    }
}

/// Text laid out for a terminal: lines of spans without control characters, and their links.
public struct StyledText: Hashable, Sendable {
    /// The lines, each as spans from left to right.
    public var lines: [[Span]] = []
    /// The destinations of links in the order of first use. The link at index n is shown as `[n + 1]`.
    public var links: [String] = []

    /// Creates text from lines and links.
    public init(lines: [[Span]] = [], links: [String] = []) {
        self.lines = lines
        self.links = links
    }

    /// Creates text from a document's layout.
    public init(_ layout: MarkupLayout) {
        self.init(lines: (0..<layout.lineCount).map { layout[$0] }, links: layout.text.links.map(\.address))
    }

    /// Returns the text with a newline after each line, and with control sequences for the styles if `isColored` is
    /// true.
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
    /// The text without styles.
    public var text: String { map(\.text).joined() }

    /// The total width in columns.
    public var displayWidth: Int { reduce(0) { $0 + $1.text.displayWidth } }

    /// Adds a span. It is joined to the last span if both have the same style.
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
