/// A block of a parsed Markdown document. Text is in spans that are not wrapped yet; a newline in one is a hard break.
indirect enum MarkdownBlock: Hashable, Sendable {
    case paragraph([Span])
    case heading(level: Int, [Span])
    case code(String)
    case quote([MarkdownBlock])
    case list(start: Int?, isTight: Bool, items: [Item])
    case table(alignments: [Alignment], header: [[Span]], rows: [[[Span]]])
    case thematicBreak

    /// An item of a list; `isDone` is there for a task.
    struct Item: Hashable, Sendable {
        var isDone: Bool?
        var blocks: [MarkdownBlock]
    }

    enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }
}
