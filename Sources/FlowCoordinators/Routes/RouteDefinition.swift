internal import ArticleStore
internal import AuthService
internal import Navigation

/// A row of the table of places. It contains the path of a place and everything else that the application knows about
/// it, except its screen.
///
/// It is a class because a page looks up hundreds of rows: a copy of a value would retain each of its texts.
final class RouteDefinition: Sendable {
    /// The path without parameters. A part in angle brackets stands for the name of the object: `/articles/<slug>`.
    let pattern: String
    /// A place of this row.
    let example: AppRoute
    /// The flow that the place belongs to.
    let flow: FlowKind
    /// The place beneath this one if a link leads here; nil for the lowest place, which decides the section. If both
    /// patterns have a name, it is the same name.
    let parent: AppRoute?
    /// The lowest role that may see the place; nil if a user does not have to be signed in.
    let role: Role?
    /// The scope that an API token needs for the place; nil if an API token cannot open it.
    let scope: APIToken.Scope?
    /// Whether the place shows something that is created only once, such as a code, so that the user cannot return to
    /// it.
    let livesOnce: Bool
    /// Whether the places are about an article.
    let isAboutArticle: Bool
    /// The difference between the places of this row; nil if there is only one.
    let values: Values?

    /// The segments of the pattern.
    let segments: [String]
    /// The pattern before and after the name, if it has one.
    private let (prefix, suffix): (String, String)
    private let hasName: Bool

    /// The conversion between a place and the values in its path.
    struct Values: Sendable {
        /// Returns the name in the path, empty for a pattern without one; nil for a place of another row.
        let name: @Sendable (AppRoute) -> String?
        /// Returns the parameters of the path, in order.
        var parameters: @Sendable (AppRoute) -> [(name: String, value: String)] = { _ in [] }
        /// Returns the place with these values, and removes the parameters that it has understood; nil if a value is
        /// invalid.
        let route: @Sendable (_ name: String, _ parameters: inout [String: String]) -> AppRoute?
        /// Returns the place beneath a place, if it depends on the parameters.
        var parent: @Sendable (AppRoute) -> AppRoute? = { _ in nil }

        /// The conversion of places whose path contains the number of an object.
        ///
        /// - Parameters:
        ///   - make: returns the place with a number.
        ///   - number: returns the number of a place; nil for a place of another row.
        static func number(
            _ make: @escaping @Sendable (Int64) -> AppRoute, _ number: @escaping @Sendable (AppRoute) -> Int64?
        ) -> Values {
            Values(
                name: { number($0).map { String($0) } },
                route: { name, _ in Int64(name).flatMap { $0 > 0 && String($0) == name ? make($0) : nil } })
        }
    }

    init(
        _ pattern: String, _ example: AppRoute, flow: FlowKind, parent: AppRoute? = nil, role: Role? = nil,
        scope: APIToken.Scope? = nil, livesOnce: Bool = false, isAboutArticle: Bool = false, values: Values? = nil
    ) {
        self.pattern = pattern
        self.example = example
        self.flow = flow
        self.parent = parent
        self.role = role
        self.scope = scope
        self.livesOnce = livesOnce
        self.isAboutArticle = isAboutArticle
        self.values = values
        // Bytes, because each command reads all patterns when it starts.
        segments = pattern.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let parts = pattern.utf8.split(separator: UInt8(ascii: "<"), maxSplits: 1)
        prefix = String(Substring(parts[0]))
        hasName = parts.count == 2
        suffix = hasName ? String(Substring(parts[1].drop { $0 != UInt8(ascii: ">") }.dropFirst())) : ""
    }

    /// Creates a row of places that are about an article.
    ///
    /// - Parameters:
    ///   - ending: the end of the path, after the name of the article.
    ///   - make: returns the place for an article.
    ///   - name: returns the name of the article of a place; nil for a place of another row.
    static func aboutArticle(
        _ ending: String, flow: FlowKind, parent: AppRoute, role: Role, scope: APIToken.Scope,
        _ make: @escaping @Sendable (ArticleReference) -> AppRoute,
        name: @escaping @Sendable (AppRoute) -> String?
    ) -> RouteDefinition {
        RouteDefinition(
            "/articles/<slug>" + ending, make("<slug>"), flow: flow, parent: parent, role: role, scope: scope,
            isAboutArticle: true,
            values: Values(name: name, route: { name, _ in make(ArticleReference(name)) }))
    }

    /// Returns the name in the path of a place, empty for a pattern without one; nil for a place of another row, and if
    /// this row has only one place.
    func name(of route: AppRoute) -> String? { values?.name(route) }

    /// Returns the path of a place of this row.
    func path(of route: AppRoute) -> String {
        RoutePath.text(prefix, encoding: name(of: route) ?? "", suffix, parameters: parameters(of: route))
    }

    /// Calls a function with each piece of the path of a place of this row.
    func writePath(of route: AppRoute, to add: (UnsafeBufferPointer<UInt8>) -> Void) {
        RoutePath.write(
            prefix, encoding: name(of: route) ?? "", suffix, parameters: parameters(of: route), to: add)
    }

    private func parameters(of route: AppRoute) -> [(name: String, value: String)] {
        values?.parameters(route) ?? []
    }

    /// Returns the place beneath a place of this row.
    func parent(of route: AppRoute) -> AppRoute? {
        if let parent = values?.parent(route) { return parent }
        guard let parent, parent.definition.hasName, let name = name(of: route) else { return parent }
        var parameters: [String: String] = [:]
        return parent.definition.values?.route(name, &parameters)
    }

    /// Returns the place with a path of these segments; nil if they do not match the pattern, or a value is invalid or
    /// unknown.
    func route(at path: [String], _ parameters: [String: String]) -> AppRoute? {
        guard path.count == segments.count else { return nil }
        var name = ""
        for (segment, part) in zip(path, segments) {
            if part.first == "<" { name = segment } else if segment != part { return nil }
        }
        var parameters = parameters
        let route = values == nil ? example : values?.route(name, &parameters)
        return parameters.isEmpty ? route : nil
    }
}
