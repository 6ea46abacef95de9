/// A piece of running text.
public indirect enum MarkupInline: Hashable, Sendable {
    /// Text, as it was written: it may hold any character, so make it harmless for where it is shown.
    case text(String)
    /// A line ends here because it was asked for.
    case lineBreak
    /// What is stressed.
    case emphasis([MarkupInline])
    /// What is important.
    case strong([MarkupInline])
    /// What does not hold any more.
    case strikethrough([MarkupInline])
    /// A name or a piece of code.
    case code([MarkupInline])
    /// What leads somewhere.
    case link(destination: String, [MarkupInline])
    /// A picture, and what is said of it where it is not seen.
    case image(source: String, [MarkupInline])
}

extension [MarkupInline] {
    /// The text alone.
    public var text: String {
        reduce(into: "") { text, inline in
            switch inline {
            case .text(let piece): text += piece
            case .lineBreak: text += "\n"
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .code(let inlines),
                .link(_, let inlines), .image(_, let inlines):
                text += inlines.text
            }
        }
    }
}
