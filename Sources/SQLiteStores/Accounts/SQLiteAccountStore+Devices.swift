package import AuthService
internal import Database
package import Text

extension SQLiteAccountStore {
    /// Records a login. See `AccountStore`.
    package func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices devices: Int,
        counters: Int
    ) async throws {
        try await database.write { transaction in
            _ = try transaction.admitAttempt([[place]], at: time, keeping: counters)
            try transaction.run(
                """
                INSERT INTO device (user_id, secret_hash, created_at, last_used_at) VALUES (?1, ?2, ?3, ?3)
                ON CONFLICT (user_id, secret_hash) DO UPDATE SET last_used_at = max(last_used_at, ?3)
                """,
                [.integer(user), .blob(device), Value(time)])
            try transaction.run(
                """
                DELETE FROM device WHERE user_id = ?1 AND secret_hash IN (
                    SELECT secret_hash FROM device WHERE user_id = ?1
                    ORDER BY secret_hash = ?2 DESC, last_used_at DESC LIMIT -1 OFFSET ?3)
                """,
                [.integer(user), .blob(device), Value(devices)])
        }
    }

    /// Forgets a device. See `AccountStore`.
    package func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        try await database.write { transaction in
            try transaction.run(
                "DELETE FROM device WHERE user_id = ? AND secret_hash = ?", [.integer(user), .blob(secretHash)])
        }
    }
}

extension Snapshot {
    /// Returns whether a user has logged in from a device and has used it after `time`.
    func isKnownDevice(_ secretHash: [UInt8], to username: Username, since time: Date) throws -> Bool {
        try first(
            """
            SELECT 1 FROM device JOIN user ON user.id = device.user_id
            WHERE username = ? AND secret_hash = ? AND last_used_at > ?
            """,
            [.text(username.text), .blob(secretHash), Value(time)]
        ) { _ in true } ?? false
    }
}
