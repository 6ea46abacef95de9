/// Why an account could not be made or used.
public enum AuthError: Error, Hashable, Sendable {
    /// The text cannot be a username.
    case invalidUsername(Username.Fault)
    /// ISO 3166-1 assigns no such code.
    case unknownRegion(String)
    /// The password is refused by the `PasswordPolicy`.
    case weakPassword(PasswordWeakness)
    /// Another account has the name.
    case usernameTaken(Username)
    /// Nobody can choose the name; see `AccountPolicy.reservedNames`.
    case reservedName(Username)
    /// The account does not exist, or its password is another: the error does not tell which.
    case invalidCredentials
    /// The password of who is logged in is another.
    case wrongPassword
    /// Too many attempts failed, or were made; the next is looked at in so many seconds.
    case throttled(seconds: Int)
    /// The password was right, and a code is still to be given: see `AuthService.completeLogIn(_:code:)`.
    case secondFactorNeeded(PendingLogIn)
    /// The code is none of the second factor, or it was used.
    case wrongCode
    /// The log-in was not completed in time, or its user has changed since.
    case logInEnded
    /// The user has a second factor.
    case secondFactorThere
    /// The user lacks a second factor.
    case noSecondFactor
    /// Too many log-ins to the name failed in a row, whether or not there is such an account. It is open to devices from which
    /// its user has logged in before, and after the password was reset.
    case blocked
    /// The token belongs to no session that is still open.
    case notSignedIn
    /// It takes the password to do that, which was given too long ago; see `AuthService.confirm(_:token:)`.
    case passwordNeeded
    /// Only who has this role, or a higher one, may do that.
    case notAllowed(Role)
    /// No account has the name.
    case noUser(Username)
    /// Nobody can make an account at present.
    case registrationClosed
    /// The code was used, or replaced by another, or its time has ended; or there never was such a code.
    case invalidCode
    /// An API token may not do that: it needs a log-in, or a token that may write.
    case outOfScope
    /// The text cannot name an API token or a session.
    case invalidName
    /// An API token lasts at least a second, and at most so many.
    case invalidTokenLifetime(longest: Double)
    /// The user has an API token of that name.
    case tokenNameTaken(String)
    /// The user has as many API tokens as may be.
    case tooManyTokens(Int)
    /// Nobody would be left who may look after the users.
    case lastOperator
    /// The memory for hashing a password, in bytes, is not available.
    case outOfMemory(bytes: Int)
}

extension AuthError: CustomStringConvertible {
    /// The fault and the remedy, in words for a person.
    public var description: String {
        switch self {
        case .invalidUsername(let fault):
            fault.description
        case .unknownRegion:
            "that is not a country code; use the two letters of ISO 3166-1, such as DE or JP"
        case .weakPassword(let weakness):
            weakness.description
        case .usernameTaken(let username):
            "the username \(username) is taken; choose another"
        case .reservedName(let username):
            "the username \(username) is reserved; choose another"
        case .invalidCredentials:
            "wrong username or password"
        case .wrongPassword:
            "that is not your password"
        case .throttled(let seconds):
            "too many attempts; try again in \(Self.words(seconds: seconds))"
        case .blocked:
            "too many failed attempts for this name; log in where you have logged in before, or have the password reset"
        case .secondFactorNeeded:
            "a code of your authenticator is needed, too"
        case .wrongCode:
            "that code is wrong, or it was used; take the one that is shown now"
        case .logInEnded:
            "that log-in took too long, or the account has changed; log in again"
        case .secondFactorThere:
            "the account has a second factor; turn it off before you set up another"
        case .noSecondFactor:
            "the account has no second factor"
        case .notSignedIn:
            "you are not logged in, or your session has ended; log in again"
        case .passwordNeeded:
            "you have been logged in for a while; give your password once more to do that"
        case .notAllowed(let role):
            "only \(role.withArticle) may do that"
        case .noUser(let username):
            "there is no user \(username)"
        case .registrationClosed:
            "no accounts are made here at present; ask an operator"
        case .invalidCode:
            "that code is wrong, or it was used, or its time has ended; ask for another"
        case .outOfScope:
            "the API token does not allow that; log in, or use one that does"
        case .invalidName:
            "such a name has \(ShownName.lengths.lowerBound) to \(ShownName.lengths.upperBound) characters that can be seen"
        case .invalidTokenLifetime(let longest):
            "a token lasts at most \(Int(longest / 86_400)) days"
        case .tokenNameTaken(let name):
            "there is a token “\(name)”; choose another name, or revoke it"
        case .tooManyTokens(let limit):
            "there are \(limit) tokens, and no more may be; revoke one"
        case .lastOperator:
            "no other operator can log in; make somebody else one first"
        case .outOfMemory(let bytes):
            "there is not enough free memory to check a password (\(bytes >> 20) MiB are needed)"
        }
    }

    private static func words(seconds: Int) -> String {
        let (count, unit) = seconds <= 90 ? (seconds, "second") : ((seconds + 59) / 60, "minute")
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
