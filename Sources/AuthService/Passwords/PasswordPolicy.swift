import Text

/// Which passwords may be chosen. It asks for no digits or symbols: such rules make passwords worse (NIST SP
/// 800-63B-4, 3.1.1.2).
public struct PasswordPolicy: Hashable, Sendable {
    /// The least number of characters that may be asked for. Source: OWASP ASVS 5.0, 6.2.1.
    public static let floor = 8

    /// How many characters a password has at least where nobody says otherwise.
    ///
    /// A password that is all that proves who somebody is has at least 15 (NIST SP 800-63B-4, 3.1.1.2, "SHALL"), and here it
    /// is, unless its user adds something to it. OWASP ASVS 5.0, 6.2.1, lets 8 pass and recommends 15. Three or four words
    /// have as many, and no password that was chosen before is asked for anew. Who asks everybody for a second factor may set
    /// 8, which both allow then.
    public static let standard = 15

    /// How many characters a password has at least. Code points of its NFC are counted (NIST SP 800-63B-4, 3.1.1.2).
    public let minimumLength: Int
    /// What a guesser knows of the place that the password is for: the product, the host, who runs it.
    public let contextWords: [String]

    /// A policy that asks for `minimumLength` characters, or for `floor` when that is more.
    public init(minimumLength: Int = standard, contextWords: [String] = []) {
        self.minimumLength = max(minimumLength, Self.floor)
        self.contextWords = contextWords
    }

    /// Accepts a password that someone chooses for the account `username`, or says what is wrong with it.
    ///
    /// It is judged as what a guesser has to find: in its normal form, and when it repeats a piece, as that piece.
    /// It must be none of the commonest, and reach a score of 3 of 4 by zxcvbn, 10⁸ guesses: safe where guessing is
    /// throttled and hashes are slow.
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
        guard !CommonPasswords.contains(String(piece)) else { throw .weakPassword(.common) }
        let names = Self.words(of: username.text)
        let context = contextWords.flatMap { Self.words(of: UnicodeForm.caseFolded.apply(to: $0)) }
        let strength = PasswordStrength(of: piece, knowing: names + context)
        guard strength.score >= 3 else {
            let isName = PasswordStrength(of: piece, knowing: names).pattern == .username
            throw .weakPassword(
                .guessable(strength.pattern == .username && !isName ? .context : strength.pattern))
        }
    }

    /// A name, and the words that it is made of.
    private static func words(of name: String) -> [String] {
        [name] + name.split { !$0.isLetter }.filter { $0.count >= 3 }.map(String.init)
    }
}

extension Array where Element: Equatable {
    /// The length of the shortest piece that, repeated and perhaps cut at the end, makes the array; its own length when
    /// nothing in it repeats twice over. Found in linear time by the failure function of Knuth, Morris and Pratt.
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
