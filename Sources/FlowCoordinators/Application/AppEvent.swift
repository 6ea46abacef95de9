public import ArticleStore
public import AuthService
public import Navigation
public import ReadingStore

/// The events that the screens of this application report, and the results of work that its coordinators have begun.
public enum AppEvent: Sendable {
    /// Log in was chosen.
    case logInChosen
    /// Register was chosen.
    case registerChosen
    /// A form was sent.
    case submitted(Answers)
    /// An article of the list was chosen.
    case articleChosen(ArticleReference)
    /// The article on the screen was come to by its address, not by a list.
    case articleShown
    /// More rows of the list were wanted, after the last.
    case moreRowsWanted
    /// More rows of the list were wanted, before the first.
    case earlierRowsWanted
    /// The first rows of the list were wanted.
    case firstRowsWanted
    /// The last rows of the list were wanted.
    case lastRowsWanted
    /// The text of the search of a list was typed.
    case searched(String)
    /// The whole library was wanted, instead of what the list is narrowed to.
    case everythingChosen
    /// Another order of the list was chosen, at the article of this number, if at one.
    case sortChosen(ArticleQuery.Sort, at: Int64? = nil)
    /// The user has come back to the front. Others may have changed the shown data since.
    case cameBack
    /// A link in a text was followed, by its target as it is written.
    case linkFollowed(String)
    /// The original of an article was wanted, where it is on the web.
    case originalChosen
    /// The article before this one in its list was chosen.
    case previousArticleChosen
    /// The article after this one in its list was chosen.
    case nextArticleChosen
    /// Articles were marked, by what names them.
    case marked(MarkChange, [ArticleReference])
    /// Changing the own tags of the article on the screen was chosen.
    case ownTagsChosen
    /// Writing a note on the article on the screen was chosen.
    case noteChosen
    /// Writing an article was chosen.
    case writingChosen
    /// Changing the article on the screen was chosen.
    case editingChosen
    /// The article on the screen was to be deleted for good.
    case articleDeleted
    /// All articles of the list were marked, also those beyond the rows that are there.
    case listMarked(MarkChange)
    /// The list was wanted narrowed to what is marked so.
    case marksChosen(MarkCondition)
    /// The overview of the library was chosen.
    case libraryChosen
    /// The list of a query was chosen.
    case listChosen(ArticleQuery)
    /// The next article that was not read was wanted.
    case nextUnreadChosen
    /// The account was chosen.
    case accountChosen
    /// The list of sessions was chosen.
    case sessionsChosen
    /// The end of a session was requested.
    case sessionRevoked(Session.ID)
    /// The list of API tokens was chosen.
    case tokensChosen
    /// Making an API token was chosen.
    case newTokenChosen
    /// The revocation of an API token was requested.
    case tokenRevoked(APIToken.ID)
    /// The address of feeds was chosen to be seen.
    case feedAddressChosen
    /// Another address of feeds was wanted.
    case newFeedAddressChosen
    /// The address of feeds was to be removed.
    case feedAddressRemovalChosen
    /// Choosing an appearance was chosen.
    case appearanceChosen
    /// An appearance was chosen.
    case appearancePicked(Appearance)
    /// The list of users was chosen.
    case usersChosen
    /// A user was chosen.
    case userChosen(User.ID)
    /// Something was to be done to the user on the screen.
    case userDeedChosen(UserDeed)
    /// A code was wanted by which the user on the screen can choose another password.
    case userResetChosen
    /// Inviting somebody to make an account was chosen.
    case invitationChosen
    /// Saying who may make an account was chosen.
    case registrationChosen
    /// The audit log was chosen.
    case auditChosen
    /// Changing the password was chosen.
    case passwordChosen
    /// Choosing another password by a code was chosen.
    case resetChosen
    /// Another name was chosen.
    case nameChosen
    /// Another region was chosen.
    case regionChosen
    /// Deleting the account was chosen.
    case deletionChosen
    /// The second factor was chosen to be seen.
    case secondFactorChosen
    /// Setting up a second factor was chosen.
    case secondFactorSetUpChosen
    /// Other recovery codes were wanted.
    case recoveryCodesChosen
    /// The second factor was to be removed.
    case secondFactorRemovalChosen
    /// Logging out was chosen.
    case logOutChosen
    /// Logging out on every device was chosen.
    case logOutEverywhereChosen
    /// Nobody objects to sessions ending that this front is signed in by.
    case signOutAgreed(SignOut)
    /// Bringing articles in was chosen.
    case importChosen
    /// An import has come so far.
    case importProgressed(ImportReport)
    /// The user agrees to lose the data.
    case leaveConfirmed
    /// The user wants to keep the data.
    case leaveDeclined
    /// A service answered what a coordinator had asked.
    case answered(Answer)
}

extension AppEvent: NavigationEvent {
    /// An event goes by the name of its case, and that is all that a journal may hold of it: a form holds a password.
    public var name: String { if case .answered(let answer) = self { answer.kind.name } else { caseName } }
}
