internal import ArticleStore
internal import AuthService
internal import Navigation

/// What a service answered to what a coordinator had asked of it. No screen reports one, and only this module makes one.
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

    /// What an import did, and the first record that it could not take.
    struct Import: Sendable {
        let report: ImportReport
        let firstRejection: Rejection?
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

extension Answer: CustomStringConvertible, CustomReflectable {
    /// Names the answer, not what is in it, which may be a token.
    public var description: String { "Answer(\(kind.name))" }

    /// Shows nothing of what is in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
