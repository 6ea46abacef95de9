/// The reason why a text is not a cursor of a list.
public enum CursorError: Error, Hashable, CustomStringConvertible {
    /// The text was not made by this library, or by an unknown version of it.
    case malformed
    /// The cursor was made for another query or another order.
    case ofAnotherQuery

    /// A sentence for people.
    public var description: String {
        switch self {
        case .malformed: "This is not a cursor of this library. Start again without one."
        case .ofAnotherQuery:
            "This cursor belongs to a list with other conditions or another order. "
                + "Repeat those, or start again without it."
        }
    }
}
