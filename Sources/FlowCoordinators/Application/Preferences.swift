public import ArticleStore

/// The reading preferences of a user; nil for each that the user has not chosen.
struct Preferences: Hashable, Sendable {
    /// How the screens look.
    var appearance: Appearance?
    /// The width of running text.
    var textWidth: TextWidth?
    /// The size of text.
    var textSize: TextSize?
    /// Whether a wide terminal shows panes.
    var showsPreview = true
}

extension Preferences {
    /// Parses a text made by `text`. It ignores unknown words, such as those of a later version.
    init(text: String) {
        for word in text.split(separator: " ") {
            if let appearance = Appearance(rawValue: String(word)) {
                self.appearance = appearance
            } else if let columns = Int(word) {
                textWidth = TextWidth(columns: columns)
            } else if word.hasPrefix(Self.size), let percent = Int(word.dropFirst(Self.size.count)) {
                textSize = TextSize(percent: percent)
            } else if word == Self.withoutPreview {
                showsPreview = false
            }
        }
    }

    /// The preferences as words: the appearance, the width, the size, and a word if the preview is off.
    var text: String {
        [
            appearance?.rawValue, textWidth.map { "\($0.columns)" }, textSize.map { "\(Self.size)\($0.percent)" },
            showsPreview ? nil : Self.withoutPreview,
        ].compactMap(\.self).joined(separator: " ")
    }

    private static let size = "size-"
    private static let withoutPreview = "no-preview"
}

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
        case .default: "the default colors"
        case .dark: "light text on a dark background"
        case .light: "dark text on a light background"
        case .contrast: "maximum contrast"
        }
    }
}

/// The width of running text, in columns of a terminal or similar units of another front.
public struct TextWidth: Hashable, Sendable {
    /// The number of columns.
    public let columns: Int

    /// The default width: about that of a line in a book.
    public static let `default` = TextWidth(columns: 72)
    /// The permitted numbers of columns.
    public static let limits = 40...200

    /// Creates a width, limited to `limits`.
    public init(columns: Int) {
        self.columns = min(max(columns, Self.limits.lowerBound), Self.limits.upperBound)
    }
}

/// The size of text on a front that can change it. A terminal cannot.
public enum TextSize: Hashable, Sendable, CaseIterable {
    /// Smaller than usual.
    case small
    /// The usual size.
    case `default`
    /// Larger than usual.
    case large
    /// The largest size but one.
    case larger
    /// The largest size.
    case largest

    /// The size, compared to the usual one.
    public var percent: Int {
        switch self {
        case .small: 90
        case .default: 100
        case .large: 115
        case .larger: 130
        case .largest: 150
        }
    }

    /// Returns the size with these percents; nil if there is none.
    init?(percent: Int) {
        guard let size = Self.allCases.first(where: { $0.percent == percent }) else { return nil }
        self = size
    }

    /// The next smaller size; nil for the smallest.
    var smaller: TextSize? { Self.allCases.last { $0.percent < percent } }
    /// The next larger size; nil for the largest.
    var larger: TextSize? { Self.allCases.first { $0.percent > percent } }
}

/// The preferences of a user who has not chosen any. A front reads them from its configuration.
public struct Defaults: Hashable, Sendable {
    /// How the screens look.
    public var appearance: Appearance
    /// The width of running text.
    public var textWidth: TextWidth
    /// The list that is shown at the start.
    public var list: ArticleList

    /// Creates default preferences.
    public init(appearance: Appearance = .default, textWidth: TextWidth = .default, list: ArticleList = ArticleList()) {
        self.appearance = appearance
        self.textWidth = textWidth
        self.list = list
    }
}
