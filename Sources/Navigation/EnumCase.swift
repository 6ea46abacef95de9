internal import Synchronization

/// A case of an enumeration, as a function of its payload. It finds the payload by reflection, so an application does
/// not write the same pattern twice, once to wrap a value and once to unwrap it.
final class EnumCase<Whole, Payload>: Sendable {
    private let make: @Sendable (Payload) -> Whole
    /// The name of the case, which is known after the first value was unwrapped. Comparing names is faster than
    /// wrapping the payload again.
    private let name = Mutex<String?>(nil)

    init(_ make: @escaping @Sendable (Payload) -> Whole) {
        self.make = make
    }

    /// Returns the payload; nil if the value is of another case.
    func payload(of value: ReflectedCase?) -> Payload? {
        guard let value else { return nil }
        let known = name.withLock { $0 }
        guard known == nil || known == value.name, let payload = value.payload(as: Payload.self) else { return nil }
        if known == nil {
            guard ReflectedCase(make(payload))?.name == value.name else { return nil }
            name.withLock { $0 = value.name }
        }
        return payload
    }

    /// Returns the payload of a value; nil if the value is of another case.
    func payload(of value: Whole) -> Payload? { payload(of: ReflectedCase(value)) }

    func callAsFunction(_ payload: Payload) -> Whole { make(payload) }
}

/// The name and the payload of a value of an enumeration.
struct ReflectedCase {
    let name: String
    private let value: Any

    /// Returns nil for a case without a payload, and for a value that is not an enumeration.
    init?(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let child = mirror.children.first, let label = child.label else {
            return nil
        }
        name = label
        self.value = child.value
    }

    func payload<Payload>(as _: Payload.Type) -> Payload? {
        if let payload = value as? Payload { return payload }
        // The payload of a case with one labeled value is reflected as a tuple of one element.
        return Mirror(reflecting: value).children.first?.value as? Payload
    }
}
