/// A piece of running text.
public indirect enum MarkupInline: Hashable, Sendable {
    /// Text as it was written. It may contain any character, so escape it for the output.
    case text(String)
    /// An explicit line break.
    case lineBreak
    /// Emphasized text.
    case emphasis([MarkupInline])
    /// Strongly emphasized text.
    case strong([MarkupInline])
    /// Text that is no longer valid.
    case strikethrough([MarkupInline])
    /// Text above the line, such as an exponent.
    case superscript([MarkupInline])
    /// Text below the line, such as an index.
    case `subscript`([MarkupInline])
    /// Inline code. It contains only text: if the text of a link is code, the code is inside the link.
    case code(String)
    /// A link. It does not contain other links.
    case link(destination: String, [MarkupInline])
    /// A picture, and its description.
    case image(source: String, alternative: String)
    /// A reference to a footnote: the number of its text in ``MarkupDocument/footnotes``, from 1.
    case footnote(number: Int)
    /// An invisible target for links with this name.
    case anchor(name: String)
}

extension [MarkupInline] {
    /// The text without markup and footnote references.
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
