/// The name of a field of a form.
public enum FieldName: String, Hashable, Sendable, CaseIterable {
    /// The name of the user who logs in, or of a new account.
    case username
    /// The password of that user.
    case password
    /// The password, typed again.
    case confirmation
    /// The new password.
    case newPassword
    /// The two-letter code of the region.
    case region
    /// A code that an operator has issued.
    case code
    /// The path of a file or a folder on the machine of the front.
    case path
    /// The origin of the texts of a source's articles.
    case texts
    /// The effect of updates on read articles of a source.
    case updates
    /// The articles of a source that are kept.
    case kept
    /// A file from another feed reader.
    case list
    /// The title of an article.
    case title
    /// The tags of an article, or the user's own tags, separated by commas.
    case tags
    /// The authors of an article, separated by commas.
    case authors
    /// The publication date of an article.
    case date
    /// The address of an article's original.
    case address
    /// The language of an article.
    case language
    /// The user's note on an article.
    case note
    /// The text of an article.
    case text
    /// The version of the object that a form edits; see ``Form/version``.
    case version
    /// A name.
    case name
    /// The scope of a token.
    case scope
    /// The lifetime of a token, in days.
    case days
    /// The rule that says who may register.
    case registration
    /// The name of a source.
    case source
    /// The words of a search.
    case words
    /// The part of an article in which a rule searches for its pattern.
    case field
    /// The pattern of a rule.
    case pattern
    /// Whether a rule hides articles.
    case hide
    /// Whether a rule marks articles as read.
    case read
    /// Whether a rule stars articles.
    case star
    /// Whether a rule saves articles for later.
    case later
}

/// The texts that the user typed into a form. They may include a password, so they never print themselves.
public struct Answers: Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible, CustomReflectable {
    private var values: [FieldName: String]
    /// The contents of files that are not UTF-8.
    private var files: [FieldName: [UInt8]] = [:]

    /// Creates answers by field.
    public init(_ values: [FieldName: String]) { self.values = values }

    /// Creates answers by field.
    public init(dictionaryLiteral elements: (FieldName, String)...) {
        values = Dictionary(elements, uniquingKeysWith: { $1 })
    }

    /// The text of a field; nil if there is none.
    public subscript(field: FieldName) -> String? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// The content of the file of a field; empty if there is none.
    public subscript(file field: FieldName) -> [UInt8] {
        get { files[field] ?? Array((values[field] ?? "").utf8) }
        set { (files[field], values[field]) = (newValue, nil) }
    }

    /// The names of the fields, without their contents.
    public var description: String {
        "Answers(\((values.keys.map(\.rawValue) + files.keys.map(\.rawValue)).sorted().joined(separator: ", ")))"
    }

    /// An empty mirror, so that debug output does not show the contents.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
