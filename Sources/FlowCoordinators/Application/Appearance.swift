/// How the screens look: a theme by name. A front knows which colours it stands for.
public enum Appearance: String, Hashable, Sendable, CaseIterable {
    /// The colours of the terminal or the system.
    case `default`
    /// Light text on a dark ground.
    case dark
    /// Dark text on a light ground.
    case light
    /// As much contrast as there is.
    case contrast
}

extension Appearance {
    /// A description of a few words for a person.
    var summary: String {
        switch self {
        case .default: "the colours that are set already"
        case .dark: "light text on a dark ground"
        case .light: "dark text on a light ground"
        case .contrast: "as much contrast as there is"
        }
    }
}
