import ArticleStore
public import FlowCoordinators
import Markup
public import Terminal

extension Document {
    /// The lists that facts link to, by the marks of their text.
    var lists: [ArticleQuery] { facts.flatMap { $0.parts.compactMap(\.list) } }
}

extension MarkupText {
    /// Creates text from a document: title, facts, and body. A body that cannot be parsed is shown as plain text.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - title: the title above the document.
    ///   - isColored: whether code is highlighted with colors.
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
