import Arguments
import FlowCoordinators
import Terminal
import Text

extension Context {
    /// Goes to a place and prints its screen.
    func show(_ target: AppRoute) async throws {
        if let screen = try await screen(at: target) { try write(screen) }
    }

    /// Goes to a place. At a terminal, fills in its forms with the user and prints the result.
    ///
    /// - Returns: the screen, if it must still be printed.
    func screen(at target: AppRoute) async throws -> Screen? { try await screen(at: target, by: try await front()) }

    /// Goes to a place with a front that the caller can use further.
    func screen(at target: AppRoute, by front: Front) async throws -> Screen? {
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

    /// Prints a screen: as JSON, as plain text for other programs, or laid out for a person.
    func write(_ screen: Screen) throws {
        if json {
            guard let json = screen.json else {
                throw CommandError("“\(screen.title)” does not have data", hint: "leave out --json", code: .usage)
            }
            return try write(json)
        }
        guard terminal.output.isTerminal else {
            sayNothing(on: screen)
            return try output.write(PlainScreen(screen).text)
        }
        try draw(screen, width: terminal.width)
    }

    /// Says that a list is empty, unless the list itself shows that on a terminal.
    func sayNothing(on screen: Screen) {
        guard case .list(let list) = screen.content, list.rows.isEmpty, !terminal.output.isTerminal else { return }
        say(list.placeholder)
    }

    /// Prints JSON: in one line for a program, laid out for a person.
    func write(_ json: JSON) throws {
        guard terminal.output.isTerminal else { return try output.writeLine(json.description) }
        try output.write(json.laidOut + "\n", through: pager(), on: terminal)
    }

    /// Prints a screen in its layout for people, even if the output is not a terminal. A long screen in a terminal is
    /// shown in a pager.
    ///
    /// - Parameter next: the command for the next page of a list.
    func draw(_ screen: Screen, width: Int, next: String? = nil) throws {
        let isColored = terminal.output.isColored
        let text = DrawnScreen(screen, width: width, isColored: isColored, next: next).text
        try output.write(text.rendered(isColored: isColored), through: pager(), on: terminal)
    }

    /// Prints a text for programs. On a terminal, control sequences are removed from it.
    func write(source: String) throws {
        guard terminal.output.isTerminal else { return try output.write(source) }
        try output.write(source.sanitized(keeping: [.newline, .tab]), through: pager(), on: terminal)
    }

    /// Prints the result of a command. If standard output fails, the error contains it.
    func report(_ text: String?, json object: JSON) throws {
        do {
            let text = (text ?? "Done.").sanitized()
            try output.writeLine(!json ? text : terminal.output.isTerminal ? object.laidOut : object.description)
            try output.flush()
        } catch WriteError.closed {
            throw WriteError.closed
        } catch {
            throw CommandError(
                error.description, hint: text.map { "the command is done; its output is: \($0)" }, code: .ioError)
        }
    }

    /// Prints rows: in columns for a person, separated by tabs for a program.
    func write(_ table: Table) throws {
        guard terminal.output.isTerminal else { return try output.write(table.tabSeparated) }
        try output.write(table.aligned(width: terminal.width).rendered(isColored: terminal.output.isColored))
        let omitted = table.omitted(width: terminal.width)
        if !omitted.isEmpty {
            say("No room for \(omitted.joined(separator: ", ")): widen the terminal, or use --json.")
        }
    }
}
