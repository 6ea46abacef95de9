import Foundation
import TestSupport
import Testing

@Suite("Mistakes of a program")
struct MistakeTests {
    private static func run(_ mistake: String) throws -> (status: Int32, output: String) {
        let program = try #require(builtProgram("navigation-mistakes"))
        // The report of a crash would take seconds.
        return try runProgram(["/usr/bin/env", "SWIFT_BACKTRACE=enable=no", program.path, mistake])
    }

    @Test(
        "They stop the program, and the message names what to change",
        arguments: [
            ("place-without-pattern", "Place.forgotten has no path: add its pattern to Place.patterns."),
            (
                "value-without-name",
                "The pattern /notes has 0 values, but its place has 1: name each value once in <>."
            ),
        ])
    func stop(mistake: String, message: String) throws {
        let (status, output) = try Self.run(mistake)
        #expect(status > 128, "\(output)")
        #expect(output.contains(message), "\(output)")
    }

    @Test(
        "A refused move whose error nobody receives stops a debug build, and the message names the move",
        arguments: ["refused-move", "refused-move-in-handler"])
    func refusedMove(mistake: String) throws {
        let (status, output) = try Self.run(mistake)
        #expect(status > 128, "\(output)")
        let message = "dismiss was refused: Nothing to dismiss: no frame is modal. Set onRejection"
        #expect(output.contains(message), "\(output)")
    }

    @Test("An accepted move does not stop it")
    func acceptedMove() throws {
        let (status, output) = try Self.run("accepted-move")
        #expect(status == 0)
        #expect(output == "")
    }
}
