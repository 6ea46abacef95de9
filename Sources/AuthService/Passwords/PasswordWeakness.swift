/// The reason why a password is refused, with advice for a better one.
public enum PasswordWeakness: Hashable, Sendable {
    /// It has too few characters.
    case tooShort(minimum: Int)
    /// It has more bytes than are examined.
    case tooLong(maximumBytes: Int)
    /// It repeats one short piece.
    case repetition
    /// It is a common password, or repeats one.
    case common
    /// A `BreachCheck` knows it from a leak.
    case breached
    /// It is easy to guess, mainly because of this pattern.
    case guessable(Pattern)

    /// A pattern that attackers try first.
    public enum Pattern: Hashable, Sendable {
        /// A common password, word, or name, possibly with some letters replaced (`p4ssw0rd`).
        case commonWord
        /// The username or a part of it.
        case username
        /// A word about the service: the product, the host.
        case context
        /// Adjacent keys of a keyboard, such as `qwertz`.
        case keyboard
        /// A sequence of characters, such as `abcdef`.
        case sequence
        /// A date or a year.
        case date
        /// A repeated character or piece.
        case repetition
        /// None of these. The password is simply too short.
        case tooFewCharacters
    }
}

extension PasswordWeakness: CustomStringConvertible {
    /// The reason and advice in words for the user.
    public var description: String {
        switch self {
        case .tooShort(let minimum):
            "a password must have at least \(minimum) characters; use three or four unrelated words"
        case .tooLong(let maximumBytes):
            "a password can have at most \(maximumBytes) bytes"
        case .repetition:
            "a repeated pattern does not make a password stronger; use unrelated words instead"
        case .common:
            "this is a very common password; use three or four unrelated words instead"
        case .breached:
            "this password was leaked by another service; use three or four unrelated words instead"
        case .guessable(let pattern):
            "this password is easy to guess: \(pattern.description)"
        }
    }
}

extension PasswordWeakness.Pattern: CustomStringConvertible {
    /// The pattern and advice in words for the user.
    public var description: String {
        switch self {
        case .commonWord: "it is similar to a common password or word; combine three or four unrelated words"
        case .username: "it contains your username; use unrelated words instead"
        case .context: "it contains the name of this program or machine; use unrelated words instead"
        case .keyboard: "it follows the keys of a keyboard; use unrelated words instead"
        case .sequence: "it is mostly a sequence such as abc or 123; use unrelated words instead"
        case .date: "it is mostly a date or a year; use unrelated words instead"
        case .repetition: "it repeats itself; use unrelated words instead"
        case .tooFewCharacters: "add another word or two"
        }
    }
}
