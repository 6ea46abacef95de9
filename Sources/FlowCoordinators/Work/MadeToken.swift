internal import AuthService

/// A new API token: its stored description, and the secret itself, which is available only now.
struct MadeToken: Sendable {
    let token: APIToken
    let secret: SessionToken
}
