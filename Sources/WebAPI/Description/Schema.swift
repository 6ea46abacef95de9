import Text

/// The allowed values of JSON: the part of JSON Schema 2020-12 that this API needs. The same schema checks bodies and
/// generates the description, so both always agree.
indirect enum Schema: Sendable {
    /// A text.
    case string(Text)
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// Any number.
    case number
    /// True or false.
    case boolean
    /// A list of values with the same schema.
    case array(Schema, atMost: Int? = nil)
    /// An object with these members. An open object may have others.
    case object([Member], isOpen: Bool = false)
    /// A value with this schema, or null.
    case optional(Schema)
    /// A value of any of several schemas.
    case either([Schema])
    /// A schema with a name in the description.
    case named(String, Schema)

    /// The rules for a text.
    struct Text: Sendable {
        /// The allowed number of Unicode scalars.
        var length = 0...Int.max
        /// The allowed values; nil if any text is allowed.
        var choices: [String]?
        /// A format for the description. The formats `date` and `date-time` are also checked.
        var format: String?
        /// Whether the text must contain at least one visible character; see `String.isVisible`.
        var isVisible = false
        /// The part of the request that contains the text. It decides which characters are allowed: the query must not
        /// contain NUL, and a path neither control characters nor backslashes.
        var place: Place = .body

        /// The part of a request that contains a text.
        enum Place: Sendable {
            case body, query, path
        }
    }

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool
        let words: String?

        init(_ name: String, _ schema: Schema, isRequired: Bool = true, _ words: String? = nil) {
            (self.name, self.schema, self.isRequired, self.words) = (name, schema, isRequired, words)
        }
    }

    /// Any text.
    static let text = Schema.string(Text())
    /// A point in time in the form of RFC 3339.
    static let time = Schema.string(Text(format: "date-time"))
    /// A day, which stands for its start in UTC, or a point in time.
    static let dayOrTime = Schema.either([.string(Text(format: "date")), time])
    /// The number of an article.
    static let articleID = Schema.integer(1...Int64.max)
    /// A count.
    static let count = Schema.integer(0...Int64.max)

    /// Returns the schema of a text with a fixed set of values.
    static func choice(_ choices: [String]) -> Schema { .string(Text(choices: choices)) }
}

extension Schema {
    /// A mistake in a value, and its position.
    struct Mistake: Error, Sendable, Hashable {
        /// The position of the mistake as a JSON pointer (RFC 6901).
        let pointer: String
        /// The mistake, in words that follow the name of the value.
        let reason: String
    }

    /// Checks a value.
    /// - Throws: `Mistake`, with the first mistake.
    func check(_ value: JSON, at pointer: String = "") throws(Mistake) {
        func mistake(_ reason: String) -> Mistake { Mistake(pointer: pointer, reason: reason) }
        switch self {
        case .named(_, let schema): try schema.check(value, at: pointer)
        case .optional(let schema): if value != .null { try schema.check(value, at: pointer) }
        case .either(let schemas):
            var first: Mistake?
            for schema in schemas {
                do throws(Mistake) { return try schema.check(value, at: pointer) } catch { first = first ?? error }
            }
            if let first { throw first }
        case .boolean: guard case .bool = value else { throw mistake("is neither true nor false") }
        case .number: guard case .number = value else { throw mistake("is not a number") }
        case .integer(let range):
            guard let number = value.wholeNumber else { throw mistake("is not an integer") }
            guard range.contains(number) else {
                throw mistake("is not from \(range.lowerBound) to \(range.upperBound)")
            }
        case .string(let rule):
            guard case .string(let text) = value else { throw mistake("is not a string") }
            if let reason = rule.mistake(in: text) { throw mistake(reason) }
        case .array(let element, let limit):
            guard case .array(let elements) = value else { throw mistake("is not an array") }
            if let limit, elements.count > limit { throw mistake("has more than \(limit) elements") }
            for (index, value) in elements.enumerated() { try element.check(value, at: "\(pointer)/\(index)") }
        case .object(let members, let isOpen):
            guard let given = value.members else { throw mistake("is not an object") }
            // Parsers disagree about which of two equal members is valid, so refuse both.
            var names: Set<String> = []
            if let twice = given.first(where: { !names.insert($0.key).inserted }) {
                throw mistake("has “\(twice.key)” twice")
            }
            for member in members {
                let values = given.filter { $0.key == member.name }
                guard let value = values.last?.value else {
                    if member.isRequired { throw mistake("lacks the member “\(member.name)”") }
                    continue
                }
                if value == .null, !member.isRequired, !member.schema.takesNull {
                    throw Mistake(
                        pointer: "\(pointer)/\(member.name)",
                        reason: "cannot be null: omit it instead")
                }
                try member.schema.check(value, at: "\(pointer)/\(member.name)")
            }
            if !isOpen, let other = given.first(where: { given in !members.contains { $0.name == given.key } }) {
                throw mistake("has the unknown member “\(other.key)”")
            }
        }
    }
}

extension Schema {
    fileprivate var takesNull: Bool {
        switch self {
        case .optional: true
        case .named(_, let schema): schema.takesNull
        case .either(let schemas): schemas.contains(where: \.takesNull)
        case .string, .integer, .number, .boolean, .array, .object: false
        }
    }
}

