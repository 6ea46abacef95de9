import ArticleStore
import AuthService
import Foundation
import Synchronization

/// Accounts and sessions in memory, each of whose passwords is ``Application/password`` at the least cost there is.
final class MemoryAccounts: UserRepository, SessionRepository, LogInThrottleRepository, AuditLog {
    private struct Tables {
        var users: [Username: User] = [:]
        var sessions: [Session.ID: StoredSession] = [:]
        /// Every session that was ever opened, ended or not.
        var seen: [Session.ID: StoredSession] = [:]
        var failures: [[UInt8]: LogInFailures] = [:]
    }

    private let tables = Mutex(Tables())

    /// ``Application/password``, hashed in 8 KiB.
    private static let hash = PasswordHash(
        encoded: "$argon2id$v=19$m=8,t=1,p=1$9Owejd4Ud86Mpf2nv9AatQ$uzn76dCvbsO6Rfha0YEmY5vWRXI1YT2SuKb+TDRUBp4")

    /// Whether a session is there, ended by time or not.
    func has(_ id: Session.ID) -> Bool { tables.withLock { $0.sessions[id] != nil } }

    /// Opens a session that there was, as another client of the same user would.
    func reopen(_ id: Session.ID, at now: Date) {
        tables.withLock { tables in
            guard let stored = tables.seen[id] else { return }
            let session = Session(
                id: id, user: stored.session.user, client: stored.session.client, createdAt: now, lastUsedAt: now,
                expiresAt: now.addingTimeInterval(30 * 86_400))
            tables.sessions[id] = StoredSession(session: session, secretHash: stored.secretHash)
        }
    }

    /// Ends all sessions, as an administrator would.
    func endAll() { tables.withLock { $0.sessions = [:] } }

    func insert(
        username: Username, region: Region, passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> User {
        try tables.withLock { tables in
            guard tables.users[username] == nil else { throw AuthError.usernameTaken(username) }
            let user = User(
                id: Int64(tables.users.count + 1), username: username, region: region, createdAt: event.at,
                passwordChangedAt: event.at)
            tables.users[username] = user
            return user
        }
    }

    func account(named username: Username) async throws -> Account? {
        tables.withLock { $0.users[username] }.map { Account(user: $0, passwordHash: Self.hash) }
    }

    func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws {}

    func changePassword(
        of user: User, to passwordHash: PasswordHash, opening session: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        tables.withLock { tables in
            tables.sessions = tables.sessions.filter { $0.value.session.user.id != user.id }
            tables.sessions[session.session.id] = session
            tables.users[user.username] = session.session.user
            return true
        }
    }

    func open(_ stored: StoredSession, recording event: AuditEvent) async throws -> Bool {
        tables.withLock { tables in
            tables.sessions[stored.session.id] = stored
            tables.seen[stored.session.id] = stored
        }
        return true
    }

    func find(_ id: Session.ID) async throws -> StoredSession? { tables.withLock { $0.sessions[id] } }

    func sessions(of user: User.ID) async throws -> [Session] {
        tables.withLock { tables in
            tables.sessions.values.map(\.session).filter { $0.user.id == user }
                .sorted { ($1.lastUsedAt, $0.id.description) < ($0.lastUsedAt, $1.id.description) }
        }
    }

    func touch(_ id: Session.ID, at time: Date) async throws {
        tables.withLock { tables in
            guard let stored = tables.sessions[id] else { return }
            let old = stored.session
            let session = Session(
                id: id, user: old.user, client: old.client, createdAt: old.createdAt, lastUsedAt: time,
                expiresAt: old.expiresAt)
            tables.sessions[id] = StoredSession(session: session, secretHash: stored.secretHash)
        }
    }

    func end(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        tables.withLock { tables in
            guard tables.sessions[id]?.session.user.id == user else { return false }
            return tables.sessions.removeValue(forKey: id) != nil
        }
    }

    func endAll(of user: User.ID, recording event: AuditEvent) async throws -> Int {
        tables.withLock { tables in
            let before = tables.sessions.count
            tables.sessions = tables.sessions.filter { $0.value.session.user.id != user }
            return before - tables.sessions.count
        }
    }

    func endExpired(at time: Date, idleSince: Date) async throws {
        tables.withLock { tables in
            tables.sessions = tables.sessions.filter {
                $0.value.session.expiresAt > time && $0.value.session.lastUsedAt > idleSince
            }
        }
    }

    func admit(_ nameHash: [UInt8], at now: Date, policy: ThrottlePolicy) async throws -> LogInAttempt {
        tables.withLock { tables in
            let attempt = policy.judge(tables.failures[nameHash] ?? LogInFailures(count: 0, last: now), at: now)
            if case .admitted(let count) = attempt {
                tables.failures[nameHash] = LogInFailures(count: count, last: now)
            }
            return attempt
        }
    }

    func reset(_ nameHash: [UInt8]) async throws { tables.withLock { $0.failures[nameHash] = nil } }

    func record(_ events: [AuditEvent]) async throws {}

    func events(of user: User.ID, limit: Int) async throws -> [AuditEvent] { [] }
}

/// A few articles in memory, which every query lists alike, newest first.
struct MemoryArticles: ArticleRepository {
    struct ReadOnly: Error {}

    let articles: [Article]

    init(count: Int64) {
        articles = (1...count).reversed().map { number in
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            return Article(
                id: number, slug: "article-\(number)", title: "Article \(number)", body: "Body \(number)",
                published: date, updated: date)
        }
    }

    func article(id: Int64) async throws -> Article? { articles.first { $0.id == id } }
    func article(slug: String) async throws -> Article? { articles.first { $0.slug == slug } }
    func count(_ query: ArticleQuery) async throws -> Int { articles.count }

    func list(_ query: ArticleQuery, after cursor: Cursor?, limit: Int) async throws -> ArticlePage {
        var rest = articles[...]
        if case .date(_, let id) = try cursor?.position(in: query) { rest = rest.drop { $0.id >= id } }
        let page = rest.prefix(limit)
        let next = page.count < rest.count ? page.last : nil
        return ArticlePage(
            summaries: page.map { ArticleSummary($0) },
            next: next.map { Cursor(after: .date($0.published, id: $0.id), in: query) })
    }

    func list(_ query: ArticleQuery, before cursor: Cursor?, limit: Int) async throws -> [ArticleSummary] {
        var start = articles[...]
        if case .date(_, let id) = try cursor?.position(in: query) { start = start.prefix { $0.id >= id } }
        return start.suffix(limit).map { ArticleSummary($0) }
    }

    func write<T: Sendable>(_ body: (any ArticleWriter) throws -> T) async throws -> T { throw ReadOnly() }
}
