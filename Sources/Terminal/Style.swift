import Markup

/// The style of text. Colors are the terminal's own sixteen colors, so the user's theme determines them.
public struct Style: Hashable, Sendable {
    /// Attributes that can be combined. Bit n of the raw value is SGR parameter n.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// Bit n is SGR parameter n.
        public let rawValue: UInt16

        /// Creates attributes from their bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Bold.
        public static let bold = Attributes(rawValue: 1 << 1)
        /// Faint.
        public static let dim = Attributes(rawValue: 1 << 2)
        /// Italic.
        public static let italic = Attributes(rawValue: 1 << 3)
        /// Underlined.
        public static let underline = Attributes(rawValue: 1 << 4)
        /// Text and background colors exchanged.
        public static let reverse = Attributes(rawValue: 1 << 7)
        /// Struck through.
        public static let strikethrough = Attributes(rawValue: 1 << 9)
    }

    /// A color. The raw value is its SGR parameter as a text color; plus ten, as a background.
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

    /// The attributes, such as bold and underlined.
    public var attributes: Attributes = []
    /// The text color; nil for the terminal's default.
    public var color: Color?
    /// The background color; nil for the terminal's default.
    public var background: Color?

    /// Creates a style.
    public init(attributes: Attributes = [], color: Color? = nil, background: Color? = nil) {
        self.attributes = attributes
        self.color = color
        self.background = background
    }

    /// The terminal's default style.
    public static let plain = Style()
    /// Bold.
    public static let bold = Style(attributes: .bold)
    /// Faint.
    public static let dim = Style(attributes: .dim)
    /// Italic.
    public static let italic = Style(attributes: .italic)
    /// Underlined.
    public static let underline = Style(attributes: .underline)
    /// Struck through.
    public static let strikethrough = Style(attributes: .strikethrough)
    /// A link of the document.
    static let link = Style(attributes: .underline, color: .blue)
    /// Code in running text.
    static let code = Style(color: .cyan)
    /// A token in a block of code.
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

    /// Returns the combination of both styles. The colors of `other` take precedence.
    public func adding(_ other: Style) -> Style {
        Style(
            attributes: attributes.union(other.attributes), color: other.color ?? color,
            background: other.background ?? background)
    }

    /// The control sequence that selects this style (SGR, ECMA-48).
    public var selectGraphicRendition: String {
        var parameters = (1...9).filter { attributes.rawValue & (1 << $0) != 0 }
        if let color { parameters.append(color.rawValue) }
        if let background { parameters.append(background.rawValue + 10) }
        return "\u{1B}[" + parameters.map(String.init).joined(separator: ";") + "m"
    }
}

extension String {
    /// Returns the text with the control sequences of `style`, or unchanged if `isColored` is false.
    public func styled(_ style: Style, isColored: Bool) -> String {
        guard isColored, style != .plain, !isEmpty else { return self }
        return style.selectGraphicRendition + self + "\u{1B}[0m"
    }
}
