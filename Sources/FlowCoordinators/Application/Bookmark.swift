internal import Essentials
internal import Navigation

/// The place where a session was left, for the next start: the screens, and the position of a front on each.
struct Bookmark: Codable {
    /// The screens.
    let state: NavigationState<AppRoute>
    /// The positions of a front on screens, by their paths.
    let positions: [String: String]

    /// The longest text that a bookmark is kept as, in bytes of UTF-8. A usual one takes some hundred.
    static let maximumBytes = 65_536

    /// A bookmark; positions on screens that are not on the stack are left out, so that they do not gather.
    init(_ state: NavigationState<AppRoute>, positions: [String: String]) {
        let paths = Set(state.frames.map(\.route.path))
        self.state = state
        self.positions = positions.filter { paths.contains($0.key) }
    }

    /// Reads what `text` gave; nil for anything else, such as the bookmark of a later version of the application.
    init?(text: String) {
        guard let bookmark = try? JSONDecoder().decode(Bookmark.self, from: Data(text.utf8)) else { return nil }
        self = bookmark
    }

    /// The bookmark as text, the same for the same; nil when it is longer than may be kept.
    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data.count <= Self.maximumBytes else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
