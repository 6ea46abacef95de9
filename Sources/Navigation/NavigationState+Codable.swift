extension NavigationState: Codable {
    /// The version of the format. Version 1 stored only the paths of a deferred target; version 2 stores also its
    /// flows, modals, and memories.
    private static var version: Int { 2 }

    private enum CodingKeys: CodingKey {
        case version, pathVersion, subject, flows, deferred
    }

    private struct SavedFlow: Codable {
        var paths: [String]
        /// The positions of modal frames in `paths`.
        var modal: [Int]?
        var memory: Memory?

        /// If a memory cannot be decoded, it is dropped, and the flow stays.
        struct Memory: Codable {
            let value: R.Memory?

            init(_ value: R.Memory) { self.value = value }
            init(from decoder: any Decoder) { value = try? R.Memory(from: decoder) }
            func encode(to encoder: any Encoder) throws { try value?.encode(to: encoder) }
        }
    }

    private struct SavedTarget: Codable {
        var flows: [SavedFlow]?
        /// The field of version 1 that `flows` has replaced.
        var paths: [String]?
        var subject: String?
        /// The position in `flows` of the flow that holds the target's place.
        var entrance: Int
        /// The path of the place that the user must pass. Version 1 did not write it; then it is the first place of
        /// that flow.
        var needed: String?
    }

    /// Writes the state as paths, so that a new version of the application can read it:
    ///
    /// ```json
    /// {"version": 2, "pathVersion": 1, "subject": "ada", "flows": [{"paths": ["/articles", "/articles/42"]}]}
    /// ```
    ///
    /// A flow with modal frames also has their positions, `"modal": [1]`. A flow whose coordinator has a memory also
    /// has that as `"memory"`. A deferred target is written as `"deferred": {"flows": […], "entrance": 0, "needed":
    /// "/login"}`, where `entrance` is a position in `flows`. A ``question`` is not written.
    public func encode(to encoder: any Encoder) throws {
        let answered = answered
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(R.pathVersion, forKey: .pathVersion)
        try container.encodeIfPresent(subject, forKey: .subject)
        try container.encode(Self.saved(answered.target), forKey: .flows)
        if let deferred, let entrance = answered.flows.firstIndex(where: { $0.id == deferred.entrance }) {
            let target = SavedTarget(
                flows: Self.saved(deferred.target), subject: deferred.subject, entrance: entrance,
                needed: deferred.needed.path)
            try container.encode(target, forKey: .deferred)
        }
    }

    private static func saved(_ target: Target<R>) -> [SavedFlow] {
        var flows: [SavedFlow] = []
        for frame in target.frames {
            if frame.beginsFlow { flows.append(SavedFlow(paths: [], memory: frame.memory.map(SavedFlow.Memory.init))) }
            let last = flows.count - 1
            if frame.isModal { flows[last].modal = (flows[last].modal ?? []) + [flows[last].paths.count] }
            flows[last].paths.append(frame.route.path)
        }
        return flows
    }

    /// Reads a state that ``encode(to:)`` wrote, also in version 1. The flows get new identities.
    ///
    /// If a path is no longer valid, or now belongs to another flow, it is omitted with everything above it. Paths of
    /// an earlier ``Route/pathVersion`` are first converted with ``Route/migrated(_:from:)``. If the entrance of a
    /// deferred target cannot be read, the target itself becomes the stack, as far as a ``Gate`` admits it.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, with the name of the field, if the version is unknown or the fields
    ///   contradict each other; other cases of `DecodingError` if a field is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func corrupted(_ key: CodingKeys, _ message: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: message)
        }
        let version = try container.decode(Int.self, forKey: .version)
        guard (1...Self.version).contains(version) else {
            throw corrupted(
                .version, "Version \(version) is not known; this program reads versions 1 to \(Self.version).")
        }
        let pathVersion = try container.decodeIfPresent(Int.self, forKey: .pathVersion) ?? 1
        guard pathVersion <= R.pathVersion else {
            throw corrupted(
                .pathVersion,
                "The paths are of version \(pathVersion); this program reads versions up to \(R.pathVersion).")
        }
        func route(_ path: String) -> R? {
            let path = pathVersion < R.pathVersion ? R.migrated(path, from: pathVersion) : path
            return path.flatMap(R.init(path:))
        }
        func target(_ flows: [SavedFlow], _ key: CodingKeys) throws -> Target<R> {
            var target = Target<R>()
            for saved in flows {
                let modal = saved.modal ?? []
                guard modal.allSatisfy(saved.paths.indices.contains), !(target.frames.isEmpty && modal.contains(0))
                else { throw corrupted(key, "\(modal) are not positions of modal frames in \(saved.paths).") }
                let routes = saved.paths.map(route)
                for case (let position, let route?) in routes.prefix(while: { $0 != nil }).enumerated() {
                    guard route.flow == routes[0]?.flow else { return target }
                    target.add(
                        route, isModal: modal.contains(position), beginsFlow: position == 0,
                        memory: position == 0 ? saved.memory?.value : nil)
                }
                guard !routes.contains(nil) else { return target }
            }
            return target
        }

        let flows = try container.decode([SavedFlow].self, forKey: .flows)
        self.init(try target(flows, .flows))
        subject = try container.decodeIfPresent(String.self, forKey: .subject)

        guard let saved = try container.decodeIfPresent(SavedTarget.self, forKey: .deferred) else { return }
        guard flows.indices.contains(saved.entrance) else {
            throw corrupted(.deferred, "There is no flow at position \(saved.entrance).")
        }
        let waiting =
            if let flows = saved.flows {
                try target(flows, .deferred)
            } else {
                Target((saved.paths ?? []).map(route).prefix { $0 != nil }.compactMap(\.self))
            }
        guard !waiting.frames.isEmpty else { return }
        if self.flows.indices.contains(saved.entrance),
            let needed = (saved.needed ?? flows[saved.entrance].paths.first).flatMap(route)
        {
            deferred = Deferred(
                target: waiting, subject: saved.subject, entrance: self.flows[saved.entrance].id, needed: needed)
        } else {
            self.init(waiting)
            subject = saved.subject
        }
    }
}
