public import AuthService
internal import Navigation
internal import Text

/// The sessions of the signed-in user to end.
public enum SessionsToEnd: Hashable, Sendable {
    /// The session of this front.
    case here
    /// All sessions.
    case everywhere
    /// A single session, possibly that of this front.
    case session(Session.ID)
}

extension Environment {
    /// Ends sessions after no flow has objected. Then it shows a message, and leaves places that the user may no longer
    /// see.
    ///
    /// - Parameter confirm: Called if the service needs the password again first.
    func end(_ signOut: SessionsToEnd, in flow: Flow<AppRoute, some Any>, confirm: (() -> Void)? = nil) {
        let account = account
        run(signOut.activity, in: flow) {
            try await account.end(signOut)
        } then: { [self] result, _ in
            if let confirm, case .failure(AuthError.passwordNeeded) = result { return confirm() }
            attempt {
                let count = try result.get()
                if signOut.leaves(currentUser.session) { try currentUser.forget() }
                show(Notice(signOut.words(for: count)))
            }
            if currentUser.session == nil { flow.show([]) }
        }
    }
}

extension SessionsToEnd {
    /// Whether it signs this front out. Then the flows are first asked whether data would be lost.
    func leaves(_ session: Session?) -> Bool {
        if case .session(let id) = self { id == session?.id } else { true }
    }

    fileprivate var activity: Activity { if case .session = self { .revocation } else { .logOut } }

    fileprivate func words(for count: Int) -> String {
        switch self {
        case .here: "Logged out."
        case .everywhere: "Logged out of \(count.quantity(of: "session"))."
        case .session(let id): "Ended session \(id)."
        }
    }
}
