/// How a user likes to read.
struct Preferences: Hashable, Sendable {
    /// How the screens look.
    var appearance: Appearance = .default
    /// How wide running text is.
    var textWidth: TextWidth = .default
    /// Whether what a list is at is shown beside it, where there is room.
    var showsPreview = true
}

extension Preferences {
    /// Reads what `text` gave. A word that means nothing, such as one of a later version, leaves the default.
    init(text: String) {
        for word in text.split(separator: " ") {
            if let appearance = Appearance(rawValue: String(word)) {
                self.appearance = appearance
            } else if let columns = Int(word) {
                textWidth = TextWidth(columns: columns)
            } else if word == Self.withoutPreview {
                showsPreview = false
            }
        }
    }

    /// The preferences as text: the appearance, and what else is not the default.
    var text: String {
        var words = [appearance.rawValue]
        if textWidth != .default { words.append("\(textWidth.columns)") }
        if !showsPreview { words.append(Self.withoutPreview) }
        return words.joined(separator: " ")
    }

    private static let withoutPreview = "no-preview"
}
