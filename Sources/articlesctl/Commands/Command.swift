import Arguments
/// A command: how it is called, and what it does.
protocol Command: Sendable {
    /// Its entry in the command table.
    static var spec: CommandSpec { get }

    /// Reads what it was called with.
    ///
    /// - Throws: `UsageError` for what the table cannot check.
    init(_ parsed: ParsedCommand) throws

    /// Does it.
    ///
    /// - Throws: anything that `CommandError` can tell a person.
    func run(in context: Context) async throws
}
