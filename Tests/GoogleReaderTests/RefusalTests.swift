import ArticleStore
import AuthService
import HTTPServer
import Testing

@testable import GoogleReader

@Suite("Refusals of Google Reader's API")
struct RefusalTests {
    @Test(
        "The status follows from the kind of the error",
        arguments: [
            (AuthError.notLoggedIn, 401), (AuthError.outOfScope, 403), (AuthError.notAllowed(.editor), 403),
            (AuthError.lastOperator, 400), (MarkError.tooManyTags, 400), (StoreError(.busy, "x"), 503),
            (CancellationError(), 503),
        ] as [(any Error & Sendable, Int)])
    func status(error: any Error & Sendable, status: Int) async {
        let refusal = await #expect(throws: ReaderError.self) {
            try await ReaderError.catching { () async throws -> Void in throw error }
        }
        #expect(refusal?.status.code == status)
        // Clients that see the field log in again.
        #expect((refusal?.fields["x-reader-google-bad-token"] != nil) == (status == 401))
    }
}
