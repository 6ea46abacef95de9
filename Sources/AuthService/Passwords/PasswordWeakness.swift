/// Why a password is refused, and how to find a better one.
public enum PasswordWeakness: Hashable, Sendable {
    /// It has fewer characters than the policy asks for.
    case tooShort(minimum: Int)
    /// It has more bytes of UTF-8 than are looked at.
    case tooLong(maximumBytes: Int)
    /// It is one short piece, repeated.
    case repetition
    /// It is one of the commonest passwords, or one of them repeated.
    case common
    /// It is known from a leak, as a `BreachCheck` told.
    case breached
    /// It is easy to guess, mostly because of this.
    case guessable(Pattern)

    /// What a guesser tries first.
    public enum Pattern: Hashable, Sendable {
        /// A common password, word or name, or one with a few letters replaced (`p4ssw0rd`).
        case commonWord
        /// The username, or a part of it.
        case username
        /// A word that belongs to the place: the product, the host.
        case context
        /// Neighbours on a keyboard, `qwertz`.
        case keyboard
        /// A run of characters, `abcdef`.
        case sequence
        /// A date or a year.
        case date
        /// A character or a piece that is repeated.
        case repetition
        /// None of these: there is simply too little of it.
        case tooFewCharacters
    }
}

extension PasswordWeakness: CustomStringConvertible {
    /// What is wrong and how to do better, in words for a person.
    public var description: String {
        switch self {
        case .tooShort(let minimum):
            "a password has at least \(minimum) characters; three or four unrelated words make a good one"
        case .tooLong(let maximumBytes):
            "a password has at most \(maximumBytes) bytes"
        case .repetition:
            "repeating a short piece makes a password longer but not stronger; use unrelated words instead"
        case .common:
            "that is one of the passwords that are tried first; use three or four unrelated words instead"
        case .breached:
            "that password is known from a leak of another service; use three or four unrelated words instead"
        case .guessable(let pattern):
            "that password is easy to guess: \(pattern.description)"
        }
    }
}

extension PasswordWeakness.Pattern: CustomStringConvertible {
    /// What makes it easy to guess and how to do better, in words for a person.
    public var description: String {
        switch self {
        case .commonWord: "it is close to a common password or word; put three or four unrelated words together"
        case .username: "it contains your username; leave that out and use unrelated words"
        case .context: "it contains the name of this program or machine; leave that out and use unrelated words"
        case .keyboard: "it follows the keys of a keyboard; use unrelated words instead"
        case .sequence: "it is mostly a sequence such as abc or 123; use unrelated words instead"
        case .date: "it is mostly a date or a year; use unrelated words instead"
        case .repetition: "it repeats itself; use unrelated words instead"
        case .tooFewCharacters: "add another word or two"
        }
    }
}
