import Arguments
import Testing
import Text

@Suite("Kinds of errors")
struct ErrorKindTests {
    @Test("Each kind has an exit code that the help lists", arguments: ErrorKind.allCases)
    func exitCode(_ kind: ErrorKind) {
        #expect(ExitCode(rawValue: kind.exitCode) != nil)
        #expect(ExitCode(kind).rawValue == kind.exitCode)
    }
}
