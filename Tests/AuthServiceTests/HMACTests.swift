import AuthService
import Foundation
import Testing

@Suite("HMAC")
struct HMACTests {
    private func code(_ hash: HMAC, _ message: String, key: [UInt8]) -> String {
        hash.code(of: Array(message.utf8), key: key).map { String(format: "%02x", $0) }.joined()
    }

    // The second test case of RFC 2202 and of RFC 4231, section 4.3.
    @Test(
        "The codes are those of the RFCs",
        arguments: [
            (HMAC.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (
                .sha384,
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
            ),
            (
                .sha512,
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
        ])
    func vectors(hash: HMAC, expected: String) {
        #expect(code(hash, "what do ya want for nothing?", key: Array("Jefe".utf8)) == expected)
    }

    // The sixth test case of RFC 4231, section 4.7.
    @Test("A key that is longer than a block is hashed")
    func longKey() {
        let message = "Test Using Larger Than Block-Size Key - Hash Key First"
        let key = [UInt8](repeating: 0xAA, count: 131)
        #expect(
            code(.sha256, message, key: key) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(
            code(.sha512, message, key: key)
                == "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        )
    }
}
