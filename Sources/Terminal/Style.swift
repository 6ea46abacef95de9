import Markup

/// How a piece of text looks. Colours are the terminal's own sixteen, so that a person's theme decides what they are.
public struct Style: Hashable, Sendable {
    /// Attributes that can be combined freely. Bit n of the raw value is SGR parameter n.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// Bit n is SGR parameter n.
        public let rawValue: UInt16

        /// The attributes whose bits are set.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Bold.
        public static let bold = Attributes(rawValue: 1 << 1)
        /// Fainter than the rest.
        public static let dim = Attributes(rawValue: 1 << 2)
        /// Slanted.
        public static let italic = Attributes(rawValue: 1 << 3)
        /// A line beneath.
        public static let underline = Attributes(rawValue: 1 << 4)
        /// Text and background changed over.
        public static let reverse = Attributes(rawValue: 1 << 7)
        /// A line through.
        public static let strikethrough = Attributes(rawValue: 1 << 9)
    }

    /// A colour; the raw value is its SGR parameter as a foreground, and ten more as a background.
    public enum Color: Int, Hashable, Sendable {
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

    /// Bold, underlined and the like.
    public var attributes: Attributes = []
    /// Of the text; nil is the terminal's own.
    public var color: Color?
    /// Behind the text; nil is the terminal's own.
    public var background: Color?

    /// A style of these attributes and colours.
    public init(attributes: Attributes = [], color: Color? = nil, background: Color? = nil) {
        self.attributes = attributes
        self.color = color
        self.background = background
    }

    /// The terminal's default style.
    public static let plain = Style()
    /// Bold.
    public static let bold = Style(attributes: .bold)
    /// Fainter than the rest.
    public static let dim = Style(attributes: .dim)
    /// Slanted.
    public static let italic = Style(attributes: .italic)
    /// A line beneath.
    public static let underline = Style(attributes: .underline)
    /// A line through.
    public static let strikethrough = Style(attributes: .strikethrough)
    /// A link of the document.
    static let link = Style(attributes: .underline, color: .blue)
    /// Code in running text.
    static let code = Style(color: .cyan)
    /// A piece of code in lines of its own.
    static func code(_ kind: CodeToken.Kind) -> Style {
        switch kind {
        case .plain, .type, .number: .code
        case .keyword: .code.adding(.bold)
        case .string, .inserted: .success
        case .comment: .dim
        case .deleted: Style(color: .red)
        }
    }
    /// The style of errors.
    public static let error = Style(attributes: .bold, color: .red)
    /// The style of successes.
    public static let success = Style(color: .green)

    /// Both styles at once; the colours of `other` win.
    public func adding(_ other: Style) -> Style {
        Style(
            attributes: attributes.union(other.attributes), color: other.color ?? color,
            background: other.background ?? background)
    }

    /// The control sequence that selects this style, from ECMA-48 (SGR).
    public var selectGraphicRendition: String {
        var parameters = (1...9).filter { attributes.rawValue & (1 << $0) != 0 }
        if let color { parameters.append(color.rawValue) }
        if let background { parameters.append(background.rawValue + 10) }
        return "\u{1B}[" + parameters.map(String.init).joined(separator: ";") + "m"
    }
}

extension String {
    /// The text with the control sequences of `style` around it where `isColored`, else as it is.
    public func styled(_ style: Style, isColored: Bool) -> String {
        guard isColored, style != .plain, !isEmpty else { return self }
        return style.selectGraphicRendition + self + "\u{1B}[0m"
    }
}
