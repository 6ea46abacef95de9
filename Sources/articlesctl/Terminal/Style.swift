/// How a piece of text looks. Colours are the terminal's own sixteen, so that a person's theme decides what they are.
struct Style: Hashable, Sendable {
    /// What can be combined freely; the raw value's bit n is SGR parameter n.
    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt16

        static let bold = Attributes(rawValue: 1 << 1)
        static let dim = Attributes(rawValue: 1 << 2)
        static let italic = Attributes(rawValue: 1 << 3)
        static let underline = Attributes(rawValue: 1 << 4)
        static let reverse = Attributes(rawValue: 1 << 7)
        static let strikethrough = Attributes(rawValue: 1 << 9)
    }

    /// A colour; the raw value is its SGR parameter as a foreground, and ten more as a background.
    enum Color: Int, Hashable, Sendable {
        case black = 30
        case red
        case green
        case yellow
        case blue
        case magenta
        case cyan
        case white
        case brightBlack = 90
        case brightRed
        case brightGreen
        case brightYellow
        case brightBlue
        case brightMagenta
        case brightCyan
        case brightWhite
    }

    var attributes: Attributes = []
    var color: Color?
    var background: Color?

    static let plain = Style()
    static let bold = Style(attributes: .bold)
    static let dim = Style(attributes: .dim)
    static let italic = Style(attributes: .italic)
    static let underline = Style(attributes: .underline)
    static let strikethrough = Style(attributes: .strikethrough)
    static let error = Style(attributes: .bold, color: .red)
    static let success = Style(color: .green)
    static let warning = Style(color: .yellow)

    /// Both styles at once; the colours of `other` win.
    func adding(_ other: Style) -> Style {
        Style(
            attributes: attributes.union(other.attributes), color: other.color ?? color,
            background: other.background ?? background)
    }

    /// The control sequence that selects this style, from ECMA-48 (SGR).
    var selectGraphicRendition: String {
        var parameters = (1...9).filter { attributes.rawValue & (1 << $0) != 0 }
        if let color { parameters.append(color.rawValue) }
        if let background { parameters.append(background.rawValue + 10) }
        return "\u{1B}[" + parameters.map(String.init).joined(separator: ";") + "m"
    }
}

extension String {
    /// The text with the control sequences of `style` around it where `isColored`, else as it is.
    func styled(_ style: Style, isColored: Bool) -> String {
        guard isColored, style != .plain, !isEmpty else { return self }
        return style.selectGraphicRendition + self + "\u{1B}[0m"
    }
}
