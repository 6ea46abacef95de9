public import Navigation

/// Expects for each route that reading its path gives the same route: `R(path: route.path) == route`.
///
/// - Throws: ``RoundTripMismatch`` with all routes that fail.
public func expectRoundTrip<R: Route>(_ routes: some Sequence<R>) throws(RoundTripMismatch) {
    let failures = routes.compactMap { route -> RoundTripMismatch.Failure? in
        let read = R(path: route.path)
        return read == route
            ? nil : .init(route: "\(route)", path: route.path, read: read.map { "\($0)" })
    }
    guard failures.isEmpty else { throw RoundTripMismatch(failures: failures) }
}

/// The path of a route does not read back as the same route. A link or a saved session would lead to another place.
public struct RoundTripMismatch: Error, Hashable, Sendable {
    /// The failure of a route.
    public struct Failure: Hashable, Sendable {
        /// The route.
        public let route: String
        /// The path that the route writes.
        public let path: String
        /// The route that the path reads as; nil if the path is not valid.
        public let read: String?
    }

    /// The routes that failed.
    public let failures: [Failure]
}

extension RoundTripMismatch: CustomStringConvertible {
    /// A line for each route.
    public var description: String {
        failures.map { "\($0.route) is written as \($0.path), which reads as \($0.read ?? "no place")." }
            .joined(separator: "\n")
    }
}
