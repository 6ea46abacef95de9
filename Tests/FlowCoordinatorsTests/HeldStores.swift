import ArticleStore
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

/// Pauses searches and changes of a library until its latch is open, and lists in reverse until another is. It lets all
/// other calls pass.
final class HeldArticles: Sendable {
    let latch = Latch()
    /// Opening it continues lists in reverse order.
    let backwards = Latch()
    /// Open as soon as a call pauses at the first latch.
    let reached = Latch()
    /// The number of requested pages.
    var pages: Int { asked.withLock { $0 } }
    private let asked = Mutex(0)

    /// Returns the library whose calls are held.
    func library(_ library: any ArticleRepository & ArticleLog) -> WatchedArticles {
        WatchedArticles(library) { call in
            switch call {
            case .list(let query):
                self.asked.withLock { $0 += 1 }
                if query.text != nil { await self.hold() }
            case .listBefore:
                self.reached.open()
                await self.backwards.wait()
            case .write: await self.hold()
            case .other: break
            }
        }
    }

    private func hold() async {
        reached.open()
        await latch.wait()
    }
}
