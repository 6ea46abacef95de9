/// An event that a screen reports to the coordinator of its flow, such as a choice or a submitted form.
public protocol NavigationEvent: Sendable {
    /// The name of the case, without its payload. Journals record it, and the payload may be a password.
    var name: String { get }
}

extension NavigationEvent {
    /// The default is ``caseName``.
    public var name: String { caseName }

    /// The name of the enumeration's case, as in `submitted`. If its payload is an event of a ``Feature``, the name of
    /// that event follows, as in `account.submitted`. For any other type, it is the name of the type. That is also used for a case
    /// without payload if the type has a custom description, because the description may be secret.
    public var caseName: String {
        let mirror = Mirror(reflecting: self)
        guard mirror.displayStyle == .enum else { return String(describing: Self.self) }
        if let child = mirror.children.first, let label = child.label {
            return (child.value as? any NavigationEvent).map { "\(label).\($0.name)" } ?? label
        }
        let describesItself =
            self is any CustomStringConvertible || self is any CustomDebugStringConvertible
            || self is any TextOutputStreamable
        return describesItself ? String(describing: Self.self) : String(describing: self)
    }
}
