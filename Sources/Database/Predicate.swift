internal import CSQLite

/// A condition that statements can call by its name, beside SQLite's own functions: `WHERE matches(?, title)`.
///
/// It is of the connection that `Snapshot.define(_:)` gives it to, and no schema can call it.
public struct Predicate: Sendable {
    /// The arguments of one call. They are valid only inside the closure that they are given to.
    public struct Arguments {
        fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?
        /// How many there are.
        public let count: Int

        /// The UTF-8 of an argument that is a text, empty for any other. It is valid as long as the arguments are.
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
    /// How many arguments it takes.
    public let argumentCount: Int
    fileprivate let holds: @Sendable (Arguments) -> Bool

    /// A condition.
    ///
    /// - Parameters:
    ///   - name: what statements call it.
    ///   - argumentCount: how many arguments it takes.
    ///   - holds: whether it holds; always the same for the same arguments.
    public init(name: String, argumentCount: Int, holds: @escaping @Sendable (Arguments) -> Bool) {
        self.name = name
        self.argumentCount = argumentCount
        self.holds = holds
    }

    /// Gives it to a connection of SQLite, and returns SQLite's result code.
    func define(on handle: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(Box(self)).toOpaque(),
            { context, count, values in
                guard let box = sqlite3_user_data(context) else { return }
                let predicate = Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().predicate
                sqlite3_result_int(context, predicate.holds(Arguments(values: values, count: Int(count))) ? 1 : 0)
            }, nil, nil,
            // SQLite calls this also when it refuses the function.
            { box in box.map { Unmanaged<Box>.fromOpaque($0).release() } })
    }

    /// What SQLite keeps of it.
    private final class Box {
        let predicate: Predicate

        init(_ predicate: Predicate) { self.predicate = predicate }
    }
}
