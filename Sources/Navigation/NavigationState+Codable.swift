extension NavigationState: Codable {
    private static var version: Int { 1 }

    private enum CodingKeys: CodingKey {
        case version, subject, flows, deferred
    }

    private struct SavedFlow: Codable {
        var paths: [String]
        /// The positions in `paths` of modal frames.
        var modal: [Int]?
    }

    private struct SavedTarget: Codable {
        var paths: [String]
        var subject: String?
        /// The position in `flows` of the flow that holds the target's place.
        var entrance: Int
    }

    /// Writes the state as paths, so that it survives a new version of the application:
    ///
    /// ```json
    /// {"version": 1, "subject": "ada", "flows": [{"paths": ["/articles", "/articles/42"]}]}
    /// ```
    ///
    /// A flow with modal frames adds their positions, `"modal": [1]`; a target that waits is written as
    /// `"deferred": {"paths": ["/account"], "entrance": 0}`, where `entrance` is a position in `flows`.
    public func encode(to encoder: any Encoder) throws {
        var saved: [SavedFlow] = []
        for flow in flows {
            let frames = frames.filter { $0.flow == flow.id }
            let modal = frames.indices.filter { frames[$0].isModal }
            saved.append(SavedFlow(paths: frames.map(\.route.path), modal: modal.isEmpty ? nil : modal))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encodeIfPresent(subject, forKey: .subject)
        try container.encode(saved, forKey: .flows)
        if let deferred, let entrance = flows.firstIndex(where: { $0.id == deferred.entrance }) {
            let target = SavedTarget(
                paths: deferred.routes.map(\.path), subject: deferred.subject, entrance: entrance)
            try container.encode(target, forKey: .deferred)
        }
    }

    /// Reads what ``encode(to:)`` wrote. The flows get new identities.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, saying which path or field is wrong, where the version is not known, a
    ///   path names no place, or the fields contradict each other; other cases of `DecodingError` where one is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func corrupted(_ key: CodingKeys, _ message: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: message)
        }
        func routes(_ paths: [String], _ key: CodingKeys) throws -> [R] {
            try paths.map { path in
                guard let route = R(path: path) else { throw corrupted(key, "\(path) names no place.") }
                return route
            }
        }

        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.version else {
            throw corrupted(.version, "Version \(version) is not known; this program reads version \(Self.version).")
        }
        self.init()
        subject = try container.decodeIfPresent(String.self, forKey: .subject)

        for saved in try container.decode([SavedFlow].self, forKey: .flows) {
            let routes = try routes(saved.paths, .flows)
            let modal = Set(saved.modal ?? [])
            guard Set(routes.map(\.flow)).count == 1 else {
                throw corrupted(.flows, "The paths \(saved.paths) are not of one flow.")
            }
            guard modal.isSubset(of: routes.indices), !(frames.isEmpty && modal.contains(0)) else {
                throw corrupted(.flows, "\(modal.sorted()) are not positions of modal frames in \(saved.paths).")
            }
            let flow = openFlow()
            for (position, route) in routes.enumerated() {
                append(route, in: flow, modal: modal.contains(position))
            }
        }

        if let target = try container.decodeIfPresent(SavedTarget.self, forKey: .deferred) {
            guard flows.indices.contains(target.entrance) else {
                throw corrupted(.deferred, "There is no flow at position \(target.entrance).")
            }
            deferred = Deferred(
                routes: try routes(target.paths, .deferred), subject: target.subject,
                entrance: flows[target.entrance].id)
        }
    }
}
