/// A route whose places are declared once, as a table of patterns.
///
/// ```swift
/// enum NoteRoute: PatternRoute {
///     case login
///     case list(tag: String?)
///     case note(Int)
///
///     static let patterns = [
///         RoutePattern("/login", flow: "login", NoteRoute.login),
///         RoutePattern("/notes?tag=<tag>", flow: "notes", NoteRoute.list),
///         RoutePattern("/notes/<number>", flow: "notes", NoteRoute.note),
///     ]
///     static let links = ["https://notes.example", "notes://"]
/// }
/// ```
///
/// The table gives ``Route/flow``, ``Route/path``, ``Route/screenName``, and ``Route/init(path:)``, and reads and
/// writes URLs. The places are an enumeration that does not customize its reflection.
public protocol PatternRoute: Route {
    /// The table. A path is read by the first pattern that it has.
    static var patterns: [RoutePattern<Self>] { get }

    /// The beginnings of the URLs that lead to this application: the scheme, the host, and possibly a path. The first is
    /// used for ``url``. By default there are none.
    static var links: [String] { get }
}

extension PatternRoute {
    /// An empty list.
    public static var links: [String] { [] }

    /// The flow of the pattern.
    public var flow: FlowKind { entry.flow }

    /// The pattern with the values of this place.
    public var path: String { entry.path() }

    /// The pattern without parameters.
    public var screenName: String { entry.screenName }

    /// Reads a path; nil if no pattern matches exactly.
    public init?(path: String) {
        guard let address = Address(path[...]), let route = Self.route(at: address, isExact: true) else { return nil }
        self = route
    }

    /// Reads a URL that begins with one of the ``links``; nil if it does not lead to a place of this application.
    ///
    /// Parameters and a fragment that the pattern does not name are ignored, because other programs add them to links.
    public init?(url: String) {
        for link in Self.links {
            guard let rest = Self.rest(of: url, after: link), let address = Address(rest),
                let route = Self.route(at: address, isExact: false)
            else { continue }
            self = route
            return
        }
        return nil
    }

    /// The URL of this place under the first of the ``links``; nil if there are none.
    public var url: String? {
        Self.links.first.map { link in link.last == "/" ? link + path.dropFirst() : link + path }
    }

    private var entry: RoutePattern<Self>.Entry {
        let reflected = ReflectedCase(self)
        for pattern in Self.patterns {
            if let entry = pattern.entry(self, reflected) { return entry }
        }
        // Input is read by the patterns, so it cannot name a place without one.
        preconditionFailure("\(Self.self).\(self) has no path: add its pattern to \(Self.self).patterns.")
    }

    private static func route(at address: Address, isExact: Bool) -> Self? {
        for pattern in patterns {
            if let route = pattern.route(address, isExact) { return route }
        }
        return nil
    }

    /// Returns the part of a URL after the beginning of a link. Schemes and hosts do not distinguish case.
    private static func rest(of url: String, after link: String) -> Substring? {
        let authority = link.firstRange(of: "://").map { scheme in
            link[..<(link[scheme.upperBound...].firstIndex(of: "/") ?? link.endIndex)].utf8.count
        }
        let (url, link) = (url.utf8, link.utf8)
        guard url.count >= link.count else { return nil }
        for (index, (have, want)) in zip(url, link).enumerated() {
            let isEqual = index < authority ?? 0 ? lowercased(have) == lowercased(want) : have == want
            guard isEqual else { return nil }
        }
        let rest = Substring(url.dropFirst(link.count))
        // The host must end here: `https://notes.example.org` is not `https://notes.example`.
        guard link.last == UInt8(ascii: "/") || rest.isEmpty || "/?#".contains(rest.prefix(1)) else { return nil }
        return rest
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
