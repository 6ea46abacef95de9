public import AuthService
internal import Navigation

/// The sessions of the signed-in user to end.
public enum SignOut: Hashable, Sendable {
    /// The session of this front.
    case here
    /// All sessions.
    case everywhere
    /// A single session, possibly that of this front.
    case session(Session.ID)
}

extension Environment {
    /// Ends sessions. If this front will be signed out, its flows are first asked whether data would be lost.
    func begin(_ signOut: SignOut, in flow: Flow<AppRoute, some Any>) {
        if signOut.leaves(signedIn.session) {
            flow.leaveAll(then: .signOutAgreed(signOut))
        } else {
            end(signOut, in: flow)
        }
    }

    /// Ends sessions after no flow has objected.
    func end(_ signOut: SignOut, in flow: Flow<AppRoute, some Any>) {
        let requests = signedIn.requests
        flow.run(signOut.activity, { .signedOut(signOut, $0) }) { try await requests.end(signOut) }
    }

    /// Shows a message about the result, and leaves places that the user may no longer see.
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
    /// Whether it signs this front out.
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
