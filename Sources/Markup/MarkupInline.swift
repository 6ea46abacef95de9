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
    /// What stands above the line, as an exponent does.
    case superscript([MarkupInline])
    /// What stands below the line, as an index does.
    case `subscript`([MarkupInline])
    /// A name or a piece of code. It holds nothing else: a link of which the text is code is a link that holds it.
    case code(String)
    /// What leads somewhere. There is no link in it.
    case link(destination: String, [MarkupInline])
    /// A picture, and what is said of it where it is not seen.
    case image(source: String, alternative: String)
    /// The mark of a footnote: the number, from 1, of its text among ``MarkupDocument/footnotes``.
    case footnote(number: Int)
    /// A place that links lead to by this name, with nothing to see.
    case anchor(name: String)
}

extension [MarkupInline] {
    /// The text alone. Of a footnote's mark there is none.
    public var text: String {
        reduce(into: "") { text, inline in
            switch inline {
            case .text(let piece), .code(let piece), .image(_, let piece): text += piece
            case .lineBreak: text += "\n"
            case .emphasis(let inlines), .strong(let inlines), .strikethrough(let inlines), .superscript(let inlines),
                .subscript(let inlines), .link(_, let inlines):
                text += inlines.text
            case .footnote, .anchor: break
            }
        }
    }
}
