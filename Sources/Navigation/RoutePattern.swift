/// A row of the table in which a ``PatternRoute`` declares its places: the pattern of a path, its flow, and the place.
///
/// ```swift
/// RoutePattern("/notes/<number>?sort=<order>#<heading>", flow: "notes", NoteRoute.note)
/// ```
///
/// A name in angle brackets stands for a ``RouteParameter``. The parameters have the order of the values of the case.
/// A pattern reads and writes paths, so the two cannot differ.
public struct RoutePattern<R: Route>: Sendable {
    /// The pattern, such as `/notes/<number>`.
    let text: String
    /// Returns the description of a place; nil for a place of another pattern. The place is reflected once for all
    /// patterns.
    let entry: @Sendable (R, ReflectedCase?) -> Entry?
    /// Reads a path. If it is exact, the path must not contain anything that the pattern does not name.
    let route: @Sendable (Address, _ isExact: Bool) -> R?

    /// The description of a place by its pattern.
    struct Entry {
        let flow: FlowKind
        let screenName: String
        /// Returns the path. Flows are read more often than paths.
        let path: () -> String
    }

    /// Declares a single place.
    public init(_ pattern: String, flow: FlowKind, _ place: R) {
        let shape = PatternShape(pattern)
        shape.requireCount(0)
        text = pattern
        entry = { route, _ in
            route == place ? Entry(flow: flow, screenName: shape.screenName, path: { pattern }) : nil
        }
        route = { address, isExact in shape.values(in: address, isExact: isExact) == nil ? nil : place }
    }

    /// Declares the places of a case with values.
    ///
    /// - Parameters:
    ///   - pattern: The pattern. An optional value can be omitted at the end of the path, in the parameters, and in the
    ///     fragment.
    ///   - flow: The flow that the places belong to.
    ///   - make: The case, such as `NoteRoute.note`.
    public init<each Value: RouteParameter>(
        _ pattern: String, flow: FlowKind, _ make: @escaping @Sendable (repeat each Value) -> R
    ) {
        let shape = PatternShape(pattern)
        var count = 0
        for _ in repeat (each Value).self { count += 1 }
        shape.requireCount(count)
        text = pattern
        let enumCase = EnumCase { (values: (repeat each Value)) in make(repeat each values) }
        entry = { _, reflected in
            guard let values = enumCase.payload(of: reflected) else { return nil }
            return Entry(flow: flow, screenName: shape.screenName) {
                var texts: [String?] = []
                for value in repeat each values { texts.append(value.pathText) }
                return shape.path(of: texts)
            }
        }
        route = { address, isExact in
            guard var texts = shape.values(in: address, isExact: isExact)?[...] else { return nil }
            do throws(InvalidValue) {
                return make(repeat try InvalidValue.next(in: &texts, (each Value).self))
            } catch {
                return nil
            }
        }
    }

    /// Declares the places of a feature, which has its own table: `RoutePattern("/account", AppRoute.account)`. The
    /// pattern is the beginning of their paths.
    public init<Feature: Route>(_ prefix: String, _ make: @escaping @Sendable (Feature) -> R) {
        text = prefix
        let enumCase = EnumCase(make)
        entry = { _, reflected in
            enumCase.payload(of: reflected).map { place in
                Entry(flow: place.flow, screenName: prefix + place.screenName) { prefix + place.path }
            }
        }
        let segments = PatternShape(prefix).segments
        route = { address, isExact in
            guard address.path.segments.starts(with: segments) else { return nil }
            var address = address
            address.path.removeFirst(segments.count)
            guard let place = Feature(path: address.text) else { return nil }
            return make(place)
        }
    }
}

/// A value of a path is not valid.
private struct InvalidValue: Error {
    static func next<Value: RouteParameter>(
        in texts: inout ArraySlice<String?>, _: Value.Type
    ) throws(InvalidValue) -> Value {
        guard let value = Value(pathText: texts.removeFirst()) else { throw InvalidValue() }
        return value
    }
}

/// A path and its fragment, as in `/notes/42#heading`.
struct Address {
    var path: RoutePath
    let fragment: String?

    /// Reads an address; nil if it is not valid.
    init?(_ text: Substring) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = RoutePath(parsing: String(parts[0])) else { return nil }
        self.path = path
        guard parts.count == 2 else {
            fragment = nil
            return
        }
        guard let fragment = RoutePath.decoded(parts[1].utf8) else { return nil }
        self.fragment = fragment
    }

    var text: String { path.text + (fragment.map { "#" + RoutePath.encoded($0) } ?? "") }
}

/// A pattern that was read.
private struct PatternShape: Sendable {
    let screenName: String
    let segments: [String]
    /// The names of the parameters. They have the order of their values.
    let parameters: [String]
    let hasFragment: Bool
    let pattern: String

    init(_ pattern: String) {
        self.pattern = pattern
        let parts = pattern.split(separator: "#", maxSplits: 1)
        let sides = (parts.first ?? "").split(separator: "?", maxSplits: 1)
        screenName = sides.first.map { String($0) } ?? "/"
        segments = screenName.split(separator: "/").map { String($0) }
        parameters =
            sides.dropFirst().first?.split(separator: "&").map { String($0.prefix { $0 != "=" }) } ?? []
        hasFragment = parts.count == 2
    }

    private static func isValue(_ segment: String) -> Bool { segment.first == "<" && segment.last == ">" }

    private var count: Int { segments.count { Self.isValue($0) } + parameters.count + (hasFragment ? 1 : 0) }

    func requireCount(_ wanted: Int) {
        precondition(
            count == wanted,
            "The pattern \(pattern) has \(count) values, but its place has \(wanted): name each value once in <>.")
    }

    /// Returns the texts of the values in a path; nil if the path does not have this pattern.
    func values(in address: Address, isExact: Bool) -> [String?]? {
        let path = address.path
        guard path.segments.count <= segments.count else { return nil }
        var texts: [String?] = []
        for (index, segment) in segments.enumerated() {
            let found = path.segments.indices.contains(index) ? path.segments[index] : nil
            if Self.isValue(segment) { texts.append(found) } else if found != segment { return nil }
        }
        texts += parameters.map { path[$0] }
        if hasFragment { texts.append(address.fragment) }
        guard
            !isExact
                || (path.parameters.keys.allSatisfy(parameters.contains) && (hasFragment || address.fragment == nil))
        else { return nil }
        return texts
    }

    /// Returns the path with these values.
    func path(of texts: [String?]) -> String {
        var texts = texts[...]
        var path = ""
        var isComplete = true
        for segment in segments {
            let text = Self.isValue(segment) ? texts.removeFirst() : segment
            assert(
                text?.isEmpty != true && (isComplete || text == nil),
                "A value of \(pattern) is missing, so no path leads to this place: give each value a text.")
            isComplete = text != nil
            if let text { path += "/" + (Self.isValue(segment) ? RoutePath.encoded(text) : text) }
        }
        var separator = "?"
        for parameter in parameters {
            guard let text = texts.removeFirst() else { continue }
            path += separator + parameter + "=" + RoutePath.encoded(text)
            separator = "&"
        }
        if hasFragment, let text = texts.removeFirst() { path += "#" + RoutePath.encoded(text) }
        return path.isEmpty || path.first == "/" ? (path.isEmpty ? "/" : path) : "/" + path
    }
}
