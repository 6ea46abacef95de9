import FlowCoordinators
import Terminal

/// The styles of each kind of text.
struct Theme: Hashable, Sendable {
    /// The style of other text and of empty cells.
    var text = Style.plain
    /// Whether colors are used.
    var isColored = true
    /// Less important text: hints, labels, and the bar at the bottom.
    var secondary = Style.dim
    /// The bar at the top.
    var title = Style.bold
    /// The selected row.
    var selection = Style(attributes: .reverse)
    /// Keys, links, and other interactive text.
    var accent = Style(color: .cyan)
    var code = Style(color: .cyan)
    var error = Style.error
    var success = Style.success
    /// The matches of a search, and the current match.
    var match = Style(attributes: .reverse, color: .yellow)
    var currentMatch = Style(attributes: [.reverse, .bold], color: .yellow)

    /// The theme of a pane without the focus.
    var withoutFocus: Theme {
        var theme = self
        theme.title = secondary
        theme.selection = text.adding(.bold)
        return theme
    }

    /// The terminal's own colors.
    static let standard = Theme()

    static let dark = Theme(
        text: Style(color: .white, background: .black),
        secondary: Style(color: .brightBlack, background: .black),
        title: Style(attributes: .bold, color: .brightWhite, background: .black),
        selection: Style(color: .black, background: .cyan), accent: Style(color: .brightCyan, background: .black),
        code: Style(color: .brightGreen, background: .black),
        error: Style(attributes: .bold, color: .brightRed, background: .black),
        success: Style(color: .brightGreen, background: .black), match: Style(color: .black, background: .yellow),
        currentMatch: Style(attributes: .bold, color: .black, background: .brightYellow))

    static let light = Theme(
        text: Style(color: .black, background: .brightWhite),
        secondary: Style(color: .brightBlack, background: .brightWhite),
        title: Style(attributes: .bold, color: .black, background: .brightWhite),
        selection: Style(color: .brightWhite, background: .blue), accent: Style(color: .blue, background: .brightWhite),
        code: Style(color: .magenta, background: .brightWhite),
        error: Style(attributes: .bold, color: .red, background: .brightWhite),
        success: Style(color: .green, background: .brightWhite), match: Style(color: .black, background: .yellow),
        currentMatch: Style(attributes: .bold, color: .black, background: .brightYellow))

    static let highContrast = Theme(
        text: Style(color: .brightWhite, background: .black),
        secondary: Style(color: .brightWhite, background: .black),
        title: Style(attributes: [.bold, .underline], color: .brightWhite, background: .black),
        selection: Style(attributes: .bold, color: .black, background: .brightYellow),
        accent: Style(attributes: .bold, color: .brightYellow, background: .black),
        code: Style(color: .brightCyan, background: .black),
        error: Style(attributes: [.bold, .reverse], color: .brightWhite, background: .black),
        success: Style(attributes: .bold, color: .brightWhite, background: .black),
        match: Style(color: .black, background: .brightCyan),
        currentMatch: Style(attributes: [.bold, .underline], color: .black, background: .brightYellow))

    /// The theme without colors, for `NO_COLOR`. Attributes replace them.
    static let monochrome = Theme(
        isColored: false, accent: .bold, code: .plain, error: .bold, success: .plain,
        match: Style(attributes: [.reverse, .dim]), currentMatch: Style(attributes: [.reverse, .bold]))

    /// Returns the style of a span of an article. The style of the span itself does not depend on the theme.
    func look(of span: Span) -> Style {
        var style = text
        if span.link != nil || span.mark != nil { style = accent }
        if span.style.attributes.contains(.dim) { style = secondary }
        switch span.style.color {
        case nil: break
        case .green: style = success
        case .red: style = error
        default: style = code
        }
        style.attributes.formUnion(span.style.attributes.subtracting(.dim))
        return style
    }
}

extension Theme {
    /// Creates the theme of an appearance, or the one without colors.
    init(_ appearance: Appearance, isColored: Bool) {
        guard isColored else {
            self = .monochrome
            return
        }
        switch appearance {
        case .default: self = .standard
        case .dark: self = .dark
        case .light: self = .light
        case .contrast: self = .highContrast
        }
    }
}
