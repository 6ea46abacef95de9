package import AuthService
internal import PostgreSQL
package import Text

extension PostgreSQLAccountStore {
    /// Records a login. See `AccountStore`.
    package func recordLogIn(
        of user: User.ID, on device: [UInt8], from place: AttemptCounter, at time: Date, keepingDevices devices: Int,
        counters: Int
    ) async throws {
        try await server.write([
            .admittingAttempt([[place]], at: time, keeping: counters),
            Statement(
                """
                INSERT INTO device (user_id, secret_hash, created_at, last_used_at) VALUES ($1, $2, $3, $3)
                ON CONFLICT (user_id, secret_hash)
                DO UPDATE SET last_used_at = greatest(device.last_used_at, excluded.last_used_at)
                """,
                [.integer(user), .bytes(device), Value(time)]),
            Statement(
                """
                DELETE FROM device WHERE user_id = $1 AND secret_hash IN (
                    SELECT secret_hash FROM device WHERE user_id = $1
                    ORDER BY secret_hash = $2 DESC, last_used_at DESC OFFSET $3)
                """,
                [.integer(user), .bytes(device), Value(devices)]),
        ])
    }

    /// Forgets a device. See `AccountStore`.
    package func removeDevice(_ secretHash: [UInt8], of user: User.ID) async throws {
        try await server.write([
            Statement(
                "DELETE FROM device WHERE user_id = $1 AND secret_hash = $2", [.integer(user), .bytes(secretHash)])
        ])
    }
}
