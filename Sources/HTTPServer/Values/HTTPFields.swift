/// The fields of a request or a response, in their order. A name may be there more than once.
public struct HTTPFields: Hashable, Sendable, ExpressibleByDictionaryLiteral, Sequence {
    /// A field: what it is called, and what it says.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: HTTPFieldName
        /// The value.
        public let value: HTTPFieldValue
    }

    private var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The fields of a literal. A name may be there more than once.
    public init(dictionaryLiteral elements: (HTTPFieldName, HTTPFieldValue)...) {
        fields = elements.map(Field.init)
    }

    /// The first value of that name. Setting it takes the place of all of them, and nil takes them away.
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

    /// All values of that name, in their order.
    public func values(of name: HTTPFieldName) -> [HTTPFieldValue] {
        fields.compactMap { $0.name == name ? $0.value : nil }
    }

    /// Adds a field, whether or not there is one of that name.
    public mutating func append(_ value: HTTPFieldValue, for name: HTTPFieldName) {
        fields.append(Field(name: name, value: value))
    }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    /// Goes through the fields in their order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// How many there are.
    public var count: Int { fields.count }
}
