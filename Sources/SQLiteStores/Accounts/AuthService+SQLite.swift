public import AuthService
public import Database
public import Text

extension AuthService {
    /// Creates a service on the tables of `database`. The other parameters are the same as in the other initializer.
    public init(
        database: Database, hasher: PasswordHasher = PasswordHasher(), breaches: (any BreachCheck)? = nil,
        passwordPolicy: PasswordPolicy = PasswordPolicy(), sessionPolicy: SessionPolicy = SessionPolicy(),
        throttlePolicy: ThrottlePolicy = ThrottlePolicy(), accountPolicy: AccountPolicy = AccountPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() },
        randomBytes: (@Sendable (Int) -> [UInt8])? = nil,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.init(
            users: SQLiteUserRepository(database: database), sessions: SQLiteSessionRepository(database: database),
            throttle: SQLiteLogInThrottleRepository(database: database),
            devices: SQLiteDeviceRepository(database: database), tokens: SQLiteAPITokenRepository(database: database),
            secondFactors: SQLiteSecondFactorRepository(database: database), audit: SQLiteAuditLog(database: database),
            hasher: hasher, breaches: breaches,
            passwordPolicy: passwordPolicy, sessionPolicy: sessionPolicy, throttlePolicy: throttlePolicy,
            accountPolicy: accountPolicy, clock: clock, randomBytes: randomBytes, pause: pause)
    }
}

extension FeedAddresses {
    /// Creates feed addresses for the users of a service, in the table of `database`.
    public init(auth: AuthService, database: Database) {
        self.init(auth: auth, repository: SQLiteFeedAddressRepository(database: database))
    }
}
