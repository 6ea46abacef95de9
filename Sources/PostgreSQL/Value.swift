package import Text

/// A value for a parameter of a statement. It is sent in PostgreSQL's binary form.
package enum Value: Sendable, Hashable {
    /// NULL of the type that the statement implies.
    case null
    /// `boolean`.
    case bool(Bool)
    /// `bigint`.
    case integer(Int64)
    /// `double precision`.
    case real(Double)
    /// `text`. PostgreSQL refuses NUL characters.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// `bigint[]`.
    case integers([Int64])
    /// `text[]`.
    case texts([String])
    /// `text[]` with NULL elements.
    case optionalTexts([String?])
    /// `bytea[]`.
    case byteStrings([[UInt8]])
    /// The binary form of a value of another type, which has this object identifier.
    case binary(type: UInt32, [UInt8])

    /// The object identifier of the type, or 0 if the statement implies the type. Source: PostgreSQL's `pg_type.dat`.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .bool: ColumnType.bool
        case .integer: ColumnType.int8
        case .real: ColumnType.float8
        case .text: ColumnType.text
        case .bytes: ColumnType.bytea
        case .integers: 1016
        case .texts, .optionalTexts: 1009
        case .byteStrings: 1001
        case .binary(let type, _): type
        }
    }

    /// The approximate number of bytes of the binary form.
    var size: Int {
        switch self {
        case .null, .bool, .integer, .real: 8
        case .text(let value): value.utf8.count
        case .bytes(let value), .binary(_, let value): value.count
        case .integers(let values): values.count * 12
        case .texts(let values): values.reduce(0) { $0 + 4 + $1.utf8.count }
        case .optionalTexts(let values): values.reduce(0) { $0 + 4 + ($1?.utf8.count ?? 0) }
        case .byteStrings(let values): values.reduce(0) { $0 + 4 + $1.count }
        }
    }

    /// Appends the binary form to `bytes`. NULL has none.
    func encode(into bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .integer(let value): bytes.append(bigEndian: value)
        case .real(let value): bytes.append(bigEndian: value.bitPattern)
        case .text(let value): bytes.append(contentsOf: value.utf8)
        case .bytes(let value), .binary(_, let value): bytes.append(contentsOf: value)
        case .integers(let values):
            bytes.append(array: values, of: ColumnType.int8) { bytes, value in
                bytes.append(bigEndian: Int32(8))
                bytes.append(bigEndian: value)
            }
        case .texts(let values):
            bytes.append(array: values, of: ColumnType.text) { $0.append(sized: $1.utf8) }
        case .optionalTexts(let values):
            bytes.append(array: values, of: ColumnType.text, hasNull: values.contains(nil)) { bytes, value in
                if let value { bytes.append(sized: value.utf8) } else { bytes.append(bigEndian: Int32(-1)) }
            }
        case .byteStrings(let values):
            bytes.append(array: values, of: ColumnType.bytea) { $0.append(sized: $1) }
        }
    }
}

extension Value {
    package init(_ value: Bool) { self = .bool(value) }
    package init(_ value: Int) { self = .integer(Int64(value)) }
    package init(_ value: Int64) { self = .integer(value) }
    package init(_ value: Double) { self = .real(value) }
    package init(_ value: String) { self = .text(value) }
    package init(_ value: [UInt8]) { self = .bytes(value) }
    /// Creates a `bigint` with the whole seconds since 1970, rounded down. Times beyond the range of 64 bits are clamped.
    package init(_ value: Date) {
        let seconds = value.timeIntervalSince1970.rounded(.down)
        self = .integer(Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
    package init(_ value: Date?) { self = value.map { Value($0) } ?? .null }
    package init(_ value: Int?) { self = value.map { Value($0) } ?? .null }
    package init(_ value: Int64?) { self = value.map { Value($0) } ?? .null }
    package init(_ value: String?) { self = value.map { Value($0) } ?? .null }
    package init(_ value: [UInt8]?) { self = value.map { Value($0) } ?? .null }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// The object identifiers of the types that this module reads. Source: PostgreSQL's `pg_type.dat`.
enum ColumnType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let varchar: UInt32 = 1043
    static let name: UInt32 = 19
}

extension [UInt8] {
    package mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends bytes after their number.
    fileprivate mutating func append(sized value: some Collection<UInt8>) {
        append(bigEndian: Int32(clamping: value.count))
        append(contentsOf: value)
    }

    /// Appends an array with one dimension. Source: `array_recv` in PostgreSQL.
    fileprivate mutating func append<T>(
        array values: [T], of type: UInt32, hasNull: Bool = false, _ element: (inout [UInt8], T) -> Void
    ) {
        append(bigEndian: Int32(values.isEmpty ? 0 : 1))
        append(bigEndian: Int32(hasNull ? 1 : 0))
        append(bigEndian: type)
        guard !values.isEmpty else { return }
        append(bigEndian: Int32(clamping: values.count))
        append(bigEndian: Int32(1))
        for value in values { element(&self, value) }
    }
}
