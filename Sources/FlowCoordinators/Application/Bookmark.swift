internal import Navigation
internal import Text

/// The place where the user left a session, for the next start: the stacks of the sections, and the position on each
/// screen.
struct Bookmark: Codable {
    /// The screens.
    let state: NavigationState<AppRoute>
    /// The positions on the screens, by the paths of the screens. Their format belongs to the front.
    let positions: [String: String]

    /// The maximum length of a saved bookmark, in bytes of UTF-8. A usual one has some hundred bytes.
    static let maximumBytes = 65_536

    /// Creates a bookmark. Positions on screens that are not on a stack are dropped, so that they do not accumulate.
    init(_ state: NavigationState<AppRoute>, positions: [String: String]) {
        let paths = Set(state.allFrames.map(\.route.path))
        self.state = state
        self.positions = positions.filter { paths.contains($0.key) }
    }

    /// Decodes `text`. Returns nil if the text is invalid, such as the bookmark of a later version of the application.
    init?(text: String) {
        guard let bookmark = try? JSONDecoder().decode(Bookmark.self, from: Data(text.utf8)) else { return nil }
        self = bookmark
    }

    /// The bookmark as text; nil if it is too long. Equal bookmarks have equal texts.
    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data.count <= Self.maximumBytes else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The data of coordinators that is saved with a navigation state, or waits behind the login. It never contains a
/// password.
public enum AppMemory: Codable, Hashable, Sendable {
    /// The contents of the registration form.
    case signUp(region: String, username: String)
    /// The path from which articles were to be imported.
    case importing(path: String)
}
