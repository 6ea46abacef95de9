extension Connection {
    /// Opens a file that no other process uses, so it never waits for locks.
    ///
    /// - Throws: `DatabaseError`.
    convenience init(alone path: String, access: Access, isDurable: Bool = true) throws {
        let patience = BusyWait(timeout: 0, isInterrupted: { false })
        try self.init(path: path, access: access, patience: patience, isDurable: isDurable)
    }
}
