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
    /// line ends; beside wide characters (CJK, emoji) a line may break anywhere but where punctuation would be torn off. Nothing but white
    /// space and soft hyphens is ever lost.
    public func wrapped(to width: Int) -> [[Span]] {
        let text = MarkupText(running: self)
        let range = text.bytes.indices
        var lines: [[Span]] = []
        text.withBreaker(for: range) { breaker in
            breaker.breakProse(range, width: Swift.max(2, width)) { lines.append(text.spans($0)) }
        }
        return lines
    }
}
