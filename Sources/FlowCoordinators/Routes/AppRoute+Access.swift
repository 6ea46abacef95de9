public import AuthService
public import Navigation

extension AppRoute {
    /// The lowest role that is shown the place; nil if nobody needs to be signed in.
    public var role: Role? { row.role }

    /// Whether the place is shown only to a user who is signed in.
    public var isProtected: Bool { role != nil }

    /// The verdict of the gate on the place. A user who is signed in and may not go there has no way to it.
    ///
    /// - Parameter pending: the log-in that waits for a code, which goes before everything that takes one.
    func verdict(for session: Session?, pending: PendingLogIn? = nil) -> Gate<AppRoute>.Verdict {
        let entrance: [AppRoute] = pending == nil ? [.welcome, .login()] : [.welcome, .login(), .secondFactor]
        if self == .secondFactor, pending == nil { return .barred(entrance: session == nil ? entrance : []) }
        guard let role else { return .admitted }
        guard let session else { return .barred(entrance: entrance) }
        return session.user.role >= role && session.mayBeUsed(for: row.scope) ? .admitted : .barred(entrance: [])
    }

    /// Why who is signed in is not shown the place; nil where they are, or nobody is signed in.
    func refusal(of session: Session?) -> AuthError? {
        guard let session, let role, !isOpen(to: session) else { return nil }
        return session.user.role < role ? .notAllowed(role) : .outOfScope
    }

    /// Whether who is signed in is shown the place.
    func isOpen(to session: Session?) -> Bool { verdict(for: session) == .admitted }

    /// The screens that a role is shown, and the ways between them.
    public static func graph(for role: Role) -> FlowGraph {
        // The question before an import is lost is asked of who can import.
        let barred = Set(
            screens.filter { ($0 == .leave(.importing) ? importing.role : $0.role).map { $0 > role } ?? false }
                .map(\.screenName))
        return FlowGraph(
            nodes: graph.nodes.filter { !barred.contains($0.screen) },
            edges: graph.edges.filter { !barred.contains($0.from) && !barred.contains($0.to) })
    }
}
