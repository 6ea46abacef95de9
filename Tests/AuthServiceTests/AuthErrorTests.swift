import AuthService
import Testing

@Suite("AuthError")
struct AuthErrorTests {
    @Test(
        "An error says what to do, and how long to wait",
        arguments: [
            (.throttled(seconds: 1), "too many attempts; try again in 1 second"),
            (.throttled(seconds: 90), "too many attempts; try again in 90 seconds"),
            (.throttled(seconds: 91), "too many attempts; try again in 2 minutes"),
            (.throttled(seconds: 900), "too many attempts; try again in 15 minutes"),
            (
                .blocked,
                "too many failed attempts for this name; log in from a device on which you have logged in before, or ask an operator to reset the password"
            ),
            (.invalidCredentials, "wrong username or password"),
            (
                .unknownRegion("\u{1B}[2J"),
                "not a country code; use the two letters of ISO 3166-1, such as DE or JP"
            ),
            (.notLoggedIn, "you are not logged in, or your session has ended"),
            (.outOfMemory(bytes: 64 << 20), "there is not enough free memory to check a password (64 MiB are needed)"),
        ] as [(AuthError, String)])
    func words(error: AuthError, text: String) {
        #expect("\(error)" == text)
    }

    @Test("An error says that a name is taken")
    func taken() throws {
        #expect("\(AuthError.usernameTaken(try Username("alice")))" == "the username alice is taken; choose another")
    }
}
