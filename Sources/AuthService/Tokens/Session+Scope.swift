extension Session {
    /// Whether it may be used for what an API token has to be for, or, where that is nil, for what takes a log-in.
    public func mayBeUsed(for scope: APIToken.Scope?) -> Bool {
        guard let apiToken else { return true }
        return scope == .read || scope == .write && apiToken.scope == .write
    }
}
