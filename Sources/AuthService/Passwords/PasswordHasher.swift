internal import CSodium
internal import Platform

/// Hashes passwords with Argon2id (RFC 9106), as libsodium has it: one lane, a salt of 16 random bytes.
///
/// A hash takes tens of milliseconds and `Parameters.memory` bytes. It runs off the caller's actor, at most two at a time;
/// further callers wait in a `HashQueue`.
public struct PasswordHasher: Sendable {
    /// How much a hash costs.
    public struct Parameters: Hashable, Sendable {
        /// The memory it fills, in bytes.
        public let memory: Int
        /// How many times it passes over that memory.
        public let passes: Int

        /// The parameters, or nil when they are below `minimum` in either respect or beyond what libsodium takes.
        public init?(memory: Int, passes: Int) {
            guard memory >= Self.minimum.memory, passes >= Self.minimum.passes,
                memory <= crypto_pwhash_memlimit_max(), passes <= crypto_pwhash_opslimit_max()
            else { return nil }
            self.init(checked: memory, passes: passes)
        }

        private init(checked memory: Int, passes: Int) {
            self.memory = memory
            self.passes = passes
        }

        /// 19 MiB, two passes: the least that OWASP allows (Password Storage Cheat Sheet, Argon2id).
        public static let minimum = Parameters(checked: 19 << 20, passes: 2)

        /// What a hash costs, in KiB that are passed over: its time is proportional to that (RFC 9106, section 3.1).
        var work: Int { (memory >> 10) * passes }

        /// 64 MiB, three passes: the second choice of RFC 9106, section 4.
        public static let `default` = Parameters(checked: 64 << 20, passes: 3)
    }

    /// What a new hash costs.
    public let parameters: Parameters

    /// Told what each piece of work costs, in KiB that are passed over.
    private let onWork: (@Sendable (Int) -> Void)?
    private let executor: (any TaskExecutor)?
    private let queue: HashQueue

    /// A hasher.
    ///
    /// - Parameters:
    ///   - parameters: what a hash costs.
    ///   - executor: where hashes are made, which take long and much memory: a server gives them a few threads of their own. Nil
    ///     for the threads that Swift keeps for tasks.
    public init(parameters: Parameters = .default, on executor: (any TaskExecutor)? = nil) {
        self.init(parameters: parameters, executor: executor, onWork: nil)
    }

    package init(
        parameters: Parameters, executor: (any TaskExecutor)? = nil, queue: HashQueue = HashQueue(running: 2),
        onWork: (@Sendable (Int) -> Void)?
    ) {
        self.queue = queue
        self.parameters = parameters
        self.executor = executor
        self.onWork = onWork
    }

    /// A new hash of `password` in NFC, with a new salt.
    ///
    /// - Throws: `AuthError.outOfMemory`; `throttled` if too many callers wait.
    public func hash(_ password: Password) async throws(AuthError) -> PasswordHash {
        try await hash(password, in: HashQueue.Turn(.known, ""))
    }

    func hash(_ password: Password, in turn: HashQueue.Turn) async throws(AuthError) -> PasswordHash {
        try await onExecutor(turn) { () throws(AuthError) in try made(of: password) }
    }

    /// Does what takes long where that is done.
    @concurrent
    private func onExecutor<Value: Sendable>(
        _ turn: HashQueue.Turn, _ work: @Sendable () throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await queue.run(turn) { () throws(AuthError) in
            let result: Result<Value, AuthError> = await withTaskExecutorPreference(executor) {
                do throws(AuthError) { return .success(try work()) } catch { return .failure(error) }
            }
            return try result.get()
        }
    }

    private func made(of password: Password) throws(AuthError) -> PasswordHash {
        Sodium.prepare()
        var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let status = password.composed.withCharacters { start, count in
            crypto_pwhash_str_alg(
                &encoded, start, UInt64(count), UInt64(parameters.passes), parameters.memory,
                crypto_pwhash_ALG_ARGON2ID13)
        }
        guard status == 0 else { throw .outOfMemory(bytes: parameters.memory) }
        return PasswordHash(encoded: String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }

    /// Whether `hash` was made of `password`, in NFC or exactly as it was typed. A hash that is damaged belongs to none.
    ///
    /// To find that it was not costs as much as with these parameters also where the hash was cheaper: otherwise the time
    /// would tell whose account is older than they are.
    ///
    /// - Throws: `AuthError.outOfMemory`, so that a machine under pressure does not call a right password wrong.
    public func verify(_ password: Password, against hash: PasswordHash) async throws(AuthError) -> Bool {
        try await match(password, against: hash, in: HashQueue.Turn(.known, "")) != nil
    }

    /// In which form a password is that a hash was made of.
    enum Match {
        case composed
        /// The hash is older than the rule that passwords are hashed in NFC.
        case asTyped
    }

    /// In which form `hash` was made of `password`; nil when in none. See `verify`.
    func match(_ password: Password, against hash: PasswordHash, in turn: HashQueue.Turn)
        async throws(AuthError) -> Match?
    {
        try await onExecutor(turn) { () throws(AuthError) in try matched(password, against: hash) }
    }

    private func matched(_ password: Password, against hash: PasswordHash) throws(AuthError) -> Match? {
        Sodium.prepare()
        let stored = Argon2String(hash)
        let composed = password.composed
        if try isMade(stored, of: composed) { return .composed }
        guard composed != password, try isMade(stored, of: password) else { return nil }
        return .asTyped
    }

    private func isMade(_ stored: Argon2String?, of password: Password) throws(AuthError) -> Bool {
        if let stored {
            onWork?(stored.work)
            // Made anew and compared here: what libsodium says of a hash that it could not make, it says of another
            // password.
            guard let digest = stored.digest(of: password) else { throw .outOfMemory(bytes: stored.memory << 10) }
            if Sodium.isEqual(digest, stored.digest) { return true }
        }
        if let rest = Argon2String(working: parameters.work - (stored?.work ?? 0), passes: parameters.passes) {
            onWork?(rest.work)
            guard rest.digest(of: password) != nil else { throw .outOfMemory(bytes: rest.memory << 10) }
        }
        return false
    }

    /// Whether `hash` was made with other parameters than these, so that it should be made anew when the password is at
    /// hand.
    public func needsRehash(_ hash: PasswordHash) -> Bool {
        guard let stored = Argon2String(hash) else { return true }
        return stored.memory != parameters.memory >> 10 || stored.passes != parameters.passes
    }

    /// A hash of no password that costs as much to verify as any made with these parameters: what a log-in is checked
    /// against when there is no such user. Written, not computed, or it would cost one hash more.
    public var decoy: PasswordHash {
        let salt = String(repeating: "A", count: 22)
        let digest = String(repeating: "A", count: 43)
        return PasswordHash(
            encoded: "$argon2id$v=19$m=\(parameters.memory >> 10),t=\(parameters.passes),p=1$\(salt)$\(digest)")
    }
}
