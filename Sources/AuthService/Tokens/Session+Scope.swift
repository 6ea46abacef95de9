extension Session {
    /// Returns whether the session permits operations for which an API token needs this scope, or, if the scope is nil,
    /// operations that require a log-in.
    public func mayBeUsed(for scope: APIToken.Scope?) -> Bool {
        guard let apiToken else { return true }
        return scope == .read || scope == .write && apiToken.scope == .write
    }
}
