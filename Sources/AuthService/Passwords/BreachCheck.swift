/// Recognizes passwords from known leaks, with a local or a network service.
///
/// This package does not open network connections, so it contains no implementation; an embedding program can provide
/// one. A network implementation should send only the beginning of a hash and search in the response, so that the
/// service does not learn the password (k-anonymity): Have I Been Pwned accepts the first five hexadecimal digits of
/// the SHA-1 at `https://api.pwnedpasswords.com/range/`.
public protocol BreachCheck: Sendable {
    /// Returns whether the password is known from a leak. `Password.withUTF8(_:)` gives its bytes.
    ///
    /// Errors propagate to the caller. To accept passwords while the service is down, return `false`.
    func isBreached(_ password: Password) async throws -> Bool
}
