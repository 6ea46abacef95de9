public import Essentials

/// A store of the devices from which users have logged in.
public protocol DeviceRepository: Sendable {
    /// Whether the user of a name has logged in from a device, and has used it after `time`. It is known by the SHA-256 of the
    /// secret that it keeps: 32 bytes.
    func isKnown(_ secretHash: [UInt8], to username: Username, since time: Date) async throws -> Bool

    /// Notes that a user logged in from a device at `time`. Of more than `limit` devices of the user those are forgotten that were
    /// used least recently.
    func keep(_ secretHash: [UInt8], of user: User.ID, at time: Date, keeping limit: Int) async throws

    /// Forgets a device of a user.
    func forget(_ secretHash: [UInt8], of user: User.ID) async throws
}
