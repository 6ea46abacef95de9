internal import ArticleStore

/// A message about the last action.
public struct Notice: Sendable {
    /// The message.
    public let text: String
    /// The error, if the action failed; nil if it succeeded.
    public let error: (any Error)?

    /// The field of the form in which the error is; nil if it is in no single field.
    public let field: FieldName?

    /// The number of changed objects, for a program; nil if a number makes no sense.
    public let count: Int?

    /// Creates a message about a success.
    public init(_ text: String, count: Int? = nil) {
        self.text = text
        self.count = count
        (error, field) = (nil, nil)
    }

    /// Creates a message about a failure from the error's description.
    ///
    /// - Parameter field: the field of the form in which the error is.
    public init(_ error: any Error, at field: FieldName? = nil) {
        text = "\(error)"
        self.error = error
        self.field = field
        count = nil
    }

    /// Whether the message says that the edited object was changed elsewhere. A user who then sends the form again does
    /// so knowingly.
    public var reportsEditConflict: Bool {
        switch error {
        case is EditError, ScreenError.editConflict?: true
        default: false
        }
    }
}
