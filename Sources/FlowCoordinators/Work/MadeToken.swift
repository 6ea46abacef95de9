internal import AuthService

/// An API token that was made: what is kept of it, and the token itself, which is to be had only now.
struct MadeToken: Sendable {
    let token: APIToken
    let secret: SessionToken
}
