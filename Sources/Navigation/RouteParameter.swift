/// A value in the path of a place: in a segment, in a parameter, or in the fragment.
///
/// Texts, whole numbers, and optional values are parameters. An enumeration of texts or numbers becomes a parameter if
/// it declares the conformance: `enum Order: String, RouteParameter { case title, date }`.
public protocol RouteParameter: Hashable, Sendable {
    /// The text in the path, decoded; nil if the path omits the value.
    var pathText: String? { get }

    /// Reads the text, decoded. Returns nil if it is not valid. The text is nil if the path does not contain the value.
    init?(pathText: String?)
}

extension RouteParameter where Self: LosslessStringConvertible {
    /// The description.
    public var pathText: String? { description }

    /// Reads a description. Another way to write the same value, such as `+1`, is not valid: a place has one path.
    public init?(pathText: String?) {
        guard let pathText, let value = Self(pathText), value.description == pathText else { return nil }
        self = value
    }
}

extension RouteParameter where Self: RawRepresentable, RawValue: RouteParameter {
    /// The text of the raw value.
    public var pathText: String? { rawValue.pathText }

    /// Reads the text of a raw value.
    public init?(pathText: String?) {
        guard let rawValue = RawValue(pathText: pathText) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension String: RouteParameter {}
extension Int: RouteParameter {}
extension Int64: RouteParameter {}
extension Bool: RouteParameter {}

extension Optional: RouteParameter where Wrapped: RouteParameter {
    /// The text of the value; nil if there is none.
    public var pathText: String? { flatMap { $0.pathText } }

    /// Reads the text of a value. If the path does not contain it, the result is `.some(nil)`.
    public init?(pathText: String?) {
        guard let pathText else {
            self = .none
            return
        }
        guard let value = Wrapped(pathText: pathText) else { return nil }
        self = value
    }
}
