/// The reading preferences of a user; nil for each that the user has not chosen.
struct Preferences: Hashable, Sendable {
    /// How the screens look.
    var appearance: Appearance?
    /// The width of running text.
    var textWidth: TextWidth?
    /// Whether a list shows a preview of the selected article beside it, if there is space.
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
            } else if word == Self.withoutPreview {
                showsPreview = false
            }
        }
    }

    /// The preferences as words: the appearance, the width, and a word if the preview is off.
    var text: String {
        [appearance?.rawValue, textWidth.map { "\($0.columns)" }, showsPreview ? nil : Self.withoutPreview]
            .compactMap(\.self).joined(separator: " ")
    }

    private static let withoutPreview = "no-preview"
}
