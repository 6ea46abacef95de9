import ArticleStore
import CYAML
import Text

/// Reads YAML with libyaml into plain values. Aliases and merges (`<<`) are resolved; tags other than `!!str` are
/// ignored. The value of the top-level key `title` is always the text as it is written.
struct YAMLReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let event: UnsafeMutablePointer<yaml_event_t>
    private var hasEvent = false
    private var anchors: [String: (value: JSON, count: Int)] = [:]
    private var count = 0

    /// Returns the first document; null if there is none.
    ///
    /// - Throws: `RecordError` with the line within `bytes`.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) -> JSON {
        if bytes.isEmpty { return .null }
        var reader = try YAMLReader(bytes)
        return try reader.document()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) {
        parser = .allocate(capacity: 1)
        event = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            event.deallocate()
            throw RecordError("out of memory")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        if hasEvent { yaml_event_delete(event) }
        yaml_parser_delete(parser)
        parser.deallocate()
        event.deallocate()
    }

    /// Moves to the next event.
    private mutating func advance() throws(RecordError) {
        if hasEvent { yaml_event_delete(event) }
        hasEvent = false
        guard yaml_parser_parse(parser, event) == 1 else {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "cannot be read"
            throw failure(problem, at: parser.pointee.problem_mark)
        }
        hasEvent = true
    }

    private func failure(_ reason: String, at mark: yaml_mark_t? = nil) -> RecordError {
        RecordError(line: (mark ?? event.pointee.start_mark).line + 1, "YAML front matter: \(reason)")
    }

    private mutating func document() throws(RecordError) -> JSON {
        repeat {
            try advance()
            if event.pointee.type == YAML_STREAM_END_EVENT { return .null }
        } while event.pointee.type != YAML_DOCUMENT_START_EVENT
        try advance()
        return try value(depth: 0)
    }

    /// Returns the value that begins with the current event. Afterwards, the current event is its last one.
    private mutating func value(depth: Int) throws(RecordError) -> JSON {
        guard depth < JSON.depthLimit else {
            throw failure("values nested more than \(JSON.depthLimit) deep")
        }
        let before = count
        try add(1)
        let anchor: String?
        let value: JSON
        switch event.pointee.type {
        case YAML_ALIAS_EVENT:
            let name = String(cString: event.pointee.data.alias.anchor)
            guard let known = anchors[name] else {
                throw failure("*\(name) refers to an anchor that is not defined before it")
            }
            guard depth + known.value.depth <= JSON.depthLimit else {
                throw failure("values nested more than \(JSON.depthLimit) deep")
            }
            try add(known.count)
            return known.value
        case YAML_SCALAR_EVENT:
            anchor = event.pointee.data.scalar.anchor.map { String(cString: $0) }
            value = scalar()
        case YAML_SEQUENCE_START_EVENT:
            anchor = event.pointee.data.sequence_start.anchor.map { String(cString: $0) }
            var elements: [JSON] = []
            try advance()
            while event.pointee.type != YAML_SEQUENCE_END_EVENT {
                elements.append(try self.value(depth: depth + 1))
                try advance()
            }
            value = .array(elements)
        case YAML_MAPPING_START_EVENT:
            anchor = event.pointee.data.mapping_start.anchor.map { String(cString: $0) }
            value = .object(try mapping(depth: depth))
        default:
            throw failure("a value was expected")
        }
        if let anchor { anchors[anchor] = (value, count - before) }
        return value
    }

    /// Returns the members of the mapping that begins with the current event. Afterwards, the current event is its end.
    private mutating func mapping(depth: Int) throws(RecordError) -> [JSON.Member] {
        var members: [JSON.Member] = []
        var merged: [JSON.Member] = []
        try advance()
        while event.pointee.type != YAML_MAPPING_END_EVENT {
            guard event.pointee.type == YAML_SCALAR_EVENT else { throw failure("a key is not a text") }
            let key = scalarText()
            let isMerge = key == "<<" && event.pointee.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
            try advance()
            if depth == 0, key.lowercased() == "title", let title = writtenText() {
                members.append(JSON.Member(key, .string(title)))
            } else {
                let value = try self.value(depth: depth + 1)
                if isMerge, let others = Self.mappings(value) {
                    merged += others
                } else {
                    members.append(JSON.Member(key, value))
                }
            }
            try advance()
        }
        if merged.isEmpty { return members }
        // Members of the mapping itself take precedence, then those of the first merged mapping.
        var keys = Set(members.map(\.key))
        try add(merged.count)
        return merged.filter { keys.insert($0.key).inserted } + members
    }

    /// Returns the members of a mapping or of a list of mappings; nil for other values. Source:
    /// <https://yaml.org/type/merge.html>.
    private static func mappings(_ value: JSON) -> [JSON.Member]? {
        guard case .array(let elements) = value else { return value.members }
        let mappings = elements.compactMap(\.members)
        return mappings.count == elements.count ? mappings.flatMap(\.self) : nil
    }

    /// Returns the text of the current event as it is written, such as `1984`, `1.10`, or `True`, without trailing line
    /// feeds of a block. Nil if it is null or not a scalar.
    private mutating func writtenText() -> String? {
        guard event.pointee.type == YAML_SCALAR_EVENT, event.pointee.data.scalar.anchor == nil else { return nil }
        if scalar() == .null { return nil }
        let style = event.pointee.data.scalar.style
        let isBlock = style == YAML_FOLDED_SCALAR_STYLE || style == YAML_LITERAL_SCALAR_STYLE
        return isBlock ? String(scalarText().trimmed) : scalarText()
    }

    private mutating func add(_ values: Int) throws(RecordError) {
        count += values
        guard count <= JSON.countLimit else { throw failure("more than \(JSON.countLimit) values") }
    }

    private func scalarText() -> String {
        let scalar = event.pointee.data.scalar
        return String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    }

    /// Returns the value of a scalar in the core schema of YAML 1.2. Numbers must also be valid in JSON.
    private func scalar() -> JSON {
        let text = scalarText()
        let scalar = event.pointee.data.scalar
        guard scalar.style == YAML_PLAIN_SCALAR_STYLE, scalar.tag == nil else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
                return .string(text)
            }
            var copy = text
            return copy.withUTF8 { try? JSONParser.value(of: $0) } ?? .string(text)
        }
    }
}
