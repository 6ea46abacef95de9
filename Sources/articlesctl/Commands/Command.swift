import Arguments
/// A command, with its syntax and its work.
protocol Command: Sendable {
    /// The name.
    static var name: String { get }
    /// Other names.
    static var aliases: [String] { get }
    /// Its entry in the command table.
    static var spec: CommandSpec { get }

    /// Reads the parsed arguments.
    ///
    /// - Throws: `UsageError` for mistakes that the command table cannot detect.
    init(_ parsed: ParsedCommand) throws

    /// Runs the command.
    ///
    /// - Throws: any error that `CommandError` can explain.
    func run(in context: Context) async throws
}

extension Command {
    /// By default, the name is the only one.
    static var aliases: [String] { [] }
}
