import FlowCoordinators

extension ParsedCommand {
    /// The place that an argument names by its path; nil when the argument was not given.
    ///
    /// - Throws: `UsageError` when the path names no place.
    func route(_ argument: String) throws -> AppRoute? {
        guard let path = self.argument(argument) else { return nil }
        guard let route = AppRoute(path: path) else {
            throw error(
                .invalidValue(of: argument, value: path, expected: "a place such as /articles or /articles/welcome"))
        }
        return route
    }
}
