import CPlatform
import Foundation
import TestSupport
import Testing

@testable import Terminal

@Suite("The editor", .processSignals)
struct EditorTests {
    private func editor(_ variables: [String: String], isTerminal: Bool = true, isCapable: Bool = true) -> Editor? {
        let stream = Terminal.Stream(isTerminal: isTerminal)
        return Editor(
            environment: { variables[$0] }, inheriting: ["PATH=/usr/bin:/bin"],
            on: Terminal(input: stream, output: stream, isCapable: isCapable))
    }

    @Test("The editor is VISUAL, else EDITOR, else vi")
    func choice() {
        #expect(editor(["VISUAL": "emacs", "EDITOR": "ed"])?.name == "emacs")
        #expect(editor(["VISUAL": "", "EDITOR": "ed"])?.name == "ed")
        #expect(editor([:])?.name == "vi")
        // VISUAL is for terminals with cursor movement.
        #expect(editor(["VISUAL": "emacs", "EDITOR": "ed"], isCapable: false)?.name == "ed")
        #expect(editor(["VISUAL": "emacs"], isCapable: false) == nil)
        #expect(editor([:], isTerminal: false) == nil)
        #expect(editor(["EDITOR": "ed"], isTerminal: false)?.name == "ed")
    }

    @Test("The editor gets the file as one word, also through a shell, and its exit is reported")
    func edit() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a file; $HOME.md", "one\n")
        #expect(editor(["EDITOR": "sed -i 's/one/two words/'"])?.edit(path) == 0)
        #expect(try String(decoding: folder.bytes(of: "a file; $HOME.md"), as: UTF8.self) == "two words\n")
        #expect(editor(["EDITOR": "false"])?.edit(path) == 1)
        #expect(editor(["EDITOR": "exit 3; echo"])?.edit(path) == 3)
        let missing = ["/nonexistent/editor", "/nonexistent/editor --wait"]
        for name in missing { #expect(try #require(editor(["EDITOR": name])).edit(path) == nil) }
    }

    @Test("A known editor begins in the given line")
    func line() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("text.md", "one\n")
        for (name, expected) in [("nano", "+7 \(path)\n"), ("code", "\(path)\n")] {
            // Another process writes the script: while a test starts a program, a file that this process has open for
            // writing cannot be executed.
            let program = folder.file("\(name)")
            let made = try runProgram([
                "sh", "-c", #"printf '#!/bin/sh\necho "$@" > "%s"\n' "$1" > "$0" && chmod 700 "$0""#, program,
                folder.file("given"),
            ])
            try #require(made.status == 0, "\(made.output)")
            for options in ["", " -u NONE"] {
                #expect(editor(["EDITOR": program + options])?.edit(path, at: 7) == 0)
                let given = try String(decoding: folder.bytes(of: "given"), as: UTF8.self)
                #expect(given == (options + " " + expected).drop { $0 == " " })
            }
        }
    }

    @Test("Interrupt keys go to the editor, and after the last of several to this process again")
    func interrupts() throws {
        func actions() -> [Int] {
            [SIGINT, SIGQUIT].map { signal in
                var action = sigaction()
                sigaction(signal, nil, &action)
                return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            }
        }
        let ignored = Array(repeating: unsafeBitCast(SIG_IGN, to: Int.self), count: 2)
        let before = actions()
        #expect(before != ignored)
        // Interrupts still end the programs themselves.
        let child = ["/bin/sh", "-c", "kill -INT $$"]
        let first = try #require(startProgram(child, environment: []))
        let second = try #require(startProgram(child, environment: []))
        #expect(actions() == ignored)
        #expect(platform_wait(first) == 128 + SIGINT)
        #expect(actions() == ignored)
        #expect(platform_wait(second) == 128 + SIGINT)
        #expect(actions() == before)
        // A program that cannot start changes nothing.
        #expect(startProgram(["/nonexistent"], environment: []) == nil)
        #expect(actions() == before)
    }
}
