internal import AuthService
internal import Text
internal import Synchronization

/// The visits that are kept between requests, because their state is not in the address: the steps of a registration, the
/// code after a password, a secret that is shown once.
///
/// They are few and short. If the limit is reached, the user with the most visits loses the least recently used one, so
/// that no user can fill the memory or end the visits of others. Users without a session are distinguished by their
/// origin.
final class Visits: Sendable {
    /// The ID of a visit in addresses. It is useless to another browser.
    struct ID: Hashable, Sendable {
        let text: String

        /// Creates an ID from an address; nil if it is invalid.
        init?(_ text: String) {
            guard Base64URL.decode(text)?.count == 16 else { return nil }
            self.text = text
        }

        init(randomBytes: (Int) -> [UInt8]) { text = Base64URL.encode(randomBytes(16)) }
    }

    /// The owner of a visit: a browser with its session. When the session ends, the visit has lost its owner.
    struct Owner: Hashable, Sendable {
        let browser: [UInt8]
        /// Nil if nobody is signed in.
        let session: Session.ID?
        /// Nil if nobody is signed in.
        let user: User.ID?

        init(_ browser: BrowserKey, _ session: Session?) {
            self.browser = browser.fingerprint
            self.session = session?.id
            user = session?.user.id
        }
    }

    /// The key under which visits are counted.
    private enum Holder: Hashable {
        case user(User.ID)
        case stranger(from: String?)
    }

    private struct Kept {
        let visit: Visit
        let owner: Owner
        let holder: Holder
        let usedAt: Date
    }

    private let limit: Int
    private let lifetime: TimeInterval
    private let kept = Mutex<[ID: Kept]>([:])

    /// - Parameters:
    ///   - limit: the maximum number of visits.
    ///   - lifetime: the time in seconds after which an unused visit is removed.
    init(limit: Int = 1_000, lifetime: TimeInterval = 900) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// Returns the visit with this ID, if it belongs to the owner and is still kept.
    func find(_ id: ID, of owner: Owner, at now: Date) -> Visit? {
        kept.withLock { kept in
            guard let found = kept[id], found.owner == owner, found.usedAt + lifetime > now else { return nil }
            return found.visit
        }
    }

    /// Keeps a visit for its owner after each request, and removes those that were not used for ``lifetime``.
    ///
    /// - Parameter origin: the origin of the request; nil if it is unknown.
    func store(_ visit: Visit, as id: ID, for owner: Owner, from origin: String?, at now: Date) {
        let holder = owner.user.map { Holder.user($0) } ?? .stranger(from: origin)
        let added = Kept(visit: visit, owner: owner, holder: holder, usedAt: now)
        kept.withLock { kept in
            kept = kept.filter { $0.value.usedAt + lifetime > now }
            kept[id] = added
            guard kept.count > limit else { return }
            let counts = Dictionary(kept.values.map { ($0.holder, 1) }, uniquingKeysWith: +)
            let least = kept.filter { $0.key != id }.max { first, second in
                let (mine, other) = (counts[first.value.holder] ?? 0, counts[second.value.holder] ?? 0)
                return (mine, second.value.usedAt) < (other, first.value.usedAt)
            }
            if let least { kept[least.key] = nil }
        }
    }

    /// Removes a visit.
    func end(_ id: ID) { kept.withLock { $0[id] = nil } }
}
