import CPlatform
import Foundation
import TestSupport
import Testing

@testable import Terminal

/// Signals belong to the process, so tests that use them take turns.
@Suite("Signals, prompts and pagers", .processSignals)
struct SignalTests {
    /// A pseudo-terminal; `controller` is the user's side.
    final class PseudoTerminal {
        let controller: Int32
        let terminal: Int32
        let path: String

        init() throws {
            var sides: (controller: Int32, terminal: Int32) = (-1, -1)
            var name = [CChar](repeating: 0, count: 128)
            guard platform_open_pseudo_terminal(&sides.controller, &sides.terminal, &name, name.count) == 0 else {
                throw POSIXError(.EIO)
            }
            path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            (controller, terminal) = sides
        }

        deinit {
            close(terminal)
            close(controller)
        }

        var echoes: Bool {
            var modes = termios()
            return tcgetattr(terminal, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
        }

        /// Reads the output up to and with `text`.
        func wait(for text: String) -> String {
            var screen: [UInt8] = []
            var byte: UInt8 = 0
            while !screen.reversed().starts(with: text.utf8.reversed()), read(controller, &byte, 1) == 1 {
                screen.append(byte)
            }
            return String(decoding: screen, as: UTF8.self)
        }

        func type(_ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { Foundation.write(controller, $0.baseAddress, $0.count) }
        }
    }

    /// Asks on a separate thread, calls `during` when the question is on the screen, and returns the answer.
    private func ask(
        on terminal: PseudoTerminal, limit: Int = 64, isPassword: Bool = true,
        during: (PseudoTerminal) -> Void
    ) -> Result<String, PromptError> {
        let answer = Answer()
        let prompt = Prompt(device: terminal.path, limit: limit)
        let thread = Thread {
            do throws(PromptError) {
                answer.give(.success(isPassword ? try prompt.password("Password: ") : try prompt.line("Password: ")))
            } catch {
                answer.give(.failure(error))
            }
        }
        thread.start()
        _ = terminal.wait(for: "Password: ")
        during(terminal)
        return answer.wait()
    }

    /// Passes an answer from a thread to another. It is unchecked because the semaphore orders the only write before
    /// the only read.
    private final class Answer: @unchecked Sendable {
        private let isGiven = DispatchSemaphore(value: 0)
        private var result: Result<String, PromptError>?

        func give(_ result: Result<String, PromptError>) {
            self.result = result
            isGiven.signal()
        }

        func wait() -> Result<String, PromptError> {
            isGiven.wait()
            return result ?? .failure(.interrupted)
        }
    }

    @Test(
        "A password is the typed line without its newline, and is not shown",
        arguments: ["secret", " two  spaces ", "pässwörd 日本 👩‍👧", "", "x"])
    func password(typed: String) throws {
        let terminal = try PseudoTerminal()
        let answer = ask(on: terminal) { terminal in
            #expect(!terminal.echoes)
            terminal.type(Array((typed + "\n").utf8))
        }
        #expect(answer == .success(typed))
        #expect(terminal.echoes)
        #expect(terminal.wait(for: "\n") == "\r\n")
    }

    @Test("A line is shown while it is typed")
    func line() throws {
        let terminal = try PseudoTerminal()
        let answer = ask(on: terminal, isPassword: false) { terminal in
            #expect(terminal.echoes)
            terminal.type(Array("ann\n".utf8))
        }
        #expect(answer == .success("ann"))
        #expect(terminal.wait(for: "\n") == "ann\r\n")
    }

    @Test("End of input, invalid UTF-8, and too many bytes are errors, and the echo comes back")
    func refusals() throws {
        let cases: [([UInt8], PromptError)] = [
            ([4], .endOfInput), ([0xFF, 0x0A], .notUTF8),
            (Array(repeating: 0x61, count: 65) + [0x0A], .tooLong(limit: 64)),
        ]
        for (bytes, error) in cases {
            let terminal = try PseudoTerminal()
            #expect(ask(on: terminal) { $0.type(bytes) } == .failure(error))
            #expect(terminal.echoes)
        }
    }

    @Test("A password as long as the limit is accepted")
    func limit() throws {
        let terminal = try PseudoTerminal()
        let typed = String(repeating: "x", count: 64)
        #expect(ask(on: terminal) { $0.type(Array((typed + "\n").utf8)) } == .success(typed))
    }

    @Test(
        "Ctrl-C or SIGTERM in a prompt restores the echo, and then has its usual effect",
        arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let watch = InterruptWatch()
        let terminal = try PseudoTerminal()
        let answer = ask(on: terminal) { terminal in
            terminal.type(Array("half a pass".utf8))
            kill(getpid(), signal)
        }
        #expect(answer == .failure(.interrupted))
        #expect(terminal.echoes)
        #expect(watch.signal == signal)
        #expect(watch.signal == signal)
    }

    @Test("Without a terminal nothing is asked", arguments: ["/dev/null", "/nonexistent"])
    func noTerminal(device: String) {
        #expect(throws: PromptError.noTerminal) { try Prompt(device: device).password("?") }
    }

