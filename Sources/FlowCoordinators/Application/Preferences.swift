/// How a user likes to read, as far as they have chosen.
struct Preferences: Hashable, Sendable {
    /// How the screens look.
    var appearance: Appearance?
    /// How wide running text is.
    var textWidth: TextWidth?
    /// Whether what a list is at is shown beside it, where there is room.
    var showsPreview = true
}

extension Preferences {
    /// Reads the form that `text` gives. An unknown word, such as one of a later version, is ignored.
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

    /// The choices as text: the appearance, the width, and lists without a preview.
    var text: String {
        [appearance?.rawValue, textWidth.map { "\($0.columns)" }, showsPreview ? nil : Self.withoutPreview]
            .compactMap(\.self).joined(separator: " ")
    }

    private static let withoutPreview = "no-preview"
}
