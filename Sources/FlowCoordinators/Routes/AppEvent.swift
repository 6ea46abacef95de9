public import ArticleImporting
public import ArticleStore
public import AuthService
public import Navigation

/// The events that the screens of this application report, and the progress of work.
public enum AppEvent: Sendable {
    /// The user wants to see another place. It opens above the present one.
    case open(AppRoute)
    /// The user sent a form.
    case submitted(Answers)
    /// The user wants to see the effect of the answers in a form before saving them.
    case tried(Answers)
    /// The user wants more rows after the last one.
    case moreRowsWanted
    /// The user wants more rows before the first one.
    case earlierRowsWanted
    /// The user wants the first rows of the list.
    case firstRowsWanted
    /// The user wants the last rows of the list.
    case lastRowsWanted
    /// The user typed a search text.
    case searched(String)
    /// The user wants to remove the filters of the list.
    case everythingChosen
    /// The user chose another order. The list stays at the article with this ID, if one is selected.
    case sortChosen(ArticleQuery.Sort, at: Int64? = nil)
    /// The user has returned to the front. The data may have changed since.
    case cameBack
    /// The user followed a link in a text. The value is the target as it is written there.
    case linkFollowed(String)
    /// The user wants the original of the article on the web.
    case originalChosen
    /// The user wants the whole text of the article's page.
    case pageChosen
    /// The user wants the article before this one in the list.
    case previousArticleChosen
    /// The user wants the article after this one in the list.
    case nextArticleChosen
    /// The user marked articles.
    case marked(MarkChange, [ArticleReference])
    /// The user deleted the shown article for good.
    case articleDeletionChosen
    /// The user marked as read the shown articles of the list up to the one with this ID, but not those that arrived after
    /// the one with the number `upTo`.
    case readAbove(Int64, upTo: Int64? = nil)
    /// The user marked all articles of the list, including those that are not loaded, but not those that arrived after
    /// the one with this number, because the user has not seen them.
    case listMarked(MarkChange, upTo: Int64? = nil)
    /// The user wants the list filtered by these marks.
    case marksChosen(MarkCondition)
    /// The user wants to remove the saved search with this name.
    case savedSearchRemovalChosen(String)
    /// The user wants to remove the rule with this name.
    case ruleRemovalChosen(String)
    /// The user wants the next unread article.
    case nextUnreadChosen
    /// The user chose one of the feeds of a page, by its address.
    case feedChosen(String)
    /// The user wants a source of the list to be fetched now, or the shown one without an ID.
    case sourceFetchChosen(Source.ID? = nil)
    /// The user wants to pause the shown source.
    case sourcePauseChosen
    /// The user wants the shown source to be fetched by the schedule again.
    case sourceResumeChosen
    /// The user wants new articles of the shown source to be read at once.
    case sourceQuietChosen
    /// The user wants new articles of the shown source to stay unread.
    case sourceUnreadChosen
    /// The user wants to end the subscription of the shown source.
    case unsubscriptionChosen
    /// The user wants to end a session.
    case sessionRevocationChosen(Session.ID)
    /// The user wants to revoke an API token.
    case tokenRevocationChosen(APIToken.ID)
    /// The user wants a new feed address.
    case newFeedAddressChosen
    /// The user wants to remove the feed address.
    case feedAddressRemovalChosen
    /// The user chose an appearance.
    case appearancePicked(Appearance)
    /// The user chose a text size.
    case textSizeChosen(TextSize)
    /// The operator chose an action on the shown user.
    case userActionChosen(UserAction)
    /// The operator wants a code with which the shown user can choose a new password.
    case userResetChosen
    /// The operator wants to invite a person to register.
    case invitationChosen
    /// The user wants new recovery codes.
    case recoveryCodesChosen
    /// The user wants to remove the second factor.
    case secondFactorRemovalChosen
    /// The user wants to log out.
    case logOutChosen
    /// The user wants to log out on every device.
    case logOutEverywhereChosen
    /// No flow objects to ending these sessions of the user.
    case sessionEndConfirmed(SessionsToEnd)
    /// The import reports its progress.
    indirect case importProgressed(ImportReport)
    /// The user agrees to lose the data.
    case leaveConfirmed
    /// The user wants to keep the data.
    case leaveDeclined
}

// The journal contains only the name of the case: the values of a form may contain a password.
extension AppEvent: NavigationEvent {}
