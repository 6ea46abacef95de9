internal import AuthService
internal import Navigation
internal import Text

/// The state of an application between two requests, for a front that creates an application for each request.
///
/// Unlike a `Bookmark`, it contains the secrets of its flows.
struct SuspendedApplication: Codable {
    /// The message of the last action.
    struct Message: Codable {
        let text: String
        let isError: Bool
    }

    /// The screens, without a dialog that asks whether to leave.
    let state: NavigationState<AppRoute>
    /// The data of the flows.
    let secrets: FlowSecrets
    /// The login that waits for its code.
    let pending: String?
    let message: Message?
    /// The number of frames that stay if the user agrees to leave the others; nil if no question is shown.
    let staying: Int?

    /// Reads a state; nil if the text is invalid, such as that of a later version of the application.
    init?(text: String) {
        guard let state = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = state
    }

    init(
        state: NavigationState<AppRoute>, secrets: FlowSecrets, pending: String?, message: Message?, staying: Int?
    ) {
        (self.state, self.secrets, self.pending) = (state, secrets, pending)
        (self.message, self.staying) = (message, staying)
    }

    /// The state as text. Equal states have equal texts.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

/// The data of coordinators that must not be in a bookmark, by the kind of flow.
struct FlowSecrets: Codable {
    var signUp: SignUpCoordinator.Secrets?
    var account: AccountCoordinator.Secrets?
    var madeCode: MadeCode?
    var foundFeeds: SourceCoordinator.Found?
    /// The name in the login form.
    var username: String?
}

/// A coordinator with data that ``ApplicationCoordinator/suspended`` contains.
protocol SecretHolder: AnyObject {
    /// Adds its data to the state of the application.
    func save(to secrets: inout FlowSecrets)

    /// Reads its data again, before it is started.
    func restore(from secrets: FlowSecrets)
}

/// An error of an earlier request, of which only the text is known.
struct EarlierError: Error, CustomStringConvertible {
    let description: String
}

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
