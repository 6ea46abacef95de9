import Arguments
import TestSupport
import Testing

@testable import articlesctl

@Suite("The manual page")
struct ManualPageTests {
    private let page = ManualPage(root: exampleCommands, version: "1.2.3", date: "2026-01-31").roff

    @Test("Text that roff would read as a request or a special character is escaped")
    func escaping() {
        #expect(page.hasPrefix(".TH \"SHELF\" \"1\" \"2026-01-31\" \"shelf 1.2.3\""))
        #expect(page.contains("\\&.A second one that begins with a dot, has a back\\(rsslash, \\(aqquotes\\(aq"))
        #expect(page.contains("na\\[u00EF]ve"))
        #expect(page.contains("\\(ti/.local/share/shelf"))
    }

    @Test("The page of the program names the reader's synopsis, and ends no sentence twice")
    func program() {
        let page = ManualPage(root: CommandTable.root, version: "1.2.3", date: "2026-01-31").roff
        #expect(page.contains(".SH \"SYNOPSIS\"\narticlesctl [OPTION]...\n.br\narticlesctl COMMAND"))
        for section in ["EXAMPLES", "REPORTING BUGS", "SEE ALSO"] { #expect(page.contains(".SH \"\(section)\"\n")) }
        // Three dots mark arguments that repeat.
        #expect(!page.replacing("...", with: "").contains("..\n"))
    }

    @Test("man has no warnings about it", .enabled(if: isInstalled("man") && isInstalled("groff")))
    func man() throws {
        let result = try runProgram(["groff", "-man", "-ww", "-Tutf8", "-z"], input: page)
        #expect(result.status == 0)
        #expect(result.output == "")
    }

    @Test("man shows text as it was written", .enabled(if: isInstalled("groff")))
    func shown() throws {
        let text = try runProgram(["groff", "-man", "-Tutf8", "-P-cbou"], input: page).output
        #expect(text.contains("$ shelf list --author 'J. O\\'Neil'"))
        #expect(text.contains("naïve ünïcode"))
        #expect(text.contains("sessions revoke SESSION"))
    }

    @Test("mandoc finds no mistakes", .enabled(if: isInstalled("mandoc")))
    func lint() throws {
        let result = try runProgram(["mandoc", "-Tlint", "-Wwarning"], input: page)
        #expect(result.output == "")
    }
}
