internal import ArticleStore
internal import AuthService
internal import Navigation

/// The result of a request of a coordinator to a service. Screens never report one, and only this module creates them.
public struct Answer: Sendable {
    enum Kind: NavigationEvent {
        case loggedIn(Result<SignedIn.Grant, any Error>)
        case signedOut(SignOut, Result<Int, any Error>)
        case nameJudged(Result<Username, any Error>)
        case registered(Result<Registration.Made, any Error>)
        case confirmed(Result<Void, any Error>)
        case passwordChanged(Result<SignedIn.Grant, any Error>)
        case recoveryCodesMade(Result<[OneTimeCode], any Error>)
        case secondFactorRemoved(Result<Void, any Error>)
        case tokenMade(Result<MadeToken, any Error>)
        case tokenEnded(Result<APIToken.ID, any Error>)
        case feedAddressMade(Result<FeedSecret, any Error>)
        case feedAddressRemoved(Result<Bool, any Error>)
        case passwordReset(Result<User, any Error>)
        case accountChanged(Result<Void, any Error>)
        case accountDeleted(Result<Void, any Error>)
        case appearanceSaved(Result<Appearance, any Error>)
        case listReached(Result<ArticleListScreen, any Error>)
        case linkResolved(Result<ArticleReference, any Error>)
        case neighbourFound(ArticleReading.Direction, Result<ArticleReading.Neighbour?, any Error>)
        case unreadFound(isInList: Bool, Result<ArticleReading.Neighbour?, any Error>)
        case marksChanged(Result<ArticleMarking.Outcome, any Error>)
        case notesSaved(Result<Notice, any Error>)
        case articleSaved(Result<ArticleEditing.Saved, any Error>)
        case articleGone(ArticleReference, Result<Notice, any Error>)
        case imported(Result<Import, any Error>)
        case userDeedDone(Result<UserCare.Done, any Error>)
        case codeMade(Result<UserCare.MadeCode, any Error>)
        case registrationSaved(Result<RegistrationPolicy, any Error>)
    }

    /// The result of an import, and the first record that was rejected.
    struct Import: Sendable {
        let report: ImportReport
        let firstRejection: Rejection?
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

extension Answer: CustomStringConvertible, CustomReflectable {
    /// The name of the answer, without its contents, which may be a token.
    public var description: String { "Answer(\(kind.name))" }

    /// An empty mirror, so that debug output does not show the contents.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
