extension NavigationState: Codable {
    /// The version of the format. Version 1 stored only the paths of a deferred target; version 2 stores also its
    /// flows, modals, and memories.
    private static var version: Int { 2 }

    private enum CodingKeys: CodingKey {
        case version, pathVersion, subject, section, flows, sections, history, deferred
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

    /// The stack of a section that is not selected.
    private struct SavedSection: Codable {
        var name: String
        var flows: [SavedFlow]
    }

    private struct SavedTarget: Codable {
        var section: String?
        var flows: [SavedFlow]?
        var sections: [SavedSection]?
        /// The field of version 1 that `flows` has replaced.
        var paths: [String]?
        var subject: String?
        /// The position in `flows` of the flow that holds the target's place.
        var entrance: Int
        /// The section in whose flows that position counts; nil for the selected section.
        var entranceSection: String?
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
    ///
    /// With sections, `flows` is the stack of the selected section. Its name is `"section": "library"`, the other stacks
    /// are `"sections": [{"name": "account", "flows": […]}]`, and `"history": ["account"]` are the sections that were
    /// selected before.
    public func encode(to encoder: any Encoder) throws {
        let answered = answered
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(R.pathVersion, forKey: .pathVersion)
        try container.encodeIfPresent(subject, forKey: .subject)
        let shown = answered.target
        try container.encodeIfPresent(section?.name, forKey: .section)
        try container.encode(Self.saved(shown.frames), forKey: .flows)
        try container.encodeIfPresent(Self.saved(shown.others), forKey: .sections)
        if !history.isEmpty { try container.encode(history.map { $0.name }, forKey: .history) }
        if let deferred, let entrance = answered.position(ofFlow: deferred.entrance) {
            let target = SavedTarget(
                section: deferred.target.section?.name, flows: Self.saved(deferred.target.frames),
                sections: Self.saved(deferred.target.others), subject: deferred.subject, entrance: entrance.index,
                entranceSection: entrance.section?.name, needed: deferred.needed.path)
            try container.encode(target, forKey: .deferred)
        }
    }

    /// Returns the position of a flow in its stack, and the section of the stack if it is not selected.
    private func position(ofFlow flow: FlowID) -> (index: Int, section: SectionID?)? {
        if let index = flows(of: frames).firstIndex(where: { $0.id == flow }) { return (index, nil) }
        for part in parked {
            if let index = flows(of: part.frames).firstIndex(where: { $0.id == flow }) { return (index, part.section) }
        }
        return nil
    }

    private static func saved(_ others: [Target<R>.Other]) -> [SavedSection]? {
        others.isEmpty ? nil : others.map { SavedSection(name: $0.section.name, flows: saved($0.frames)) }
    }

    private static func saved(_ frames: [Target<R>.Frame]) -> [SavedFlow] {
        var flows: [SavedFlow] = []
        for frame in frames {
            if frame.beginsFlow { flows.append(SavedFlow(paths: [], memory: frame.memory.map(SavedFlow.Memory.init))) }
            let last = flows.count - 1
            if frame.isModal { flows[last].modal = (flows[last].modal ?? []) + [flows[last].paths.count] }
            flows[last].paths.append(frame.route.path)
        }
        return flows
    }

    /// Reads a state that ``encode(to:)`` wrote, also in version 1. The flows get new identities.
    ///
    /// If a path is no longer valid, or now belongs to another flow, it is omitted with everything above it in its
    /// section. Paths of
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

        func others(_ saved: [SavedSection]?, beside section: String?, _ key: CodingKeys) throws -> [Target<R>.Other] {
            guard let saved else { return [] }
            let names = saved.map { $0.name }
            guard let section, Set(names + [section]).count == names.count + 1 else {
                throw corrupted(key, "\(names) are not the names of sections beside \(section ?? "no section").")
            }
            return try saved.map { part in
                let frames = try target(part.flows, key).frames
                guard part.flows.allSatisfy({ $0.modal == nil }) else {
                    throw corrupted(key, "The section \(part.name) has modal frames, which are above all sections.")
                }
                return .init(section: SectionID(part.name), frames: frames)
            }
        }

        let flows = try container.decode([SavedFlow].self, forKey: .flows)
        let section = try container.decodeIfPresent(String.self, forKey: .section)
        let sections = try container.decodeIfPresent([SavedSection].self, forKey: .sections)
        var shown = try target(flows, .flows)
        shown.section = section.map { SectionID($0) }
        shown.others = try others(sections, beside: section, .sections)
        self.init(shown)
        subject = try container.decodeIfPresent(String.self, forKey: .subject)
        for name in try container.decodeIfPresent([String].self, forKey: .history) ?? [] where section != nil {
            history.removeAll { $0.name == name }
            if name != section { history.append(SectionID(name)) }
        }

        guard let saved = try container.decodeIfPresent(SavedTarget.self, forKey: .deferred) else { return }
        let stack = saved.entranceSection.map { name in sections?.first { $0.name == name }?.flows ?? [] } ?? flows
        guard stack.indices.contains(saved.entrance) else {
            throw corrupted(.deferred, "There is no flow at position \(saved.entrance).")
        }
        var waiting =
            if let flows = saved.flows {
                try target(flows, .deferred)
            } else {
                Target((saved.paths ?? []).map(route).prefix { $0 != nil }.compactMap { $0 })
            }
        waiting.section = saved.section.map { SectionID($0) }
        waiting.others = try others(saved.sections, beside: saved.section, .deferred)
        guard !waiting.frames.isEmpty else { return }
        let read = self.flows(of: saved.entranceSection.map { frames(in: SectionID($0)) } ?? frames)
        if read.indices.contains(saved.entrance),
            let needed = (saved.needed ?? stack[saved.entrance].paths.first).flatMap(route)
        {
            deferred = Deferred(
                target: waiting, subject: saved.subject, entrance: read[saved.entrance].id, needed: needed)
        } else {
            self.init(waiting)
            subject = saved.subject
        }
    }
}
