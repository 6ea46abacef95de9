import ArticleStore
public import FlowCoordinators
public import Terminal
import Text

extension StyledText {
    /// A document laid out for a terminal: its title, what to know about it, its text.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - title: What stands above it; nil where that is seen elsewhere.
    ///   - width: Columns of a line at most.
    public init(_ document: Document, title: String?, width: Int) {
        self.init(lines: title.map { [Span($0.sanitized(), .bold)].wrapped(to: width) } ?? [])
        let labelWidth = (document.facts.map(\.label.displayWidth).max() ?? 0) + 2
        for fact in document.facts {
            let values = [Span(fact.value.sanitized())].wrapped(to: width - labelWidth)
            for (index, value) in values.enumerated() {
                let label = index == 0 ? fact.label.sanitized() + ":" : ""
                lines.append([Span(label.padded(to: labelWidth), .dim)] + value)
            }
        }
        guard !document.body.isEmpty else { return }
        lines.append([])
        let body =
            switch document.format {
            case .markdown: StyledText(markdown: document.body, width: width)
            case .html: StyledText(html: document.body, width: width)
            case .plain: StyledText(plain: document.body, width: width)
            }
        lines += body.lines
        links = body.links
    }
}
