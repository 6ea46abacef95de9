import TestSupport
import Testing

@Suite("Output of articlesd for its package")
struct ManualTests {
    @Test("The manual page is in the section for administrators, and man has no warnings about it")
    func page() throws {
        let (status, page) = try runProgram([try RunningServer.program(), "man"])
        #expect(status == 0)
        #expect(page.hasPrefix(".TH \"ARTICLESD\" \"8\" "))
        for option in ["listen", "trusted\\-proxy", "tls\\-key", "metrics", "stop\\-after"] {
            #expect(page.contains("\\-\\-\(option)"), "\(option)")
        }
        #expect(try runProgram(["mandoc", "-Tlint", "-Wwarning"], input: page).output == "")
    }

    @Test("The completions are valid for the shell", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let (status, script) = try runProgram([try RunningServer.program(), "completions", shell])
        #expect(status == 0 && script.contains("trusted-proxy"))
        let folder = try TemporaryFolder()
        let path = try folder.write("completions", script)
        let read = try runProgram([shell, "-n", path])
        #expect(read.status == 0 && read.output == "", "\(read.output)")
    }
}
