public import Navigation

/// Expects of each route that its path reads back as the same route: `R(path: route.path) == route`.
///
/// - Throws: ``RoundTripMismatch``, naming all routes of which that is not so.
public func expectRoundTrip<R: Route>(_ routes: some Sequence<R>) throws(RoundTripMismatch) {
    let failures = routes.compactMap { route -> RoundTripMismatch.Failure? in
        let read = R(path: route.path)
        return read == route
            ? nil : .init(route: "\(route)", path: route.path, read: read.map { "\($0)" })
    }
    guard failures.isEmpty else { throw RoundTripMismatch(failures: failures) }
}

/// A path that does not read back as the route that wrote it: a link to it, or a saved session, leads elsewhere.
public struct RoundTripMismatch: Error, Hashable, Sendable {
    /// The failure of a route.
    public struct Failure: Hashable, Sendable {
        /// The route.
        public let route: String
        /// The path that the route writes.
        public let path: String
        /// The route that the path reads as; nil if it names none.
        public let read: String?
    }

    /// The routes of which it is so.
    public let failures: [Failure]
}

extension RoundTripMismatch: CustomStringConvertible {
    /// A line for each route.
    public var description: String {
        failures.map { "\($0.route) is written as \($0.path), which reads as \($0.read ?? "no place")." }
            .joined(separator: "\n")
    }
}
