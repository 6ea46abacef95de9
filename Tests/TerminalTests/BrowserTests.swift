import TestSupport
import Testing

@testable import Terminal

@Suite("The browser", .processSignals)
struct BrowserTests {
    @Test(
        "The address for the browser has all unsafe characters encoded",
        arguments: [
            ("https://a.example/é/日?q=a b#ü", "https://a.example/%C3%A9/%E6%97%A5?q=a%20b#%C3%BC"),
            ("https://[::1]/%C3%A9/%zz/100%", "https://[::1]/%C3%A9/%25zz/100%25"),
            ("https://a.example/a|b<c>`\"^{}\\", "https://a.example/a%7Cb%3Cc%3E%60%22%5E%7B%7D%5C"),
            ("mailto:a@b.example?subject=x;y", "mailto:a@b.example?subject=x;y"),
        ])
    func address(link: String, expected: String) throws {
        #expect(Browser.address(of: link) == expected)
        let folder = try TemporaryFolder()
        let script = try folder.write("open.sh", "printf %s \"$1\" > \"$(dirname \"$0\")/opened\"\n")
        let browser = Browser(
            environment: { $0 == "BROWSER" ? "sh \(script) %s" : nil }, inheriting: ["PATH=/usr/bin:/bin"])
        #expect(browser?.open(link) == true)
        #expect(try String(decoding: folder.bytes(of: "opened"), as: UTF8.self) == expected)
    }

    @Test("A graphical browser runs without a terminal and without a wait, and a terminal browser gets it")
    func beside() async throws {
        let folder = try TemporaryFolder()
        let script = try folder.write(
            "open.sh",
            """
            cd "$(dirname "$0")"
            output=$(readlink /proc/$$/fd/1)
            echo "$(readlink /proc/$$/fd/0) $output $(readlink /proc/$$/fd/2)" > seen
            exit 3

            """)
        func browser(_ command: String, _ desktop: String) -> Browser? {
            Browser(
                environment: { ["BROWSER": command, desktop: ":0"][$0] }, inheriting: ["PATH=/usr/bin:/bin"])
        }
        let isWell: Bool = try await withCheckedThrowingContinuation { continuation in
            let isStarted = browser("sh \(script)", "WAYLAND_DISPLAY")?.start("https://a.example/") { isWell in
                continuation.resume(returning: isWell)
            }
            if isStarted != true { continuation.resume(throwing: CancellationError()) }
        }
        #expect(!isWell)
        #expect(try String(decoding: folder.bytes(of: "seen"), as: UTF8.self) == "/dev/null /dev/null /dev/null\n")
        #expect(browser("no-such-program", "DISPLAY")?.start("https://a.example/") { _ in } == false)
        #expect(browser("sh \(script)", "DISPLAY")?.start("file:///etc/passwd") { _ in } == false)
        #expect(browser("firefox", "DISPLAY")?.needsTerminal == false)
        #expect(browser("lynx -vikeys", "DISPLAY")?.needsTerminal == true)
        #expect(browser("firefox", "NOTHING")?.needsTerminal == true)
    }
}
