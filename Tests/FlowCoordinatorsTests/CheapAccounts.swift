import AuthService
import Foundation
import StoreEngines

/// Accounts in memory; every password is ``Application/password``, with the cheapest hash.
struct CheapAccounts: UserRepository {
    let accounts: MemoryAccounts

    /// ``Application/password``, hashed in 8 KiB.
    private static let hash = PasswordHash(
        encoded: "$argon2id$v=19$m=8,t=1,p=1$9Owejd4Ud86Mpf2nv9AatQ$uzn76dCvbsO6Rfha0YEmY5vWRXI1YT2SuKb+TDRUBp4")

    func insert(
        username: Username, region: Region, passwordHash: PasswordHash, invitation: [UInt8]?,
        recording event: AuditEvent
    ) async throws -> User {
        try await accounts.insert(
            username: username, region: region, passwordHash: Self.hash, invitation: invitation,
            recording: event)
    }

    func users() async throws -> [User] { try await accounts.users() }

    func change(_ changes: [(change: UserChange, event: AuditEvent)], of user: User.ID) async throws -> Bool {
        try await accounts.change(changes, of: user)
    }

    func registration() async throws -> RegistrationPolicy { try await accounts.registration() }

    func setRegistration(_ policy: RegistrationPolicy, recording event: AuditEvent) async throws {
        try await accounts.setRegistration(policy, recording: event)
    }

    func invite(_ codeHash: [UInt8], until end: Date, recording event: AuditEvent) async throws {
        try await accounts.invite(codeHash, until: end, recording: event)
    }

    func issueReset(_ codeHash: [UInt8], of user: User.ID, until end: Date, recording event: AuditEvent) async throws
        -> Bool
    {
        try await accounts.issueReset(codeHash, of: user, until: end, recording: event)
    }

    func user(resetting codeHash: [UInt8], at time: Date) async throws -> User? {
        try await accounts.user(resetting: codeHash, at: time)
    }

    func resetPassword(
        of user: User, by codeHash: [UInt8], to passwordHash: PasswordHash, recording event: AuditEvent
    ) async throws -> Bool {
        try await accounts.resetPassword(of: user, by: codeHash, to: Self.hash, recording: event)
    }

    func account(named username: Username) async throws -> Account? { try await accounts.account(named: username) }

    /// Keeps the cheap hash.
    func rehash(_ account: Account, to passwordHash: PasswordHash, recording event: AuditEvent) async throws {}

    func changePassword(
        of user: User, to passwordHash: PasswordHash, opening session: StoredSession, recording event: AuditEvent
    ) async throws -> Bool {
        try await accounts.changePassword(of: user, to: Self.hash, opening: session, recording: event)
    }
}
