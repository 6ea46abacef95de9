/// A theme of the screens, by name. Each front chooses the colors for it.
public enum Appearance: String, Hashable, Sendable, CaseIterable {
    /// The colors of the terminal or the operating system.
    case `default`
    /// Light text on a dark background.
    case dark
    /// Dark text on a light background.
    case light
    /// The highest contrast.
    case contrast
}

extension Appearance {
    /// A description in a few words for the user.
    var summary: String {
        switch self {
        case .default: "the colours that are set already"
        case .dark: "light text on a dark ground"
        case .light: "dark text on a light ground"
        case .contrast: "as much contrast as there is"
        }
    }
}
