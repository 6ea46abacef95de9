import Text

/// Which passwords may be chosen. It asks for no digits or symbols: such rules make passwords worse (NIST SP 800-63B).
public struct PasswordPolicy: Hashable, Sendable {
    /// The least number of characters that may be asked for. Source: OWASP ASVS 5.0, 6.2.1.
    public static let floor = 8

    /// How many characters a password has at least, counted as a person counts them.
    public let minimumLength: Int

    /// A policy that asks for `minimumLength` characters, or for `floor` when that is more.
    public init(minimumLength: Int = floor) {
        self.minimumLength = max(minimumLength, Self.floor)
    }

    /// Accepts a password that someone chooses for the account `username`, or says what is wrong with it.
    ///
    /// It is judged as what a guesser has to find: in its normal form, and when it repeats a piece, as that piece.
    /// It must reach a score of 3 of 4 by zxcvbn, 10⁸ guesses: safe where guessing is throttled and hashes are slow.
    ///
    /// - Throws: `AuthError.weakPassword`.
    public func check(_ password: Password, username: Username) throws(AuthError) {
        guard password.byteCount <= Password.maximumBytes else {
            throw .weakPassword(.tooLong(maximumBytes: Password.maximumBytes))
        }
        guard password.text.count >= minimumLength else { throw .weakPassword(.tooShort(minimum: minimumLength)) }
        let characters = Array(UnicodeForm.compatibility.apply(to: password.text))
        let piece = Array(characters.prefix(characters.period))
        guard piece.count == characters.count || piece.count >= minimumLength else { throw .weakPassword(.repetition) }
        let parts = username.text.split { !$0.isLetter }.filter { $0.count >= 3 }.map(String.init)
        let strength = PasswordStrength(of: piece, knowing: [username.text] + parts)
        guard strength.score >= 3 else { throw .weakPassword(.guessable(strength.pattern)) }
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
