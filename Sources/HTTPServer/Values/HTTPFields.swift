/// The fields of a request or a response, in their order. A name may occur more than once.
public struct HTTPFields: Hashable, Sendable, ExpressibleByDictionaryLiteral, Sequence {
    /// A field with its name and value.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: HTTPFieldName
        /// The value.
        public let value: HTTPFieldValue
    }

    private var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Creates fields from a literal. A name may occur more than once.
    public init(dictionaryLiteral elements: (HTTPFieldName, HTTPFieldValue)...) {
        fields = elements.map(Field.init)
    }

    /// The first value of a field. Setting it replaces all values of the field, and setting it to nil removes them.
    public subscript(name: HTTPFieldName) -> HTTPFieldValue? {
        get { fields.first { $0.name == name }?.value }
        set {
            let place = fields.firstIndex { $0.name == name }
            guard let newValue else { return fields.removeAll { $0.name == name } }
            guard let place else { return append(newValue, for: name) }
            fields[place] = Field(name: name, value: newValue)
            if fields.lastIndex(where: { $0.name == name }) != place {
                fields = fields.enumerated().filter { $0.offset <= place || $0.element.name != name }.map(\.element)
            }
        }
    }

    /// Returns all values of a field, in their order.
    public func values(of name: HTTPFieldName) -> [HTTPFieldValue] {
        fields.compactMap { $0.name == name ? $0.value : nil }
    }

    /// Adds a field, even if one with that name exists.
    public mutating func append(_ value: HTTPFieldValue, for name: HTTPFieldName) {
        fields.append(Field(name: name, value: value))
    }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    /// Iterates over the fields in their order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// The number of fields.
    public var count: Int { fields.count }
}
