import Text
import TestSupport
import Testing

@testable import AuthService

@Suite("Time-based codes")
struct TOTPSecretTests {
    /// The secret of RFC 6238, appendix B.
    private let secret = TOTPSecret(stored: Array("12345678901234567890".utf8))

    @Test(
        "Codes are those of RFC 6238 (appendix B), by their last six digits",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ])
    func codes(time: Double, code: String) {
        let date = Date(timeIntervalSince1970: time)
        #expect(secret.code(of: TOTPSecret.step(at: date)) == code)
        #expect(secret.step(of: code, at: date, after: 0) == TOTPSecret.step(at: date))
    }

    @Test("Codes are accepted half a minute early and late, with or without spaces, and no further off")
    func drift() {
        let code = secret.code(of: 100)
        func step(at time: Double, _ code: String) -> Int64? {
            secret.step(of: code, at: Date(timeIntervalSince1970: time), after: 0)
        }
        #expect(step(at: 2970, code) == 100)
        #expect(step(at: 3059, code.prefix(3) + " " + code.suffix(3)) == 100)
        #expect(step(at: 2969, code) == nil)
        #expect(step(at: 3060, code) == nil)
        #expect(step(at: 3000, String(code.dropLast())) == nil)
        #expect(step(at: 3000, "") == nil)
    }

    @Test("Codes are accepted once, and none that is older than an accepted one")
    func replay() {
        let now = Date(timeIntervalSince1970: 3000)
        #expect(secret.step(of: secret.code(of: 100), at: now, after: 99) == 100)
        #expect(secret.step(of: secret.code(of: 100), at: now, after: 100) == nil)
        #expect(secret.step(of: secret.code(of: 99), at: now, after: 100) == nil)
        #expect(secret.step(of: secret.code(of: 101), at: now, after: 100) == 101)
    }

    @Test("The secret is shown as Base 32 and as an address when it is made, and never otherwise")
    func handedOver() {
        #expect(secret.base32 == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            secret.address(issuer: "Our library", account: "åda")
                == "otpauth://totp/Our%20library:%C3%A5da?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Our%20library")
        #expect("\(secret)" == "<redacted>" && String(reflecting: secret) == "<redacted>")
        var shown = ""
        dump(secret, to: &shown)
        #expect(!shown.contains("GEZD") && !shown.contains("49"))
    }
}
