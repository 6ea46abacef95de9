public import ArticleStore
public import AuthService

/// The data from which the content of a screen was made.
public enum Model: Sendable {
    /// No data: a form or a menu.
    case none
    /// A page of a list. The total is nil if the list was not counted. The marks of the signed-in user are by article
    /// ID, and nil if marks are not stored.
    case articles(ArticlePage, total: Int?, marks: [Int64: ArticleMarks]?)
    /// An article with the marks of the signed-in user; the marks are nil if they are not stored.
    case article(Article, ArticleMarks?)
    /// The session of the signed-in user.
    case account(Session)
    /// The API tokens of the signed-in user.
    case tokens([APIToken])
    /// The second factor of the signed-in user; nil if there is none.
    case secondFactor(SecondFactor?)
    /// Recovery codes, which are shown once.
    case recoveryCodes([OneTimeCode])
    /// The audit log, latest entry first.
    case audit([AuditRecord])
    /// All users.
    case users([User])
    /// All sessions of a user, and the session of this front if it is one of them.
    case sessions([Session], current: Session?)
}
