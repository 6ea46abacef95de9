import Markup
import Text

/// The style of text. Colors are the terminal's own sixteen colors, so the user's theme determines them.
package struct Style: Hashable, Sendable {
    /// Attributes that can be combined. Bit n of the raw value is SGR parameter n.
    package struct Attributes: OptionSet, Hashable, Sendable {
        /// Bit n is SGR parameter n.
        package let rawValue: UInt16

        /// Creates attributes from their bits.
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1 << 1)
        /// Faint.
        package static let dim = Attributes(rawValue: 1 << 2)
        package static let italic = Attributes(rawValue: 1 << 3)
        package static let underline = Attributes(rawValue: 1 << 4)
        /// Text and background colors exchanged.
        package static let reverse = Attributes(rawValue: 1 << 7)
        /// Struck through.
        package static let strikethrough = Attributes(rawValue: 1 << 9)
    }

    /// A color. The raw value is its SGR parameter as a text color; plus ten, as a background.
    package enum Color: Int, Hashable, Sendable {
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
    package var attributes: Attributes = []
    /// The text color; nil for the terminal's default.
    package var color: Color?
    /// The background color; nil for the terminal's default.
    package var background: Color?

    /// Creates a style.
    package init(attributes: Attributes = [], color: Color? = nil, background: Color? = nil) {
        self.attributes = attributes
        self.color = color
        self.background = background
    }

    /// The terminal's default style.
    package static let plain = Style()
    package static let bold = Style(attributes: .bold)
    /// Faint.
    package static let dim = Style(attributes: .dim)
    package static let italic = Style(attributes: .italic)
    package static let underline = Style(attributes: .underline)
    /// Struck through.
    package static let strikethrough = Style(attributes: .strikethrough)
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
    package static let error = Style(attributes: .bold, color: .red)
    package static let success = Style(color: .green)

    /// Returns the combination of both styles. The colors of `other` take precedence.
    package func adding(_ other: Style) -> Style {
        Style(
            attributes: attributes.union(other.attributes), color: other.color ?? color,
            background: other.background ?? background)
    }

    /// The control sequence that selects this style (SGR, ECMA-48).
    package var selectGraphicRendition: String {
        var parameters = (1...9).filter { attributes.rawValue & (1 << $0) != 0 }
        if let color { parameters.append(color.rawValue) }
        if let background { parameters.append(background.rawValue + 10) }
        return "\u{1B}[" + parameters.map(String.init).joined(separator: ";") + "m"
    }
}

extension String {
    /// Returns the text with the control sequences of `style`, or unchanged if `isColored` is false.
    package func styled(_ style: Style, isColored: Bool) -> String {
        guard isColored, style != .plain, !isEmpty else { return self }
        return style.selectGraphicRendition + self + "\u{1B}[0m"
    }
}

/// The value of `--color`: when output is colored.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// Colors are used if the terminal shows them and the user has not turned them off.
    case auto
    /// Always, even into a pipe.
    case always
    case never

    /// Returns whether a stream is colored, by https://no-color.org and https://bixense.com/clicolors.
    package func isColored(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = environment("NO_COLOR"), !value.isEmpty { return false }
            if let value = environment("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
            return isTerminal && Terminal.isCapable(environment: environment)
        }
    }
}

/// Text in one style, possibly part of a link.
package struct Span: Hashable, Sendable {
    /// The text, without control characters.
    package var text: String
    package var style: Style = .plain
    /// The link of the text, as an index in `StyledText.links`.
    package var link: Int?
    /// A number with which the creator of the text marked it, if any.
    package var mark: Int?

    /// Creates a span.
    package init(_ text: some StringProtocol, _ style: Style = .plain, link: Int? = nil, mark: Int? = nil) {
        self.text = String(text)
        self.style = style
        self.link = link
        self.mark = mark
    }
}

/// Text laid out for a terminal: lines of spans without control characters, and their links.
package struct StyledText: Hashable, Sendable {
    /// The lines, each as spans from left to right.
    package var lines: [[Span]] = []
    /// The destinations of links in the order of first use. The link at index n is shown as `[n + 1]`.
    package var links: [String] = []

    /// Creates text from lines and links.
    package init(lines: [[Span]] = [], links: [String] = []) {
        self.lines = lines
        self.links = links
    }

    /// Creates text from a document's layout.
    package init(_ layout: MarkupLayout) {
        self.init(lines: (0..<layout.lineCount).map { layout[$0] }, links: layout.text.links.map(\.address))
    }

    /// Returns the text with a newline after each line, and with control sequences for the styles if `isColored` is
    /// true.
    package func rendered(isColored: Bool) -> String {
        var result = ""
        for line in lines {
            for span in line {
                result += span.text.styled(span.style, isColored: isColored)
            }
            result += "\n"
        }
        return result
    }
}

extension [Span] {
    /// The text without styles.
    package var text: String { map(\.text).joined() }

    /// The total width in columns.
    package var displayWidth: Int { reduce(0) { $0 + $1.text.displayWidth } }

    /// Adds a span. It is joined to the last span if both have the same style.
    package mutating func add(_ span: Span) {
        guard !span.text.isEmpty else { return }
        if let last = indices.last, self[last].style == span.style, self[last].link == span.link,
            self[last].mark == span.mark
        {
            self[last].text += span.text
        } else {
            append(span)
        }
    }
}

/// The link of a part of a screen, for terminals that follow links themselves (OSC 8).
package struct Hyperlink: Hashable, Sendable {
    /// The address as a URI without characters that control a terminal.
    let address: String
    /// The ID that all parts of a link share, for example if it continues on the next line.
    let id: String

    /// Nil unless the link is a web address or an e-mail address.
    ///
    /// - Parameters:
    ///   - link: the link as in the document.
    ///   - number: the number of the link in the document.
    package init?(_ link: String, number: Int) {
        guard Browser.isForBrowser(link) else { return nil }
        let address = Browser.address(of: link)
        // Terminals reject longer addresses: VTE has a limit of 2,083 bytes.
        guard address.utf8.count <= 2_083 else { return nil }
        self.address = address
        id = String(number)
    }

    /// The control sequence that begins the link.
    var start: String { "\u{1B}]8;id=\(id);\(address)\u{1B}\\" }
    /// The control sequence that ends any link.
    static let end = "\u{1B}]8;;\u{1B}\\"

    /// Returns whether the terminal is known to support links, judged by its name. Multiplexers such as screen and old
    /// versions of tmux (before 3.4) drop links or show their escape sequences.
    package static func areShown(environment: (String) -> String?) -> Bool {
        func version(_ name: String) -> [Int] {
            (environment(name) ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        }
        let kind = environment("TERM") ?? ""
        let program = environment("TERM_PROGRAM") ?? ""
        if environment("TMUX") != nil || kind.hasPrefix("screen") || kind.hasPrefix("tmux") {
            return program == "tmux" && !version("TERM_PROGRAM_VERSION").lexicographicallyPrecedes([3, 4])
        }
        if !Terminal.isCapable(environment: environment) || kind == "linux" || environment("STY") != nil {
            return false
        }
        let kinds = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm"]
        if kinds.contains(where: { kind == $0 || kind.hasPrefix($0 + "-") }) { return true }
        if ["iTerm.app", "WezTerm", "vscode", "ghostty", "mintty", "rio"].contains(program) { return true }
        // GNOME Terminal and other programs with VTE 0.50 or later; Windows Terminal.
        return (version("VTE_VERSION").first ?? 0) >= 5_000 || environment("WT_SESSION") != nil
    }
}
