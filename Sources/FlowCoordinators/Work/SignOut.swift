public import AuthService
internal import Navigation

/// Which sessions of who is signed in are to end.
public enum SignOut: Hashable, Sendable {
    /// The one of this front.
    case here
    /// All of them.
    case everywhere
    /// One of them, which may be that of this front.
    case session(Session.ID)
}

extension Environment {
    /// Asks whether nothing is lost by it where this front is to be left, and then ends sessions.
    func begin(_ signOut: SignOut, in flow: Flow<AppRoute, some Any>) {
        if signOut.leaves(signedIn.session) {
            flow.leaveAll(then: .signOutAgreed(signOut))
        } else {
            end(signOut, in: flow)
        }
    }

    /// Ends sessions, now that nobody objects.
    func end(_ signOut: SignOut, in flow: Flow<AppRoute, some Any>) {
        let requests = signedIn.requests
        flow.run(signOut.activity, { .signedOut(signOut, $0) }) { try await requests.end(signOut) }
    }

    /// Says what came of it, and leads away from where one cannot be any more.
    func conclude(_ signOut: SignOut, _ result: Result<Int, any Error>, in flow: Flow<AppRoute, some Any>) async {
        await attempt {
            let count = try result.get()
            if signOut.leaves(signedIn.session) { try signedIn.forget() }
            say(Notice(signOut.words(for: count)))
        }
        if signedIn.session == nil { flow.show([]) }
    }
}

extension SignOut {
    /// Whether this front is signed out by it.
    fileprivate func leaves(_ session: Session?) -> Bool {
        if case .session(let id) = self { id == session?.id } else { true }
    }

    fileprivate var activity: Activity { if case .session = self { .revocation } else { .logOut } }

    fileprivate func words(for count: Int) -> String {
        switch self {
        case .here: "Logged out."
        case .everywhere: "Logged out of \(count) \(count == 1 ? "session" : "sessions")."
        case .session(let id): "Session \(id) has ended."
        }
    }
}
