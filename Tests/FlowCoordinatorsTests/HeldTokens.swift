import AuthService
import Foundation
import TestSupport

/// API tokens whose creation can pause.
final class HeldTokens: APITokenRepository {
    /// Pauses before a token is stored.
    let making = HeldAccounts.Stop()
    /// Open as soon as a token has been revoked.
    let revoked = Latch()
    private let tokens: any APITokenRepository

    init(_ tokens: any APITokenRepository) { self.tokens = tokens }

    func insert(_ stored: StoredAPIToken, limit: Int, recording event: AuditEvent) async throws -> Bool {
        await making.pass()
        return try await tokens.insert(stored, limit: limit, recording: event)
    }

    func findToken(_ id: Session.ID) async throws -> StoredAPIToken? { try await tokens.findToken(id) }

    func tokens(of user: User.ID) async throws -> [APIToken] { try await tokens.tokens(of: user) }

    func touchToken(_ id: Session.ID, at time: Date) async throws { try await tokens.touchToken(id, at: time) }

    func revokeToken(_ id: Session.ID, of user: User.ID, recording event: AuditEvent) async throws -> Bool {
        defer { revoked.open() }
        return try await tokens.revokeToken(id, of: user, recording: event)
    }
}
