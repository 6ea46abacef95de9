import ArticleStore
import Arguments
import FlowCoordinators

extension ParsedCommand {
    /// Returns the place in an argument; nil if the argument is missing.
    ///
    /// - Throws: `UsageError` if the path is not a place.
    func route(_ argument: String) throws -> AppRoute? {
        guard let path = self.argument(argument) else { return nil }
        try checkParameters(of: path)
        guard let route = AppRoute(path: path) else {
            throw error(
                .invalidValue(of: argument, value: path, expected: "a place such as /articles or /articles/welcome"))
        }
        return route
    }

    /// Checks the parameters of a path by the same rules as the options of `list`: empty and contradictory values are
    /// errors.
    private func checkParameters(of path: String) throws(UsageError) {
        let parameters = path.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&") ?? []
        var names: Set<Substring> = []
        for parameter in parameters {
            let name = parameter.prefix { $0 != "=" }
            names.insert(name)
            let value = parameter.dropFirst(name.count + 1)
            guard let setting = ArticleListSetting.all.first(where: { $0.name == name }) else { continue }
            if value.isEmpty { throw error(.other("“\(name)=” in the path needs a value")) }
            if case .flag = setting.value, value != "yes" {
                throw error(.other("“\(parameter)” in the path is invalid: write \(name)=yes, or omit it"))
            }
        }
        if names.isSuperset(of: ["read", "unread"]) { throw error(.other("read and unread cannot be combined")) }
    }
}
