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
            store: SQLiteAccountStore(database: database),
            hasher: hasher, breaches: breaches,
            passwordPolicy: passwordPolicy, sessionPolicy: sessionPolicy, throttlePolicy: throttlePolicy,
            accountPolicy: accountPolicy, clock: clock, randomBytes: randomBytes, pause: pause)
    }
}
