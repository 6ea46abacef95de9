internal import AuthService
internal import Text
internal import Synchronization

/// The visits that are kept between requests, because their state is not in the address: the steps of a registration, the
/// code after a password, a secret that is shown once.
///
/// They are in the database, so that the next request can go to another server. Their content is encrypted with the key of
/// the browser, which only its cookie contains: the database alone reveals no password, and neither does the cookie.
///
/// They are few and short. If the limit is reached, the user with the most visits loses the least recently used one, so
/// that no user can fill the database or end the visits of others. Users without a session are distinguished by their
/// origin.
struct Visits: Sendable {
    /// The ID of a visit in addresses. It is useless to another browser.
    struct ID: Hashable, Sendable {
        let text: String

        /// Creates an ID from an address; nil if it is invalid.
        init?(_ text: String) {
            guard Base64URL.decode(text)?.count == 16 else { return nil }
            self.text = text
        }

        init(randomBytes: (Int) -> [UInt8]) { text = Base64URL.encode(randomBytes(16)) }

        fileprivate var bytes: [UInt8] { Base64URL.decode(text) ?? [] }
    }

    /// The owner of a visit: a browser with its session. When the session ends, the visit has lost its owner.
    struct Owner: Hashable, Sendable {
        let browser: BrowserKey
        /// Nil if nobody is signed in.
        let session: Session.ID?

        fileprivate var hash: [UInt8] {
            Sodium.sha256(browser.fingerprint + Array((session?.description ?? "").utf8))
        }
    }

    /// A visit as a request found it.
    struct Kept: Sendable {
        let id: ID
        let owner: Owner
        let content: String
        fileprivate let version: Int
    }

    private let repository: any VisitRepository
    private let turns = Turns()
    /// The maximum number of visits.
    private static let limit = 1_000
    /// The time in seconds after which an unused visit is removed.
    private static let lifetime: TimeInterval = 900

    init(_ repository: any VisitRepository) { self.repository = repository }

    /// Returns the visit with this ID, if it belongs to one of the owners and is still kept.
    func find(_ id: ID, of owners: [Owner], at now: Date) async throws -> Kept? {
        guard let (visit, version) = try await repository.visit(id.bytes), visit.usedAt + Self.lifetime > now,
            let owner = owners.first(where: { Sodium.isEqual(visit.owner, $0.hash) }),
            let content = owner.browser.open(visit.content, of: id)
        else { return nil }
        return Kept(id: id, owner: owner, content: content, version: version)
    }

    /// Keeps a visit for its owner after each request.
    ///
    /// - Parameters:
    ///   - kept: the visit before the request; nil if it is new.
    ///   - user: the signed-in user; nil if there is none.
    ///   - origin: the origin of the request; nil if it is unknown.
    /// - Returns: false if another server has changed or removed the visit since `kept`. That change stays.
    func save(
        _ content: String, as id: ID, since kept: Kept?, for owner: Owner, of user: User.ID?, from origin: String?,
        at now: Date
    ) async throws -> Bool {
        if let kept, kept.content == content, kept.owner == owner {
            try await repository.touch(id.bytes, at: now)
            return true
        }
        let holder = user.map { "user \($0)" } ?? "stranger \(origin ?? "")"
        let visit = StoredVisit(
            id: id.bytes, owner: owner.hash, holder: Sodium.sha256(Array(holder.utf8)),
            content: owner.browser.seal(content, of: id), usedAt: now)
        if let kept { return try await repository.replace(visit, version: kept.version) }
        try await repository.add(visit, keeping: Self.limit, usedAfter: now - Self.lifetime)
        return true
    }

    /// Removes a visit that has ended.
    func remove(_ kept: Kept) async throws { try await repository.remove(kept.id.bytes) }

    /// Runs `body` after the earlier requests of a visit to this server: a user may press a button twice.
    func inTurn<T>(_ id: ID, _ body: () async throws -> T) async rethrows -> T {
        await turns.take(id)
        defer { turns.giveBack(id) }
        return try await body()
    }
}

/// Admits one request of each visit at a time.
private final class Turns: Sendable {
    /// The requests that wait, by the visits with a request in progress.
    private let waiting = Mutex<[Visits.ID: [CheckedContinuation<Void, Never>]]>([:])

    func take(_ id: Visits.ID) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[id] != nil else {
                    waiting[id] = []
                    return true
                }
                waiting[id]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack(_ id: Visits.ID) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[id]?.isEmpty == false else {
                waiting[id] = nil
                return nil
            }
            return waiting[id]?.removeFirst()
        }
        next?.resume()
    }
}

extension BrowserKey {
    fileprivate func seal(_ content: String, of visit: Visits.ID) -> [UInt8] {
        Sodium.seal(Array(content.utf8), with: key("visit " + visit.text))
    }

    fileprivate func open(_ sealed: [UInt8], of visit: Visits.ID) -> String? {
        Sodium.open(sealed, with: key("visit " + visit.text)).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
