import CPlatform
import Foundation
import Platform
import TestSupport
import Testing

@testable import Terminal

/// In the suite of signals, because the handlers belong to the process.
extension SignalTests {
    /// The modes of a terminal that raw mode changes.
    private func modes(_ terminal: PseudoTerminal) -> [UInt32] {
        var modes = termios()
        tcgetattr(terminal.terminal, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_lflag, modes.c_cflag].map { UInt32($0) }
    }

    @Test("A raw terminal reports keys as events, and is restored as it was")
    func rawTerminal() throws {
        let terminal = try PseudoTerminal()
        let before = modes(terminal)
        do {
            let raw = try #require(RawTerminal(input: terminal.terminal, output: terminal.terminal))
            #expect(modes(terminal) != before)
            #expect(!terminal.echoes)
            let isEntered = terminal.wait(for: "\u{1B}[m").hasPrefix("\u{1B}[?1049h")
            #expect(isEntered)
            #expect(RawTerminal(input: terminal.terminal, output: terminal.terminal) == nil)
            terminal.type(Array("jj\u{1B}[A\u{3}".utf8))
            #expect(
                try raw.nextEvents(timeout: nil) == [.character("j"), .character("j"), .key(.up), .key(.control("c"))])
            terminal.type([0x1B])
            #expect(try raw.nextEvents(timeout: nil) == [.key(.escape)])
        }
        #expect(modes(terminal) == before)
        let isLeft = terminal.wait(for: "\u{1B}[?1049l").contains("\u{1B}[?25h")
        #expect(isLeft)
    }

    @Test(
        "Any number of calls wakes a waiting thread once, and a call before the wait is not lost")
    func woken() throws {
        let terminal = try PseudoTerminal()
        let raw = try #require(RawTerminal(input: terminal.terminal, output: terminal.terminal))
        let wake = raw.wake
        Thread.detachNewThread { wake() }
        #expect(try raw.nextEvents(timeout: nil) == [.wake])
        // More than a pipe holds.
        for _ in 0..<100_000 { wake() }
        terminal.type([0x6A])
        #expect(try raw.nextEvents(timeout: nil) == [.character("j"), .wake])
        #expect(try raw.nextEvents(timeout: 0) == [])
        raw.close()
        wake()
    }

    @Test("An Esc is a key also for a thread that is woken again and again")
    func wokenAtEscape() throws {
        let terminal = try PseudoTerminal()
        let raw = try #require(RawTerminal(input: terminal.terminal, output: terminal.terminal))
        terminal.type([0x1B])
        var events: [InputEvent] = []
        for _ in 0..<3 {
            raw.wake()
            events += try raw.nextEvents(timeout: nil) ?? []
        }
        #expect(events.contains(.key(.escape)))
    }

    @Test("The wake descriptors are closed after their last use, and in child programs")
    func wakeUp() throws {
        /// Identifies the file of a descriptor, so that another file with the same number is noticed.
        func inode(_ descriptor: Int32) -> UInt64? {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
        }
        let terminal = try PseudoTerminal()
        var raw = RawTerminal(input: terminal.terminal, output: terminal.terminal)
        let descriptor = try #require(raw?.wakeUp.descriptor)
        let pipe = try #require(inode(descriptor))
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        var wake = raw?.wake
        raw = nil
        wake?()
        #expect(inode(descriptor) == pipe)
        wake = nil
        #expect(inode(descriptor) != pipe)
    }

    @Test("A new size and a continued process are events", arguments: [SIGWINCH, SIGCONT])
    func notedSignals(signal: Int32) throws {
        let terminal = try PseudoTerminal()
        let raw = try #require(RawTerminal(input: terminal.terminal, output: terminal.terminal))
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.controller, UInt(TIOCSWINSZ), &size)
        kill(getpid(), signal)
        let events = try raw.nextEvents(timeout: nil)
        #expect(events?.first == .resize(Size(columns: 100, rows: 30)))
        #expect(events?.contains(.redraw) == (signal == SIGCONT))
    }

    @Test(
        "A signal to end, and a terminal that goes away, end the events",
        arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, 0])
    func endings(signal: Int32) throws {
        let terminal = try PseudoTerminal()
        let before = modes(terminal)
        let raw = try #require(RawTerminal(input: terminal.terminal, output: terminal.terminal))
        if signal == 0 {
            // Both ends must not be closed twice, so the program gets a copy of its end.
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            dup2(ends[0], terminal.terminal)
            close(ends[0])
            close(ends[1])
            #expect(try raw.nextEvents(timeout: nil) == nil)
            #expect(raw.signal == nil)
            return
        }
        kill(getpid(), signal)
        #expect(try raw.nextEvents(timeout: nil) == nil)
        #expect(raw.signal == signal)
        raw.close()
        #expect(modes(terminal) == before)
    }

    @Test(
        "A process that ends by a signal restores the terminal, also after a crash or a hang",
        .enabled(if: isInstalled("cc")), arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL])
    func child(signal: Int32) throws {
        let terminal = try PseudoTerminal()
        let before = modes(terminal)
        let folder = try TemporaryFolder()
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CPlatform").standardized.path
        let program = """
            #include "platform_screen.h"
            #include <signal.h>
            #include <unistd.h>
            int main(void) {
                sigset_t none;
                sigemptyset(&none);
                sigprocmask(SIG_SETMASK, &none, NULL);
                signal(\(signal), SIG_DFL);
                if (platform_screen_open(0, 1, "ENTER", "LEAVE") < 0) { return 1; }
                raise(\(signal));
                raise(\(signal));
                for (;;) { pause(); }
            }
            """
        try program.write(toFile: folder.path + "/main.c", atomically: true, encoding: .utf8)
        let built = try runProgram([
            "cc", "-I", sources + "/include", sources + "/platform_screen.c", folder.path + "/main.c", "-o",
            folder.path + "/child", "-lpthread",
        ])
        try #require(built.status == 0, "\(built.output)")
        let process = try ChildProcess(
            [folder.path + "/child"], environment: [],
            streams: [.descriptor(terminal.terminal), .descriptor(terminal.terminal)])
        #expect(process.wait() == 128 + signal)
        #expect(modes(terminal) == before)
        #expect(terminal.wait(for: "LEAVE") == "ENTERLEAVE")
    }
}
