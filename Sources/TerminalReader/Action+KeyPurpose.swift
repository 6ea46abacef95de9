import ArticleStore
import FlowCoordinators
import Terminal

extension Action.Purpose {
    /// The purpose that its keys belong to; nil if it does not have its own keys.
    var keyPurpose: KeyPurpose? {
        switch self {
        case .logIn: .logIn
        case .register: .register
        case .logOut: .logOut
        case .logOutEverywhere: .logOutEverywhere
        case .account: .account
        case .appearance: .appearance
        case .sessions: .sessions
        case .password: .password
        case .sort(.newest): .newest
        case .sort(.oldest): .oldest
        case .sort(.title): .byTitle
        case .sort(.relevance): .byRelevance
        case .everything: .everything
        case .importing: .importing
        case .writing: .writing
        case .editing: .editing
        case .deletion: .deletion
        case .original: .original
        case .next: .nextArticle
        case .previous: .previousArticle
        case .read: .read
        case .unread: .unread
        case .star: .star
        case .later: .later
        case .ownTags: .ownTags
        case .note: .note
        case .allRead: .allRead
        case .nextUnread: .nextUnread
        case .onlyUnread: .onlyUnread
        case .onlyStarred: .onlyStarred
        case .onlyLater: .onlyLater
        case .library: .library
        case .leave, .stay, .other: nil
        }
    }

    /// The preferred letter for the action, if it is not used otherwise; nil for most actions.
    var letter: Unicode.Scalar? {
        switch self {
        case .leave: "y"
        case .stay: "n"
        default:
            if case .character(let letter)? = keyPurpose?.standardKeys.first?.key { letter } else { nil }
        }
    }
}
