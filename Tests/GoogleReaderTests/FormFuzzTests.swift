import HTTPServer
import TestSupport
import Testing

@Suite("Random multipart forms")
struct FormFuzzTests {
    @Test("Random forms Random forms are read or refused, and mark nothing that they do not name")
    func mangled() async throws {
        let reader = try await Reader()
        let token = try await reader.logIn()
        let pieces = [
            "\r\n", "--", "--x", "--x--", "\r\n--x\r\n", "Content-Disposition: form-data; name=\"i\"\r\n\r\n", "name=",
            "\"", ";", "i",
            "\0", "é", "\u{301}", "a", "user/-/state/com.google/read", "s", "9999999999999999999", "-1",
        ]
        var random = SeededGenerator(seed: Fuzzing.firstSeed)
        for _ in 0..<Fuzzing.rounds(usual: 1_000, cost: 20) {
            let form = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let answer = try await reader.send(
                .post, "/reader/api/0/edit-tag", form: form.joined(), type: "multipart/form-data; boundary=x",
                token: token)
            #expect([200, 400].contains(answer.status), "\(form) is answered \(answer.status)")
        }
        let unread = try await reader.send("/reader/api/0/unread-count?output=json", token: token)
        #expect(unread.text.contains("\"count\":3"), "\(unread.text)")
    }
}
