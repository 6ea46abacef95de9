internal import Essentials
internal import Synchronization
internal import Text

/// The visits that are kept between requests, because they are at something that is no place by itself: the steps of a sign-up,
/// the code after a password, a secret that is shown once.
///
/// They are few and short: the longest unused give way, so that nobody can fill the memory by beginning many.
final class Visits: Sendable {
    /// What a visit is known by in addresses. It is of no use to another browser.
    struct ID: Hashable, Sendable {
        let text: String

        /// An id from an address; nil where it is none.
        init?(_ text: String) {
            guard Base64URL.decode(text)?.count == 16 else { return nil }
            self.text = text
        }

        init(randomBytes: (Int) -> [UInt8]) { text = Base64URL.encode(randomBytes(16)) }
    }

    private struct Kept {
        let visit: Visit
        /// Whose browser it is.
        let fingerprint: [UInt8]
        var usedAt: Date
    }

    private let limit: Int
    private let lifetime: TimeInterval
    private let kept = Mutex<[ID: Kept]>([:])

    /// - Parameters:
    ///   - limit: how many are kept at most.
    ///   - lifetime: how long one is kept that is not used, in seconds.
    init(limit: Int = 1_000, lifetime: TimeInterval = 900) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// The visit of this id, if it is of this browser and still kept.
    func find(_ id: ID, of browser: BrowserKey, at now: Date) -> Visit? {
        let fingerprint = browser.fingerprint
        return kept.withLock { kept in
            guard var found = kept[id], found.fingerprint == fingerprint, found.usedAt + lifetime > now else {
                return nil
            }
            found.usedAt = now
            kept[id] = found
            return found.visit
        }
    }

    /// Keeps a visit for the browser.
    func keep(_ visit: Visit, as id: ID, for browser: BrowserKey, at now: Date) {
        let added = Kept(visit: visit, fingerprint: browser.fingerprint, usedAt: now)
        kept.withLock { kept in
            kept[id] = added
            guard kept.count > limit else { return }
            kept = kept.filter { $0.value.usedAt + lifetime > now }
            guard kept.count > limit, let oldest = kept.min(by: { $0.value.usedAt < $1.value.usedAt }) else { return }
            kept[oldest.key] = nil
        }
    }

    /// Keeps a visit no longer.
    func end(_ id: ID) { kept.withLock { $0[id] = nil } }
}
