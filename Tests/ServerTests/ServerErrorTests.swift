import Arguments
import ArticleStore
import HTTPServer
import Testing

@testable import articlesd

@Suite("Errors of the server program")
struct ServerErrorTests {
    @Test(
        "The exit code follows from the kind of the error",
        arguments: [
            (StoreError(.readOnly, "x"), 74), (StoreError(.damaged, "x"), 74), (StoreError(.busy, "x"), 75),
            (StoreError(.unavailable, "x"), 69), (HTTPServerError.addressInUse("x"), 69),
            (HTTPServerError.badAddress("x"), 64),
        ] as [(any Error & Sendable, Int32)])
    func exitCode(error: any Error & Sendable, code: Int32) {
        #expect(ServerError(error).code.rawValue == code)
    }

    @Test("No advice names an option that only articlesctl has")
    func options() {
        #expect(ServerError(StoreError(.busy, "x")).hint?.contains("--busy-timeout") == false)
    }
}
