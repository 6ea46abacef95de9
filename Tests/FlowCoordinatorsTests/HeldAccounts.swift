import AuthService
import Foundation
import StoreEngines
import Synchronization
import TestSupport

/// Holds calls to the accounts that a test chooses, and reports when others have ended.
final class HeldAccounts: Sendable {
    /// A call that pauses.
    struct Stop: Sendable {
        /// Open as soon as the call pauses.
        let reached = Latch()
        /// Opening it continues the call.
        let latch = Latch()
    }

    /// Open as soon as a session has been ended.
    let ended = Latch()
    /// Open as soon as an API token has been revoked.
    let revoked = Latch()
    /// Whether the registration policy and invitations cannot be stored.
    let isFull = Atomic(false)
    private let stops = Mutex<[WatchedAccounts.Call: Stop]>([:])

    /// Makes the next call of this kind pause.
    func hold(_ call: WatchedAccounts.Call) -> Stop {
        let stop = Stop()
        stops.withLock { $0[call] = stop }
        return stop
    }

    /// Returns a store that forwards calls.
    func store(_ store: any AccountStore) -> any AccountStore {
        WatchedAccounts(
            store,
            before: { [self] call in
                if let stop = stops.withLock({ $0.removeValue(forKey: call) }) {
                    stop.reached.open()
                    await stop.latch.wait()
                }
                switch call {
                case .setRegistrationPolicy, .addInvitation:
                    if isFull.load(ordering: .relaxed) { throw CocoaError(.fileWriteOutOfSpace) }
                default: break
                }
            },
            after: { [self] call in
                switch call {
                case .endSession: ended.open()
                case .revokeToken: revoked.open()
                default: break
                }
            })
    }
}
