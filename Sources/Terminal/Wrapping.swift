extension String {
    /// Returns the text in lines of at most `width` columns, broken at spaces. See `[Span].wrapped`.
    public func wrapped(to width: Int) -> [String] {
        [Span(self)].wrapped(to: width).map(\.text)
    }
}

extension [Span] {
    /// Returns the spans in lines of at most `width` columns (at least two).
    ///
    /// Runs of spaces and tabs become one space and are dropped at a break. A newline always breaks. A word that is
    /// longer than a line is broken where the line is full. Next to wide characters (CJK, emoji), a line may break
    /// anywhere except before closing or after opening punctuation. Only white space and soft hyphens are dropped.
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
