internal import ArticleStore
package import Text

/// The reason why a screen cannot be shown.
public enum ScreenError: Error, Hashable, Sendable {
    /// The signed-in user does not have an open session with this ID.
    case noSession(String)
    /// The signed-in user does not have an API token with this ID or name.
    case noToken(String)
    /// The source with this number does not exist.
    case noSource(Int64)
    /// The user with this number does not exist.
    case noUser(Int64)
    /// This application does not store marks, tags, or notes of users.
    case noMarks
    /// The user's tags or note, or the source, were changed elsewhere since the form was shown. This is the current text.
    case editConflict(to: String)
    /// A coordinator was asked for a screen of another flow.
    case misplaced(AppRoute)
}

extension ScreenError: CustomStringConvertible {
    /// The error in words for the user.
    public var description: String {
        switch self {
        case .noSession(let id): "there is no session “\(id)”"
        case .noToken(let name): "there is no token “\(name)”"
        case .noSource(let id): "the source \(id) does not exist anymore"
        case .noUser(let id): "the user \(id) does not exist anymore"
        case .noMarks: "tags and notes of users are not available here"
        case .editConflict(let text):
            "it was changed in the meantime, in another window or on another device, "
                + (text.isEmpty ? "and is now empty" : "to “\(text.prefix(500))\(text.count > 500 ? "…" : "")”")
                + "; to replace it with your version, submit again"
        case .misplaced(let route): "\(route.path) does not belong to this flow"
        }
    }
}

extension ScreenError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .noSession, .noToken, .noSource, .noUser: .notFound
        case .editConflict: .changed
        case .noMarks: .unavailable
        case .misplaced: .software
        }
    }

    package var hint: String? {
        switch self {
        case .noSession: "list them with: articlesctl sessions"
        case .noToken: "list them with: articlesctl tokens"
        case .noSource: "list them with: articlesctl sources"
        case .noUser: "list them with: articlesctl users"
        case .editConflict, .noMarks, .misplaced: nil
        }
    }
}

/// An error in a form as a whole.
public enum FormError: Error, Hashable, Sendable {
    /// The password and its confirmation differ.
    case passwordsDiffer
    /// The path of the file or folder to import is empty.
    case noPath
    /// The address of the feed or page to subscribe to is missing.
    case noAddress
    /// An import is already running.
    case isImporting
    /// A text contains characters that a form cannot show, so editing it would lose them.
    case holdsControls
    /// The value is not one of the choices.
    case noChoice
    /// The title of the article is missing.
    case noTitle
    /// The text of the article is missing.
    case noText
    /// The text is not a date.
    case notADate(String)
    /// The text is not a web address.
    case notAnAddress(String)
    /// The text is not a language tag.
    case notALanguage(String)
    /// The text does not say which articles are kept.
    case badRetention(String)
}

extension FormError: CustomStringConvertible {
    /// The error in words for the user.
    public var description: String {
        switch self {
        case .passwordsDiffer: "the two passwords do not match"
        case .noPath: "enter the path of a file or folder"
        case .noAddress: "enter the address of a feed or a page"
        case .holdsControls:
            "the text contains control characters, which a form cannot show; use articlesctl edit"
        case .noChoice: "choose one of the options"
        case .noTitle: "enter a title"
        case .noText: "enter a text"
        case .notADate(let text): "“\(text)” is not a date; use a form such as 2015-12-03 or 2015-12-03 18:30 +02:00"
        case .notAnAddress(let text): "“\(text)” is not an http or https address"
        case .notALanguage(let text): "“\(text)” is not a language tag; use a form such as en or pt-BR"
        case .badRetention(let text):
            "“\(text)” is not valid for “Keep”; use \(Retention.expected)"
        case .isImporting: "an import is running; go back to stop it"
        }
    }
}

extension FormError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
}
