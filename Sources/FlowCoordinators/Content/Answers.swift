/// The name of a field of a form.
public enum FieldName: String, Hashable, Sendable, CaseIterable {
    /// The name of the user who logs in, or of a new account.
    case username
    /// The password that proves it.
    case password
    /// The password once more.
    case confirmation
    /// The new password.
    case newPassword
    /// The two-letter code of a region.
    case region
    /// A code that an operator has issued.
    case code
    /// A file or a folder of the machine that the front runs on.
    case path
    /// The title of an article.
    case title
    /// Tags of an article, or the user's own, separated by commas.
    case tags
    /// The authors of an article, separated by commas.
    case authors
    /// When an article was published.
    case date
    /// The address of an article's original.
    case address
    /// The language of an article.
    case language
    /// A note of the reader's own.
    case note
    /// The text of an article.
    case text
    /// The state that a form changes, as ``Form/version`` says it.
    case version
    /// A name.
    case name
    /// The scope of a token.
    case scope
    /// How many days something lasts.
    case days
    /// The rule for registration.
    case registration
}

/// The texts that were typed into a form. They may include a password, so they are never printed.
public struct Answers: Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible, CustomReflectable {
    private var values: [FieldName: String]

    /// Answers by the field they are for.
    public init(_ values: [FieldName: String]) { self.values = values }

    /// Answers by the field they are for.
    public init(dictionaryLiteral elements: (FieldName, String)...) {
        values = Dictionary(elements, uniquingKeysWith: { $1 })
    }

    /// The text that was typed into a field; nil for none.
    public subscript(field: FieldName) -> String? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// Names the fields, not what is in them.
    public var description: String { "Answers(\(values.keys.map(\.rawValue).sorted().joined(separator: ", ")))" }

    /// Shows nothing of what is in the fields.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
