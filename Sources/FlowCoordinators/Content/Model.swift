public import ArticleStore
public import AuthService
public import ReadingStore

/// What the content of a screen was made from.
public enum Model: Sendable {
    /// Nothing: a form or a menu.
    case none
    /// A page of a list, how many articles the whole list has, where they were counted, and what who is signed in has marked
    /// them with, by their numbers, where that is kept.
    case articles(ArticlePage, total: Int?, marks: [Int64: ArticleMarks]?)
    /// An article, and what who is signed in has marked it with, where that is kept.
    case article(Article, ArticleMarks?)
    /// Who is signed in, in which session.
    case account(Session)
    /// The API tokens of who is signed in.
    case tokens([APIToken])
    /// The second factor of who is signed in; nil when there is none.
    case secondFactor(SecondFactor?)
    /// Recovery codes, which are shown once.
    case recoveryCodes([OneTimeCode])
    /// What happened, the latest first.
    case audit([AuditRecord])
    /// All users.
    case users([User])
    /// All sessions of a user, and which of them is this one, if one is.
    case sessions([Session], current: Session?)
}
