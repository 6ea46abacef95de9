/// A piece of text in one style, perhaps part of a link.
struct Span: Hashable, Sendable {
    var text: String
    var style: Style = .plain
    /// Where the text leads: a place in `StyledText.links`.
    var link: Int?

    init(_ text: some StringProtocol, _ style: Style = .plain, link: Int? = nil) {
        self.text = String(text)
        self.style = style
        self.link = link
    }
}

/// Text laid out for a terminal: lines of spans that hold no control characters, and the links that they name.
struct StyledText: Hashable, Sendable {
    var lines: [[Span]] = []
    /// Destinations, in the order of first use. The one at place n is shown as `[n + 1]`.
    var links: [String] = []

    /// The text with a newline after each line, and control sequences for the styles where `isColored`.
    func rendered(isColored: Bool) -> String {
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
    var text: String { map(\.text).joined() }

    /// Columns that the spans take side by side.
    var displayWidth: Int { reduce(0) { $0 + $1.text.displayWidth } }

    /// Adds a span, joined to the last one where they look alike.
    mutating func add(_ span: Span) {
        guard !span.text.isEmpty else { return }
        if let last = indices.last, self[last].style == span.style, self[last].link == span.link {
            self[last].text += span.text
        } else {
            append(span)
        }
    }
}
