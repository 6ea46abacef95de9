import ArticleStore
public import FlowCoordinators
import Markup
public import Terminal

extension MarkupText {
    /// A document as text: its title, what to know about it, what it says. One that cannot be read is shown as the plain text that
    /// it is.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - title: What stands above it.
    ///   - isColored: Whether there are colours to tell code by.
    public init(_ document: Document, title: String, isColored: Bool) {
        self.init(
            document.format.document(of: document.body), title: title,
            facts: document.facts.map { Fact($0.label, $0.value) }, base: document.base,
            isColored: isColored)
    }
}
