internal import CSQLite

/// A Boolean function that statements can call: `WHERE matches(?, title)`.
///
/// It belongs to the connection for which `Snapshot.define(_:)` defines it. A schema cannot call it.
public struct Predicate: Sendable {
    /// The arguments of one call. They are valid only inside of the closure that receives them.
    public struct Arguments {
        fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?
        /// The number of arguments.
        public let count: Int

        /// Returns the UTF-8 of a text argument; empty for other types. It is valid as long as the arguments.
        ///
        /// - Parameter index: the position of the argument, from 0.
        public func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
            guard index >= 0, index < count, let value = values?[index], sqlite3_value_type(value) == SQLITE_TEXT
            else { return UnsafeBufferPointer(start: nil, count: 0) }
            let start = sqlite3_value_text(value)
            return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
        }
    }

    /// The name in statements.
    public let name: String
    /// The number of arguments.
    public let argumentCount: Int
    fileprivate let holds: @Sendable (Arguments) -> Bool

    /// Creates a predicate.
    ///
    /// - Parameters:
    ///   - name: the name in statements.
    ///   - argumentCount: the number of arguments.
    ///   - holds: the function. It must always return the same result for the same arguments.
    public init(name: String, argumentCount: Int, holds: @escaping @Sendable (Arguments) -> Bool) {
        self.name = name
        self.argumentCount = argumentCount
        self.holds = holds
    }

    /// Defines it for a connection of SQLite, and returns SQLite's result code.
    func define(on handle: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(Box(self)).toOpaque(),
            { context, count, values in
                guard let box = sqlite3_user_data(context) else { return }
                let predicate = Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().predicate
                sqlite3_result_int(context, predicate.holds(Arguments(values: values, count: Int(count))) ? 1 : 0)
            }, nil, nil,
            // SQLite also calls this if it rejects the function.
            { box in box.map { Unmanaged<Box>.fromOpaque($0).release() } })
    }

    /// The object that SQLite holds.
    private final class Box {
        let predicate: Predicate

        init(_ predicate: Predicate) { self.predicate = predicate }
    }
}