    @Test(
        "A watched signal counts once, the next has the default action, and the end restores the old one"
    )
    func watch() {
        func action() -> Int {
            var current = sigaction()
            sigaction(SIGINT, nil, &current)
            return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
        }
        let before = action()
        do {
            let watch = InterruptWatch()
            #expect(watch.signal == nil)
            #expect(watch.signal == nil)
            // Threads of libdispatch block signals.
            var interrupt = sigset_t()
            sigemptyset(&interrupt)
            sigaddset(&interrupt, SIGINT)
            pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
            raise(SIGINT)
            pthread_sigmask(SIG_BLOCK, &interrupt, nil)
            #expect(watch.signal == SIGINT)
            #expect(action() == unsafeBitCast(SIG_DFL, to: Int.self))
        }
        #expect(action() == before)
    }

    @Test(
        "--password-stdin takes the first line and leaves the rest",
        arguments: [
            ("secret\nmore", .success("secret")), ("secret\r\n", .success("secret")), ("secret", .success("secret")),
            ("\n", .success("")),
            (" a b \n", .success(" a b ")), ("", .failure(.endOfInput)), ("a\rb\n", .success("a\rb")),
            ("12345678\r\n", .success("12345678")),
            ("123456789\n", .failure(.tooLong(limit: 8))),
        ] as [(String, Result<String, PromptError>)])
    func passwordFromInput(text: String, expected: Result<String, PromptError>) throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let file = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
        try file.write(contentsOf: Data(text.utf8))
        close(ends[1])
        defer { close(ends[0]) }
        let prompt = Prompt(limit: 8)
        let result: Result<String, PromptError>
        do throws(PromptError) { result = .success(try prompt.firstLine(of: ends[0])) } catch {
            result = .failure(error)
        }
        #expect(result == expected)
        if text.hasSuffix("more") {
            var rest = [UInt8](repeating: 0, count: 10)
            #expect(read(ends[0], &rest, 10) == 4)
        }
    }

    @Test("A line of standard input that is not UTF-8 is not the answer of a terminal")
    func invalidInput() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        try FileHandle(fileDescriptor: ends[1], closeOnDealloc: true).write(contentsOf: Data([0xFF, 0x0A]))
        #expect(throws: PromptError.inputNotUTF8) { try Prompt().firstLine(of: ends[0]) }
    }

    private func pager(_ variables: [String: String]) -> Pager? {
        Pager(
            named: ["READING_PAGER", "PAGER"], environment: { variables[$0] }, inheriting: ["PATH=/usr/bin:/bin"])
    }

    @Test("A program inherits all variables except those that are kept from it")
    func inheritance() {
        let path = inheritedVariables(except: []).filter { $0.hasPrefix("PATH=") }
        #expect(path.count == 1)
        #expect(Set(inheritedVariables(except: [])).subtracting(inheritedVariables(except: ["PATH"])) == Set(path))
    }

    @Test("The environment chooses the pager")
    func pagerChoice() {
        #expect(pager([:])?.arguments == ["less", "-FRX"])
        #expect(pager(["PAGER": "more"])?.arguments == ["more"])
        #expect(pager(["PAGER": "less -S"])?.arguments == ["/bin/sh", "-c", "less -S"])
        #expect(pager(["PAGER": "more", "READING_PAGER": ""]) == nil)
        #expect(pager(["PAGER": "cat"]) == nil)
        #expect(pager(["LESS": "S"])?.environment == ["PATH=/usr/bin:/bin", "LV=-c"])
    }

    @Test("A pager gets the whole text and its variables")
    func pagerText() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "0123456789\n", count: 50_000)
        let shown = try #require(pager(["PAGER": "cat > \(folder.path)/out; echo $LESS > \(folder.path)/less"])).show(
            text)
        #expect(shown)
        #expect(try String(contentsOfFile: folder.file("out"), encoding: .utf8) == text)
        #expect(try String(contentsOfFile: folder.file("less"), encoding: .utf8) == "FRX\n")
    }

    @Test(
        "A pager that is left early has worked, and one that is missing or fails has not",
        arguments: [
            ("head -1 > /dev/null", true), ("no-such-pager", false), ("no-such-pager -x", false), ("false", false),
        ])
    func pagerEnds(command: String, works: Bool) throws {
        ignoreWriteSignals()
        #expect(try #require(pager(["PAGER": command])).show(String(repeating: "line\n", count: 100_000)) == works)
    }

    @Test("Only long text is paged on a terminal, and the rest after a pager fails is printed")
    func paging() throws {
        var written = ""
        let writer = Writer(descriptor: 1, name: "x") { _, bytes, count in
            written += String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
            return count
        }
        let screen = Terminal(output: .init(isTerminal: true), width: 10, height: 4)
        let quiet = pager(["PAGER": "cat > /dev/null"])
        for (text, pager, terminal, isPlain) in [
            ("a\nb\nc\n", quiet, screen, true), ("a\nb\nc\nd\n", quiet, screen, false),
            (String(repeating: "x", count: 40) + "\n", quiet, screen, false),
            ("a\nb\nc\nd\n", nil, screen, true), ("a\nb\nc\nd\n", self.pager(["PAGER": "false"]), screen, true),
            ("a\nb\nc\nd\n", quiet, Terminal(height: 4), true),
        ] {
            written = ""
            try writer.write(text, through: pager, on: terminal)
            #expect(written == (isPlain ? text : ""))
        }
    }
}
