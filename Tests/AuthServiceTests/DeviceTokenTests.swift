import AuthService
import Testing

@Suite("DeviceToken")
struct DeviceTokenTests {
    private let text = String(repeating: "-_", count: 21) + "w"

    @Test("A token is 43 characters of base64url")
    func parses() {
        #expect(DeviceToken(text)?.text == text)
        let longer = String(repeating: "A", count: 10_000_000)
        for other in ["", String(text.dropLast()), text + "A", text + "\n", " " + text, text.dropLast() + "B", longer] {
            #expect(DeviceToken(other) == nil)
        }
    }

    @Test("A token never prints itself")
    func redacted() throws {
        let token = try #require(DeviceToken(text))
        var dumped = ""
        dump((1, token), to: &dumped)
        for shown in ["\(token)", String(reflecting: token), "\([token])", dumped] {
            #expect(!shown.contains("-_") && !shown.contains("251"))
        }
    }
}
