import AuthService
import Testing

@Suite("Password")
struct PasswordTests {
    private enum Event {
        case submitted(name: String, password: Password, hash: PasswordHash)
    }

    @Test("A password and its hash never print themselves")
    func redacted() {
        let event = Event.submitted(
            name: "alice", password: Password("open sesame"), hash: PasswordHash(encoded: "open sesame"))
        var dumped = ""
        dump(event, to: &dumped)
        for text in ["\(event)", String(reflecting: event), String(describing: [event]), dumped] {
            #expect(text.contains("alice"))
            #expect(!text.contains("sesame"))
        }
        #expect("\(Password("open sesame"))" == "<redacted>")
    }

    @Test("Two passwords are equal if their bytes are")
    func equality() {
        #expect(Password("é") == Password("é"))
        #expect(Password("\u{E9}") != Password("e\u{301}"))
        #expect(Password("a\0b") != Password("a\0c"))
        #expect(Password("a") != Password("a\0"))
    }
}
