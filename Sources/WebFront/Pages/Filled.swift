internal import FlowCoordinators

/// What fields of a form hold when it is shown: what was filled in before, but no secret.
struct Filled {
    /// By field; nil where the screen's own value stays.
    private(set) var values: [FieldName: String] = [:]
    /// What waits for another form, behind the log-in.
    private(set) var kept: [FieldName: String] = [:]

    init() {}

    /// The form once more, because of what was wrong.
    ///
    /// - Parameter isOfNow: whether they have been told that the state which they have changed is another now.
    init(again submission: Submission, isOfNow: Bool) {
        values = Self.values(of: submission.answers)
        if isOfNow { values[.version] = nil }
        kept = submission.kept
    }

    /// The log-in, which has come before the form.
    init(keeping submission: Submission) { kept = Self.values(of: submission.answers) }

    /// The form, after the log-in.
    init(before values: [FieldName: String]) { self.values = values }

    private static func values(of answers: Answers) -> [FieldName: String] {
        var values: [FieldName: String] = [:]
        for field in FieldName.allCases where !field.isSecret { values[field] = answers[field] }
        return values
    }
}

extension FieldName {
    /// Whether what is in the field is never sent to a browser.
    var isSecret: Bool {
        switch self {
        case .password, .confirmation, .newPassword, .code: true
        default: false
        }
    }
}
