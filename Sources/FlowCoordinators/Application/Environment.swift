internal import ArticleStore
internal import AuthService

/// What every coordinator of this application is given: the services it consults, and a way to say how it went.
struct Environment {
    /// Who is signed in.
    let signedIn: SignedIn
    /// The accounts and the sessions, to ask about them.
    let auth: AuthService
    /// What makes accounts.
    let registration: Registration
    /// The library.
    let articles: any ArticleRepository
    /// Whether a list says how many articles it has in all.
    let countsLists: Bool
    /// The places on the stack, lowest first.
    let stack: () -> [AppRoute]
    /// Shows a notice on the next screen.
    let say: (Notice) -> Void

    /// Does something that may fail, and shows why when it does.
    ///
    /// - Returns: whether it went well.
    @discardableResult
    func attempt(_ work: () async throws -> Void) async -> Bool {
        do {
            try await work()
            return true
        } catch {
            say(Notice(error))
            return false
        }
    }
}