extension Schema.Text {
    /// A pattern that the texts with `isVisible` match.
    private static let visible =
        "[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f\\ufff9-\\ufffb]"

    fileprivate var pattern: String? {
        switch place {
        case .body: isVisible ? Self.visible : nil
        case .query: "^[^\\u0000]*$"
        case .path: "^[^\\u0000-\\u001f\\u007f\\\\/]+$"
        }
    }

    fileprivate func mistake(in text: String) -> String? {
        let count = text.unicodeScalars.count
        if count == 0, length.lowerBound > 0 { return "is empty" }
        if count < length.lowerBound { return "is shorter than \(length.lowerBound.quantity(of: "character"))" }
        if count > length.upperBound { return "is longer than \(length.upperBound.quantity(of: "character"))" }
        if let choices, !choices.contains(text) {
            return choices.count == 1
                ? "is not “\(choices[0])”: use that value, or omit it"
                : "is not one of \(choices.joined(separator: ", "))"
        }
        if isVisible, !text.isVisible { return "is empty" }
        // The server refuses such an address before it comes here, but a body may have the value, too.
        if place == .query, text.utf8.contains(0) { return "has the character NUL" }
        if format == "date-time", WrittenTime(text) == nil { return "is not a time such as 2026-11-23T09:00:00Z" }
        if format == "date", WrittenTime(day: text) == nil {
            return "is neither a date such as 2026-11-23 nor a time such as 2026-11-23T09:00:00Z"
        }
        return nil
    }
}

/// A point in time in the form of RFC 3339, with the offset of the local clock.
struct WrittenTime {
    let date: Date
    /// The minutes by which the clock is ahead of UTC.
    let offset: Int

    init?(_ text: String) {
        let letters = Array(text.utf8)
        guard letters.count >= 20, letters[4] == 0x2D, letters[7] == 0x2D, [0x54, 0x74, 0x20].contains(letters[10]),
            letters[13] == 0x3A, letters[16] == 0x3A, let written = try? DateParser.written(from: text)
        else { return nil }
        (date, offset) = (written.date, written.offset)
    }

    /// Creates the start of a day in UTC; nil if the text is not a day like `2026-11-23`.
    init?(day text: String) {
        let letters = Array(text.utf8)
        guard letters.count == 10, letters[4] == 0x2D, letters[7] == 0x2D,
            let written = try? DateParser.written(from: text)
        else { return nil }
        (date, offset) = (written.date, written.offset)
    }
}

extension JSON {
    /// The number if it is whole and fits; otherwise nil.
    var wholeNumber: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    /// The member with a name; nil if it does not exist or this is not an object.
    subscript(name: String) -> JSON? { members?.last { $0.key == name }?.value }

    /// The text; nil if this is not a text.
    var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements; nil if this is not a list.
    var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// The texts in a list; nil if this is not a list.
    var strings: [String]? { elements?.compactMap(\.string) }

    /// The Boolean; nil if this is not a Boolean.
    var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
}

extension Schema {
    /// The schema in the form of JSON Schema, for the description.
    var json: JSON {
        switch self {
        case .string(let text):
            var members: [JSON.Member] = [.init("type", "string")]
            if text.length.lowerBound > 0 { members.append(.init("minLength", JSON(text.length.lowerBound))) }
            if text.length.upperBound < .max { members.append(.init("maxLength", JSON(text.length.upperBound))) }
            if let choices = text.choices { members.append(.init("enum", JSON(choices))) }
            if let format = text.format { members.append(.init("format", .string(format))) }
            if let pattern = text.pattern { members.append(.init("pattern", .string(pattern))) }
            return .object(members)
        case .integer(let range):
            return [
                "type": "integer", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound),
            ]
        case .number: return ["type": "number"]
        case .boolean: return ["type": "boolean"]
        case .array(let element, let limit):
            let members: [JSON.Member] = [.init("type", "array"), .init("items", element.json)]
            return .object(members + (limit.map { [.init("maxItems", JSON($0))] } ?? []))
        case .object(let members, let isOpen):
            let properties = members.map { member -> JSON.Member in
                guard let words = member.words else { return .init(member.name, member.schema.json) }
                return .init(
                    member.name, .object((member.schema.json.members ?? []) + [.init("description", .string(words))]))
            }
            return [
                "type": "object", "properties": .object(properties),
                "required": JSON(members.filter(\.isRequired).map(\.name)), "additionalProperties": .bool(isOpen),
            ]
        case .optional(let schema): return ["anyOf": [schema.json, ["type": "null"]]]
        case .either(let schemas): return ["anyOf": .array(schemas.map(\.json))]
        case .named(let name, _): return ["$ref": .string("#/components/schemas/\(name)")]
        }
    }

    /// All named schemas in this schema, each with its content.
    var named: [(name: String, schema: Schema)] {
        switch self {
        case .string, .integer, .number, .boolean: []
        case .array(let schema, _), .optional(let schema): schema.named
        case .either(let schemas): schemas.flatMap(\.named)
        case .object(let members, _): members.flatMap(\.schema.named)
        case .named(let name, let schema): [(name, schema)] + schema.named
        }
    }
}
