import Text

/// The rules for a new password. They do not require digits or symbols: such rules make passwords worse (NIST SP
/// 800-63B-4, 3.1.1.2).
public struct PasswordPolicy: Hashable, Sendable {
    /// The smallest minimum length that a policy can have. Source: OWASP ASVS 5.0, 6.2.1.
    public static let floor = 8

    /// The default minimum length.
    ///
    /// A password that is the only proof of identity must have at least 15 characters (NIST SP 800-63B-4, 3.1.1.2);
    /// OWASP ASVS 5.0, 6.2.1, allows 8 and recommends 15. Three or four words are that long. If every user must have a
    /// second factor, both standards allow 8.
    public static let standard = 15

    /// The minimum length in code points of the password's NFC (NIST SP 800-63B-4, 3.1.1.2).
    public let minimumLength: Int
    /// Words about the service that an attacker knows: the product, the host, the operator.
    public let contextWords: [String]
    private let commonPasswords: CommonPasswords

    /// Creates a policy that requires ``standard`` characters.
    public init(contextWords: [String] = []) {
        minimumLength = Self.standard
        self.contextWords = contextWords
        commonPasswords = .long
    }

    /// Creates a policy that requires `minimumLength` characters, or ``floor`` if that is more.
    ///
    /// - Parameters:
    ///   - minimumLength: the minimum length in code points.
    ///   - contextWords: words about the service that an attacker knows.
    ///   - commonPasswords: the passwords that are refused even if they seem strong. Below ``standard``, pass `.all` of
    ///     the module `CommonPasswords`.
    public init(minimumLength: Int, contextWords: [String] = [], commonPasswords: CommonPasswords) {
        self.minimumLength = max(minimumLength, Self.floor)
        self.contextWords = contextWords
        self.commonPasswords = commonPasswords
    }

    /// Checks a new password for the account `username`.
    ///
    /// The policy judges the text that an attacker must guess: the password's normal form, or the piece that it
    /// repeats. The text must not be a common password, and must have a zxcvbn score of at least 3 of 4, which means
    /// 10⁸ guesses: enough if guessing is throttled and hashes are slow.
    ///
    /// - Throws: `AuthError.weakPassword`.
    public func check(_ password: Password, username: Username) throws(AuthError) {
        guard password.byteCount <= Password.maximumBytes else {
            throw .weakPassword(.tooLong(maximumBytes: Password.maximumBytes))
        }
        guard password.composed.text.unicodeScalars.count >= minimumLength else {
            throw .weakPassword(.tooShort(minimum: minimumLength))
        }
        let characters = Array(UnicodeForm.compatibility.apply(to: password.text))
        let piece = Array(characters.prefix(characters.period))
        guard piece.count == characters.count || piece.count >= minimumLength else { throw .weakPassword(.repetition) }
        guard !commonPasswords.contains(String(piece)) else { throw .weakPassword(.common) }
        let names = Self.words(of: username.text)
        let context = contextWords.flatMap { Self.words(of: UnicodeForm.caseFolded.apply(to: $0)) }
        let strength = PasswordStrength(of: piece, knowing: names + context)
        guard strength.score >= 3 else {
            let isName = PasswordStrength(of: piece, knowing: names).pattern == .username
            throw .weakPassword(
                .guessable(strength.pattern == .username && !isName ? .context : strength.pattern))
        }
    }

    /// Returns a name and the words in it.
    private static func words(of name: String) -> [String] {
        [name] + name.split { !$0.isLetter }.filter { $0.count >= 3 }.map(String.init)
    }
}

extension Array where Element: Equatable {
    /// The length of the shortest piece that makes the array if it is repeated (the last repetition may be cut); the
    /// length of the array if nothing is repeated at least twice. Computed in linear time with the failure function of
    /// Knuth, Morris, and Pratt.
    fileprivate var period: Int {
        var border = [Int](repeating: 0, count: count)
        for index in indices.dropFirst() {
            var length = border[index - 1]
            while length > 0, self[index] != self[length] { length = border[length - 1] }
            border[index] = self[index] == self[length] ? length + 1 : 0
        }
        let period = count - (border.last ?? 0)
        return period * 2 <= count ? period : count
    }
}

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
