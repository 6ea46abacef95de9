import ArticleStore
public import FlowCoordinators
import Markup
public import Terminal

extension Document {
    /// The lists that facts lead to, by the marks of their text.
    var lists: [ArticleQuery] { facts.flatMap { $0.parts.compactMap(\.list) } }
}

extension MarkupText {
    /// A document as text: its title, its facts, and its body. A body that cannot be parsed is shown as the plain text that
    /// it is.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - title: The title above the document.
    ///   - isColored: Whether there are colours to tell code by.
    public init(_ document: Document, title: String, isColored: Bool) {
        var count = 0
        let facts = document.facts.map { fact in
            Fact(
                fact.label,
                fact.parts.map { part in
                    defer { if part.list != nil { count += 1 } }
                    return Fact.Part(part.text, mark: part.list.map { _ in count })
                })
        }
        self.init(
            document.format.document(of: document.body), title: title,
            facts: facts, base: document.base,
            isColored: isColored)
    }
}
