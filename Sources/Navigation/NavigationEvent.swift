/// Something a screen reports to the coordinator of its flow: a choice made, a form submitted.
public protocol NavigationEvent: Sendable {
    /// The name of the case, without its payload: journals record it, and a payload may be a password.
    var name: String { get }
}

extension NavigationEvent {
    /// By default the ``caseName``.
    public var name: String { caseName }

    /// The name of the enumeration's case; the name of the type for any other type, and for a case without payload of a type that
    /// describes itself: what it says may be secret.
    public var caseName: String {
        let mirror = Mirror(reflecting: self)
        guard mirror.displayStyle == .enum else { return String(describing: Self.self) }
        if let label = mirror.children.first?.label { return label }
        let describesItself =
            self is any CustomStringConvertible || self is any CustomDebugStringConvertible
            || self is any TextOutputStreamable
        return describesItself ? String(describing: Self.self) : String(describing: self)
    }
}
