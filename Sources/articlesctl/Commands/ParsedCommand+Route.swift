import ArticleStore
import Arguments
import FlowCoordinators
import Navigation

extension ParsedCommand {
    /// Returns the place in an argument; nil if the argument is missing.
    ///
    /// - Throws: `UsageError` if the path is not a place.
    func route(_ argument: String) throws -> AppRoute? {
        guard let path = self.argument(argument) else { return nil }
        if let read = RoutePath(parsing: path) { try checkSettings(of: read) }
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

    /// Checks the settings of a list in a path, so that the message names the one that is wrong. As in the options of
    /// `list`, a value must not be empty.
    private func checkSettings(of path: RoutePath) throws(UsageError) {
        var list = ArticleList()
        for setting in ArticleListSetting.all {
            guard let text = path[setting.name] else { continue }
            let name = setting.name
            if text.isEmpty { throw error(.other("“\(name)=” in the path needs a value")) }
            do {
                try setting.set(text, in: &list, as: .path)
            } catch let flags as ArticleListSetting.Contradiction {
                throw error(.other("\(flags.first) and \(flags.second) cannot be combined"))
            } catch {
                let advice = if case .flag = setting.value { ": write \(name)=yes, or omit it" } else { "" }
                throw self.error(.other("“\(name)=\(text)” in the path is invalid\(advice)"))
            }
        }
    }
}
