public import Text

/// A store of the devices from which users have logged in.
public protocol DeviceRepository: Sendable {
    /// Returns whether the user with a name has logged in from a device and has used it after `time`. The device is
    /// identified by the SHA-256 of its secret: 32 bytes.
    func isKnown(_ secretHash: [UInt8], to username: Username, since time: Date) async throws -> Bool

    /// Records that a user logged in from a device at `time`. If the user has more than `limit` devices, the least
    /// recently used ones are forgotten.
    func keep(_ secretHash: [UInt8], of user: User.ID, at time: Date, keeping limit: Int) async throws

    /// Forgets a device of a user.
    func forget(_ secretHash: [UInt8], of user: User.ID) async throws
}
