/// How a user likes to read.
struct Preferences: Hashable, Sendable {
    /// How the screens look.
    var appearance: Appearance = .default
    /// How wide running text is.
    var textWidth: TextWidth = .default
}

extension Preferences {
    /// Reads what `text` gave. A word that means nothing, such as one of a later version, leaves the default.
    init(text: String) {
        for word in text.split(separator: " ") {
            if let appearance = Appearance(rawValue: String(word)) {
                self.appearance = appearance
            } else if let columns = Int(word) {
                textWidth = TextWidth(columns: columns)
            }
        }
    }

    /// The preferences as text: the appearance, and where it is not the default the width.
    var text: String {
        textWidth == .default ? appearance.rawValue : "\(appearance.rawValue) \(textWidth.columns)"
    }
}
