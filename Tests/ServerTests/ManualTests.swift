import TestSupport
import Testing

@Suite("What articlesd writes for a package of it")
struct ManualTests {
    @Test("is a page of the section for administrators, which man has no warnings about")
    func page() throws {
        let (status, page) = try runProgram([try RunningServer.program(), "man"])
        #expect(status == 0)
        #expect(page.hasPrefix(".TH \"ARTICLESD\" \"8\" "))
        for option in ["listen", "trusted\\-proxy", "tls\\-key", "metrics", "stop\\-after"] {
            #expect(page.contains("\\-\\-\(option)"), "\(option)")
        }
        #expect(try runProgram(["mandoc", "-Tlint", "-Wwarning"], input: page).output == "")
    }

    @Test("is completions that the shell understands", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let (status, script) = try runProgram([try RunningServer.program(), "completions", shell])
        #expect(status == 0 && script.contains("trusted-proxy"))
        let folder = try TemporaryFolder()
        let path = try folder.write("completions", script)
        let read = try runProgram([shell, "-n", path])
        #expect(read.status == 0 && read.output == "", "\(read.output)")
    }
}
