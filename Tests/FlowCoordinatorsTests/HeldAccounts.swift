import AuthService
import Foundation
import StoreEngines
import Synchronization
import TestSupport

/// Holds calls to the accounts at given points, and reports when others have ended.
final class HeldAccounts: Sendable {
    /// A point where a call pauses once, if the test has requested it.
    final class Stop: Sendable {
        /// Open as soon as a call pauses.
        let reached = Latch()
        /// Opening it continues the call.
        let latch = Latch()
        private let isSet = Mutex(false)

        /// Makes the next call pause.
        func set() { isSet.withLock { $0 = true } }

        func pass() async {
            let stops = isSet.withLock { isSet in
                defer { isSet = false }
                return isSet
            }
            guard stops else { return }
            reached.open()
            await latch.wait()
        }
    }

    /// Pauses before a session is opened.
    let opening = Stop()
    /// Pauses before a session is looked up.
    let finding = Stop()
    /// Pauses before a password is changed.
    let changing = Stop()
    /// Pauses before an API token is stored.
    let making = Stop()
    /// Open as soon as a session has been ended.
    let ended = Latch()
    /// Open as soon as an API token has been revoked.
    let revoked = Latch()
    /// Whether the registration policy and invitations cannot be stored.
    let isFull = Atomic(false)

    /// Returns a store that forwards calls at these points.
    func store(_ store: any AccountStore) -> any AccountStore {
        WatchedAccounts(
            store,
            before: { [self] call in
                switch call {
                case .openSession: await opening.pass()
                case .session: await finding.pass()
                case .changePassword: await changing.pass()
                case .createToken: await making.pass()
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
