import FlowCoordinators
import Terminal
import Text

extension Context {
    /// Goes to a place and writes what is there. Where somebody can fill a form in, writes what came of it instead.
    func show(_ target: AppRoute) async throws {
        let front = try front()
        let screen = try await front.screen(at: target) { place in
            isInteractive ? place.flow != target.flow && place != .login() : place == target
        }
        if let error = screen.notice?.error { throw error }
        if isInteractive, screen.form != nil {
            return try report(screen.notice?.text, json: ["path": .string(front.application.place.path)])
        }
        if let notice = screen.notice { say(notice.text) }
        try write(screen)
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
        let isColored = terminal.output.isColored
        let text = DrawnScreen(screen, width: terminal.width, isColored: isColored).text
        try output.write(text.rendered(isColored: isColored), through: pager, on: terminal)
    }

    /// Says on standard output what was done.
    func report(_ text: String?, json object: JSON) throws {
        try output.writeLine(json ? object.description : (text ?? "Done.").sanitized())
    }

    /// Writes rows: in columns for a person, separated by tabs for a program.
    func write(_ table: Table) throws {
        guard terminal.output.isTerminal else { return try output.write(table.tabSeparated) }
        try output.write(table.aligned(width: terminal.width).rendered(isColored: terminal.output.isColored))
    }
}
