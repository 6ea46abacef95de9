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
            let (place, names) = Self.parts(of: path)
            let known = ArticleListSetting.all.map(\.name)
            if AppRoute(path: place) != nil, let name = names.first(where: { !known.contains($0) }) {
                throw error(.other("“\(name)” is not a parameter of \(place)"))
            }
            throw error(
                .invalidValue(of: argument, value: path, expected: "a place such as /articles or /articles/welcome"))
        }
        return route
    }

    /// The path without its parameters, and the names of these.
    private static func parts(of path: String) -> (place: String, names: [String]) {
        let parts = path.split(separator: "?", maxSplits: 1)
        let parameters = parts.dropFirst().first?.split(separator: "&") ?? []
        return (String(parts.first ?? ""), parameters.map { String($0.prefix { $0 != "=" }) })
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
