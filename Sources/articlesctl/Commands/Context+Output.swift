import FlowCoordinators
import Terminal
import Text

extension Context {
    /// Goes to a place and writes what is there.
    func show(_ target: AppRoute) async throws {
        if let screen = try await screen(at: target) { try write(screen) }
    }

    /// Goes to a place. Where somebody can fill a form in, writes what came of it.
    ///
    /// - Returns: what is there and still to be written.
    func screen(at target: AppRoute) async throws -> Screen? {
        let front = try front()
        let screen = try await front.screen(at: target) { place in
            isInteractive ? place.flow != target.flow && place != .login() && place != .secondFactor : place == target
        }
        if let error = screen.notice?.error { throw error }
        if isInteractive, screen.form != nil {
            try report(screen.notice?.text, json: ["path": .string(front.application.place.path)])
            return nil
        }
        if let notice = screen.notice { say(notice.text) }
        return screen
    }

    /// Writes a screen: as JSON, as plain text for other programs, or laid out for a person.
    func write(_ screen: Screen) throws {
        if json {
            guard let json = screen.json else {
                throw CommandError("“\(screen.title)” is a screen without data", hint: "leave out --json", code: .usage)
            }
            return try output.writeLine(json.description)
        }
        guard terminal.output.isTerminal else { return try output.write(PlainScreen(screen).text) }
        try draw(screen, width: terminal.width)
    }

    /// Lays a screen out, wherever it goes: on a terminal through a pager when it is long.
    func draw(_ screen: Screen, width: Int) throws {
        let isColored = terminal.output.isColored
        let text = DrawnScreen(screen, width: width, isColored: isColored).text
        try output.write(text.rendered(isColored: isColored), through: pager(), on: terminal)
    }

    /// Writes what is for a program to read; on a terminal, which obeys what stands in a text, made harmless.
    func write(source: String) throws {
        guard terminal.output.isTerminal else { return try output.write(source) }
        try output.write(source.sanitized(keeping: [.newline, .tab]), through: pager(), on: terminal)
    }

    /// Says on standard output what was done. Where that cannot be written, the error says it.
    func report(_ text: String?, json object: JSON) throws {
        do {
            try output.writeLine(json ? object.description : (text ?? "Done.").sanitized())
            try output.flush()
        } catch WriteError.closed {
            throw WriteError.closed
        } catch {
            throw CommandError(error.description, hint: text.map { "It would say: \($0)" }, code: .ioError)
        }
    }

    /// Writes rows: in columns for a person, separated by tabs for a program.
    func write(_ table: Table) throws {
        guard terminal.output.isTerminal else { return try output.write(table.tabSeparated) }
        try output.write(table.aligned(width: terminal.width).rendered(isColored: terminal.output.isColored))
    }
}
