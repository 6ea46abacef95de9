internal import FlowCoordinators
internal import Text

/// The values of a form's fields when it is shown again, without secrets.
struct FormValues {
    /// The values by field; nil if the screen's own value is shown.
    private(set) var values: [FieldName: String] = [:]
    /// The values of another form, which is shown after the login.
    private(set) var deferred: [FieldName: String] = [:]
    /// Whether the user was told that the object was changed elsewhere. The form then also shows the current values.
    private(set) var hasEditConflict = false

    init() {}

    /// Creates the values for a form that is shown again because of an error.
    ///
    /// - Parameter usesCurrentVersion: whether the user was told that the object was changed elsewhere, so that the form gets the
    ///   current version.
    init(again submission: Submission, usesCurrentVersion: Bool) {
        values = Self.values(of: submission.answers)
        if usesCurrentVersion { values[.version] = nil }
        hasEditConflict = usesCurrentVersion
        deferred = submission.kept
    }

    /// Creates the values of another form for the pages that must come before it, such as the login.
    init(deferred values: [FieldName: String]) { deferred = values }

    /// Creates the values for the form after the login.
    init(before values: [FieldName: String]) { self.values = values }

    /// Sets the version of the form, unless it already has one.
    mutating func setVersionIfMissing(_ version: String?) { values[.version] = values[.version] ?? version }

    /// Reads the values for the page at an address; nil if they are for another page.
    init?(encoded text: String, for address: PlaceAddress) {
        guard let decoded = try? Array(text.utf8).withUnsafeBufferPointer({ try JSONParser.value(of: $0) }).members
        else { return nil }
        let texts = Dictionary(decoded.map { ($0.key, $0.value.text) }) { first, _ in first }
        guard texts[Self.addressName] == address.text else { return nil }
        for field in FieldName.allCases where !field.isSecret {
            values[field] = texts[field.rawValue] ?? nil
            deferred[field] = texts[Submission.Name.kept + field.rawValue] ?? nil
        }
        hasEditConflict = texts[Self.otherChangeName] != nil
    }

    private static let (addressName, otherChangeName) = ("at", "other")

    /// Returns the values as text for the page at an address.
    func encoded(for address: PlaceAddress) -> String {
        let members =
            values.map { JSON.Member($0.key.rawValue, .string($0.value)) }
            + deferred.map { JSON.Member(Submission.Name.kept + $0.key.rawValue, .string($0.value)) }
        let marks =
            [JSON.Member(Self.addressName, .string(address.text))]
            + (hasEditConflict ? [JSON.Member(Self.otherChangeName, "")] : [])
        return JSON.object(marks + members).description
    }

    /// The answers without secrets.
    static func values(of answers: Answers) -> [FieldName: String] {
        var values: [FieldName: String] = [:]
        for field in FieldName.allCases where !field.isSecret { values[field] = answers[field] }
        return values
    }
}

extension [FieldName: String] {
    /// The texts that the user has written: those that must not be lost.
    var texts: [(name: FieldName, text: String)] {
        [FieldName.title, .tags, .text, .note].compactMap { name in
            self[name].flatMap { $0.isEmpty ? nil : (name, $0) }
        }
    }
}

extension FieldName {
    /// Whether the value is never sent to a browser.
    var isSecret: Bool {
        switch self {
        case .password, .confirmation, .newPassword, .code, .list: true
        default: false
        }
    }
}
