/// Something a screen reports to the coordinator of its flow: a choice made, a form submitted.
public protocol NavigationEvent: Sendable {
    /// The name of the case, without its payload: journals record it, and a payload may be a password.
    var name: String { get }
}

extension NavigationEvent {
    /// By default the ``caseName``.
    public var name: String { caseName }

    /// The name of the enumeration's case; for any other type, the name of the type.
    public var caseName: String {
        let mirror = Mirror(reflecting: self)
        guard mirror.displayStyle == .enum else { return String(describing: Self.self) }
        return mirror.children.first?.label ?? String(describing: self)
    }
}
