import ArticleStore
import AuthService

/// A set of items: those of a feed, of a state, or of a label.
enum Stream: Hashable, Sendable {
    /// The supported states of Google Reader.
    enum State: String, Sendable {
        case readingList = "reading-list"
        case read
        case unread
        case starred
        case fresh
        case keptUnread = "kept-unread"
        case trackingKeptUnread = "tracking-kept-unread"

        /// The full ID of the state.
        var id: String { "user/-/state/com.google/\(rawValue)" }
    }

    /// Returns the full ID of the label with a name.
    static func labelID(_ name: String) -> String { "user/-/label/\(name)" }

    case feed(Source.ID)
    case state(State)
    case label(String)

    /// Reads the ID of a stream. It may have the number of the user in place of `-`. Clients of FreshRSS omit the
    /// beginning of the ID of the reading list.
    ///
    /// - Returns: nil if the stream is unknown.
    init?(_ text: String, of user: User) {
        if text == State.readingList.rawValue {
            self = .state(.readingList)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let states = "com.google/"
        switch parts.first {
        case "feed":
            guard parts.count == 2, let number = Int64(parts[1]), String(number) == parts[1] else { return nil }
            self = .feed(number)
        case "user":
            guard parts.count == 4, parts[1] == "-" || parts[1] == String(user.id) else { return nil }
            if parts[2] == "label", !parts[3].isEmpty {
                self = .label(String(parts[3]))
            } else if parts[2] == "state", parts[3].hasPrefix(states),
                let state = State(rawValue: String(parts[3].dropFirst(states.count)))
            {
                self = .state(state)
            } else {
                return nil
            }
        default: return nil
        }
    }
}
