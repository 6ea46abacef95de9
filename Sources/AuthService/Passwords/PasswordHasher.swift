internal import CSodium
internal import Platform

/// Hashes passwords with Argon2id (RFC 9106) in libsodium, with one lane and a salt of 16 random bytes.
///
/// A hash takes tens of milliseconds and `Parameters.memory` bytes. It runs outside of the caller's actor, at most two
/// at a time. Further callers wait in a `HashQueue`.
public struct PasswordHasher: Sendable {
    /// The cost of a hash.
    public struct Parameters: Hashable, Sendable {
        /// The memory in bytes.
        public let memory: Int
        /// The number of passes over the memory.
        public let passes: Int

        /// Creates parameters; nil if one of them is below `minimum` or above the maximum of libsodium.
        public init?(memory: Int, passes: Int) {
            guard memory >= Self.minimum.memory, passes >= Self.minimum.passes,
                memory <= crypto_pwhash_memlimit_max(), passes <= crypto_pwhash_opslimit_max()
            else { return nil }
            self.init(unchecked: memory, passes: passes)
        }

        /// Creates parameters that may be too weak for the passwords of users, for tests.
        package init(unchecked memory: Int, passes: Int) {
            self.memory = memory
            self.passes = passes
        }

        /// 19 MiB and two passes, the minimum of OWASP (Password Storage Cheat Sheet, Argon2id).
        public static let minimum = Parameters(unchecked: 19 << 20, passes: 2)

        /// The cost of a hash in KiB times passes. The duration is proportional to it (RFC 9106, section 3.1).
        var work: Int { (memory >> 10) * passes }

        /// 64 MiB and three passes: the second recommendation of RFC 9106, section 4.
        public static let `default` = Parameters(unchecked: 64 << 20, passes: 3)
    }

    /// The cost of a new hash.
    public let parameters: Parameters

    /// Called with the cost of each hash, in KiB times passes.
    private let onWork: (@Sendable (Int) -> Void)?
    private let executor: (any TaskExecutor)?
    private let queue: HashQueue

    /// Creates a hasher.
    ///
    /// - Parameters:
    ///   - parameters: the cost of a hash.
    ///   - executor: the executor for hashes, which take much time and memory. A server uses a few separate threads.
    ///     Nil for Swift's default thread pool.
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

    /// Returns a new hash of `password` in NFC, with a new salt.
    ///
    /// - Throws: `AuthError.outOfMemory`; `throttled` if too many callers wait.
    public func hash(_ password: Password) async throws(AuthError) -> PasswordHash {
        try await hash(password, in: HashQueue.Turn(.known, ""))
    }

    func hash(_ password: Password, in turn: HashQueue.Turn) async throws(AuthError) -> PasswordHash {
        try await onExecutor(turn) { () throws(AuthError) in try made(of: password) }
    }

    /// Performs slow work on the executor when it is the caller's turn.
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

    /// Returns whether `hash` belongs to `password`, in NFC or exactly as it was typed. A damaged hash does not belong
    /// to any password.
    ///
    /// A wrong password costs as much as with the current parameters, even if the stored hash is cheaper. Otherwise the
    /// duration would reveal which accounts are older than the parameters.
    ///
    /// - Throws: `AuthError.outOfMemory`, so that a correct password is not called wrong if memory is short.
    public func verify(_ password: Password, against hash: PasswordHash) async throws(AuthError) -> Bool {
        try await match(password, against: hash, in: HashQueue.Turn(.known, "")) != nil
    }

    /// The form of the password from which a hash was made.
    enum Match {
        case composed
        /// The hash is older than the rule that passwords are hashed in NFC.
        case asTyped
    }

    /// Returns the form of `password` from which `hash` was made; nil if the password is wrong. See `verify`.
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
            // Compute the digest and compare it here: libsodium's own check does not distinguish a wrong password from
            // a lack of memory.
            guard let digest = stored.digest(of: password) else { throw .outOfMemory(bytes: stored.memory << 10) }
            if Sodium.isEqual(digest, stored.digest) { return true }
        }
        if let rest = Argon2String(working: parameters.work - (stored?.work ?? 0), passes: parameters.passes) {
            onWork?(rest.work)
            guard rest.digest(of: password) != nil else { throw .outOfMemory(bytes: rest.memory << 10) }
        }
        return false
    }

    /// Returns whether `hash` was made with other parameters, so that it should be replaced when the password is
    /// available.
    public func needsRehash(_ hash: PasswordHash) -> Bool {
        guard let stored = Argon2String(hash) else { return true }
        return stored.memory != parameters.memory >> 10 || stored.passes != parameters.passes
    }

    /// A dummy hash that costs as much to verify as a real one. A login with an unknown name is checked against it. It
    /// is a constant, because computing it would cost one more hash.
    public var decoy: PasswordHash {
        let salt = String(repeating: "A", count: 22)
        let digest = String(repeating: "A", count: 43)
        return PasswordHash(
            encoded: "$argon2id$v=19$m=\(parameters.memory >> 10),t=\(parameters.passes),p=1$\(salt)$\(digest)")
    }
}

/// The stored hash of a password: an Argon2id string with its parameters and salt. It does not print itself.
public struct PasswordHash: Hashable, Sendable, Redacted {
    /// The string in the standard form, `$argon2id$v=19$m=65536,t=3,p=1$…$…`.
    public let encoded: String

    /// Creates a hash from its stored form.
    public init(encoded: String) { self.encoded = encoded }
}
