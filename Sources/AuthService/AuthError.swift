package import Text

/// The reason why an account could not be created or used.
public enum AuthError: Error, Hashable, Sendable {
    /// The text is not a valid username.
    case invalidUsername(Username.Fault)
    /// ISO 3166-1 does not assign this code.
    case unknownRegion(String)
    /// The `PasswordPolicy` refuses the password.
    case weakPassword(PasswordWeakness)
    /// Another account has the name.
    case usernameTaken(Username)
    /// The name cannot be chosen; see `AccountPolicy.reservedNames`.
    case reservedName(Username)
    /// The account does not exist, or the password is wrong. The error does not reveal which.
    case invalidCredentials
    /// The password of the logged-in user is wrong.
    case wrongPassword
    /// Too many attempts failed or were made. The next is accepted after this many seconds.
    case throttled(seconds: Int)
    /// The password was correct, and a code is required, which the program cannot ask for: see `LoginResult`.
    case secondFactorNeeded
    /// The code of the second factor is wrong, or was already used.
    case wrongCode
    /// The login was not completed in time, or its user has changed since.
    case logInEnded
    /// The user already has a second factor.
    case secondFactorThere
    /// The user does not have a second factor.
    case noSecondFactor
    /// Too many logins with the name failed in a row, whether or not the account exists. Login is still possible from
    /// devices on which the user has logged in before, and after a password reset.
    case blocked
    /// The token does not belong to an open session.
    case notLoggedIn
    /// The operation requires a recent confirmation of the password; see `AuthService.confirm(_:token:)`.
    case passwordNeeded
    /// The operation requires this role or a higher one.
    case notAllowed(Role)
    /// The user does not exist.
    case noUser(Username)
    /// Registration is closed at present.
    case registrationClosed
    /// The code was used, replaced, or has expired, or it never existed.
    case invalidCode
    /// The scope of the API token is insufficient: the operation requires a login, or a token that may write.
    case outOfScope
    /// The text is not a valid name of an API token or a session.
    case invalidName
    /// The lifetime of an API token must be between 1 s and this maximum.
    case invalidTokenLifetime(longest: Double)
    /// The user already has an API token with this name.
    case tokenNameTaken(String)
    /// The user has reached the maximum number of API tokens.
    case tooManyTokens(Int)
    /// The change would leave the other users without an operator.
    case lastOperator
    /// The memory for hashing a password, in bytes, is not available.
    case outOfMemory(bytes: Int)
}

extension AuthError: CustomStringConvertible {
    /// The error and a remedy in words for the user.
    public var description: String {
        switch self {
        case .invalidUsername(let fault):
            fault.description
        case .unknownRegion:
            "not a country code; use the two letters of ISO 3166-1, such as DE or JP"
        case .weakPassword(let weakness):
            weakness.description
        case .usernameTaken(let username):
            "the username \(username) is taken; choose another"
        case .reservedName(let username):
            "the username \(username) is reserved; choose another"
        case .invalidCredentials:
            "wrong username or password"
        case .wrongPassword:
            "wrong password"
        case .throttled(let seconds):
            "too many attempts; try again in \(Self.words(seconds: seconds))"
        case .blocked:
            "too many failed attempts for this name; log in from a device on which you have logged in before, or ask an operator to reset the password"
        case .secondFactorNeeded:
            "this account needs a code of your authenticator app"
        case .wrongCode:
            "the code is wrong or was already used; enter the current one"
        case .logInEnded:
            "the login took too long, or the account has changed; log in again"
        case .secondFactorThere:
            "the account already has a second factor; turn it off before you set up another"
        case .noSecondFactor:
            "the account has no second factor"
        case .notLoggedIn:
            "you are not logged in, or your session has ended"
        case .passwordNeeded:
            "you logged in a while ago; enter your password again to continue"
        case .notAllowed(let role):
            "only \(role.withArticle) may do that"
        case .noUser(let username):
            "there is no user \(username)"
        case .registrationClosed:
            "registration is closed; ask an operator"
        case .invalidCode:
            "the code is wrong, was already used, or has expired; ask for another"
        case .outOfScope:
            "the API token does not permit that; log in, or use a token that does"
        case .invalidName:
            "the name must have \(ShownName.lengths.lowerBound) to \(ShownName.lengths.upperBound) visible characters"
        case .invalidTokenLifetime(let longest):
            "a token can last at most \(Int(longest / 86_400)) days"
        case .tokenNameTaken(let name):
            "a token “\(name)” already exists; choose another name, or revoke that token"
        case .tooManyTokens(let limit):
            "you have the maximum of \(limit) tokens; revoke one first"
        case .lastOperator:
            "this is the only operator who can log in; make another user an operator first"
        case .outOfMemory(let bytes):
            "there is not enough free memory to check a password (\(bytes >> 20) MiB are needed)"
        }
    }

    private static func words(seconds: Int) -> String {
        seconds <= 90 ? seconds.quantity(of: "second") : ((seconds + 59) / 60).quantity(of: "minute")
    }
}

extension AuthError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .notLoggedIn: .notLoggedIn
        case .invalidCredentials, .wrongPassword, .secondFactorNeeded, .wrongCode, .logInEnded, .blocked,
            .passwordNeeded, .notAllowed, .outOfScope, .registrationClosed, .invalidCode:
            .notAllowed
        case .throttled: .throttled
        case .noUser: .notFound
        case .usernameTaken, .reservedName, .tokenNameTaken, .tooManyTokens, .lastOperator, .secondFactorThere,
            .noSecondFactor:
            .conflict
        case .invalidUsername, .unknownRegion, .weakPassword, .invalidName, .invalidTokenLifetime: .invalid
        case .outOfMemory: .busy
        }
    }

    package var problemCode: String {
        switch self {
        case .invalidCredentials, .wrongPassword: "wrongPassword"
        case .secondFactorNeeded: "secondFactorNeeded"
        case .wrongCode, .logInEnded: "wrongCode"
        case .blocked: "blocked"
        case .passwordNeeded: "passwordNeeded"
        case .outOfScope: "outOfScope"
        case .registrationClosed, .invalidCode: "registrationClosed"
        default: errorKind.code
        }
    }

    package var hint: String? {
        switch self {
        case .notLoggedIn: "log in with: articlesctl login"
        case .invalidCredentials: "try again, or create an account with: articlesctl register"
        case .secondFactorNeeded: "log in at a terminal, or pass the code to: articlesctl login"
        case .secondFactorThere: "turn it off with: articlesctl account second-factor off"
        case .notAllowed: "ask an operator, or a user who may write the database: articlesctl users role NAME ROLE"
        case .passwordNeeded: "in a script, pass it with --password-stdin"
        case .invalidCode:
            "a user who may write the database can create one: articlesctl users reset NAME, or users invite"
        case .noUser: "list them with: articlesctl users"
        case .blocked: "a user who may write the database can create a reset code: articlesctl users reset NAME"
        default: nil
        }
    }
}
