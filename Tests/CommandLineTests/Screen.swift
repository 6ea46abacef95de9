import Foundation
import TestSupport
import Testing

/// A shell in a terminal of 80 by 24 characters, which a test types into and reads.
struct Screen {
    private let home: Home
    private let environment: [String: String]
    /// The folder of its server's socket. The server of the previous terminal may still be ending.
    private let folder: TemporaryFolder

    /// Whether tmux is available.
    static let isAvailable = Program.find("tmux") != nil && Program.find("less") != nil

    /// Opens a terminal during `body`.
    static func open(in home: Home, _ body: (Screen) async throws -> Void) async throws {
        let screen = try Screen(home: home)
        try await screen.tmux(
            "new-session -d -s test -x 80 -y 24 'PS1=\"ready> \" exec sh'", "the shell")
        do {
            try await screen.wait(for: "ready>")
            try await body(screen)
        } catch {
            try await screen.tmux("kill-server", "the end")
            throw error
        }
        try await screen.tmux("kill-server", "the end")
    }

    private init(home: Home) throws {
        self.home = home
        folder = try TemporaryFolder()
        environment = ["TMUX_TMPDIR": folder.path, "TERM": "screen", "LESS": "FRX", "LESSHISTFILE": "-"]
    }

    /// Types a line and Return; the line is computed just before.
    func type(_ line: @autoclosure () -> String, location: SourceLocation = #_sourceLocation) async throws {
        try await tmux(#"send-keys -t test -l -- "$1"; tmux -f /dev/null send-keys -t test Enter"#, line(), location)
    }

    /// Presses a key by its name in tmux, such as `C-c`.
    func press(_ key: String, location: SourceLocation = #_sourceLocation) async throws {
        try await tmux(#"send-keys -t test "$1""#, key, location)
    }

    /// Types text, and no Return.
    func write(_ text: String, location: SourceLocation = #_sourceLocation) async throws {
        try await tmux(#"send-keys -t test -l -- "$1""#, text, location)
    }

    /// Gives the terminal another size.
    func resize(columns: Int, rows: Int, location: SourceLocation = #_sourceLocation) async throws {
        try await tmux("resize-window -t test -x \(columns) -y \(rows)", "", location)
    }

    /// Sends a signal to the program in the shell, by the signal's name.
    func signal(_ name: String, location: SourceLocation = #_sourceLocation) async throws {
        let script = #"pkill "-$1" -P "$(tmux -f /dev/null display-message -p -t test '#{pane_pid}')""#
        let outcome = try await home.shell(script, name, environment: environment)
        try #require(outcome.status == 0, "\(outcome.error)", sourceLocation: location)
    }

    /// The text on the screen, with its style sequences if `isStyled`.
    func text(isStyled: Bool = false) async throws -> String {
        let flags = isStyled ? "-ep" : "-p"
        return try await home.shell("tmux -f /dev/null capture-pane \(flags) -t test", environment: environment).output
    }

    /// Waits until the text is on the screen.
    @discardableResult
    func wait(for text: String, location: SourceLocation = #_sourceLocation) async throws -> String {
        try await wait(for: "“\(text)”", location: location) { $0.contains(text) }
    }

    /// Waits until a prompt is the last line of the screen. Earlier prompts may also be visible, and keys between two
    /// prompts are echoed.
    func wait(forPrompt prompt: String, location: SourceLocation = #_sourceLocation) async throws {
        try await wait(for: "the prompt “\(prompt)”", location: location) {
            $0.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix(prompt)
        }
    }

    /// Checks the screen 20 times a second, until it is as expected or 30 s have passed.
    @discardableResult
    func wait(
        for what: String, location: SourceLocation = #_sourceLocation, _ isThere: (String) async throws -> Bool
    ) async throws -> String {
        var screen = ""
        for _ in 0..<600 {
            screen = try await self.text()
            if try await isThere(screen) { return screen }
            try await Task.sleep(for: .milliseconds(50))
        }
        try #require(Bool(false), "never saw \(what) on:\n\(screen)", sourceLocation: location)
        return screen
    }

    private func tmux(
        _ command: String, _ argument: @autoclosure () -> String, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await home.shell("tmux -f /dev/null " + command, [argument()], environment: environment)
        try #require(outcome.status == 0, "\(outcome.error)", sourceLocation: location)
    }
}
