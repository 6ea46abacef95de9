/// Tells passwords that are known from leaks: a service of one's own, or one on the network.
///
/// This package asks nobody, because it opens no connections; who embeds it can. One that asks over the network sends no
/// more than the beginning of a hash and searches in the answer, so that the service learns no password (k-anonymity):
/// Have I Been Pwned takes the first five hexadecimal digits of the SHA-1 at `https://api.pwnedpasswords.com/range/`.
public protocol BreachCheck: Sendable {
    /// Whether the password is known from a leak. `Password.withUTF8(_:)` gives its bytes.
    ///
    /// What it throws, choosing a password throws: one that would rather let a password through than turn a person away
    /// when the service does not answer returns false.
    func isBreached(_ password: Password) async throws -> Bool
}
