public import AuthService

/// Fields to fill in.
public struct Form: Sendable {
    /// A field.
    public struct Field: Sendable {
        /// How a field is filled in.
        public enum Kind: Sendable {
            /// Text of one line, visible while the user types.
            case text
            /// Text of several lines, visible while the user types. A front that can edit only one line must keep the
            /// existing line breaks.
            case lines
            /// The text of a file that the user uploads.
            case file
            /// A secret, hidden while the user types.
            case secret
            /// A choice among these values.
            case choice([Choice])
            /// A choice between ``Form/Field/on`` and an empty answer.
            case toggle
        }

        /// The answer of a toggle that is on.
        public static let on = "yes"

        /// A value to choose.
        public struct Choice: Sendable, Hashable {
            /// The answer.
            public let value: String
            /// The label.
            public let label: String

            /// Creates a choice.
            public init(value: String, label: String) {
                self.value = value
                self.label = label
            }
        }

        /// The result of checking an answer while the user types.
        public enum Verdict: Sendable, Hashable {
            /// The answer cannot be judged yet.
            case unfinished
            /// The answer is wrong, with the reason in words for the user.
            case wrong(String)
            /// The answer would be accepted.
            case good

            /// Creates the result of reading an answer. An empty one is unfinished.
            init(on answer: String?, _ read: (String) throws -> Void) {
                guard let answer, !answer.isEmpty else {
                    self = .unfinished
                    return
                }
                do {
                    try read(answer)
                    self = .good
                } catch {
                    self = .wrong("\(error)")
                }
            }
        }

        /// The name of the field in the answers.
        public let name: FieldName
        /// The label.
        public let label: String
        /// The way to fill in the field.
        public let kind: Kind
        /// The initial value. It is never a secret.
        public let value: String
        /// A description of a valid answer.
        public let hint: String?
        /// The field whose answer the user types again here; nil if there is none. If the two answers differ, either of
        /// them may be mistyped.
        public let repeated: FieldName?
        /// Checks the answer while the user fills in the form; nil if it cannot be checked. The check gets all
        /// answers, because one field may depend on another, and may take a few milliseconds. The answer is checked
        /// again when the form is sent.
        public let check: (@Sendable (Answers) -> Verdict)?

        /// Creates a field.
        public init(
            _ name: FieldName, _ label: String, kind: Kind = .text, value: String = "", hint: String? = nil,
            repeating repeated: FieldName? = nil, check: (@Sendable (Answers) -> Verdict)? = nil
        ) {
            self.name = name
            self.label = label
            self.kind = kind
            self.value = value
            self.hint = hint
            self.repeated = repeated
            self.check = check
        }
    }

    /// Data that the user must transfer to another device before filling in the form. It is a secret, so it never
    /// prints itself.
    public struct Handover: Redacted, Sendable {
        /// The address to encode as a QR code.
        public let address: String
        /// The text to type in instead.
        public let text: String
        /// Instructions for the user.
        public let hint: String

        /// Creates data to transfer.
        public init(address: String, text: String, hint: String) {
            self.address = address
            self.text = text
            self.hint = hint
        }
    }

    /// The fields, in the order in which the user fills them in.
    public let fields: [Field]
    /// The label of the submit button.
    public let submitLabel: String
    /// The label of the button that tries the answers without saving them, as `AppEvent.tried`; nil without this button.
    public let trialLabel: String?
    /// The data to transfer to another device first; nil if there is none.
    public let handover: Handover?
    /// The version of the object that the form edits; nil if the form does not edit an object. The front sends it back
    /// as `version` with the answers, so that a user cannot overwrite changes that they have not seen.
    public let version: String?
    /// Whether the object was changed elsewhere after the user had begun. The front then shows the current value of
    /// each field next to the text that the user typed. Sending the form again replaces the current values.
    public let hasEditConflict: Bool

    /// Creates a form.
    public init(
        _ fields: [Field], submitLabel: String, trialLabel: String? = nil, handover: Handover? = nil,
        version: String? = nil, hasEditConflict: Bool = false
    ) {
        self.fields = fields
        self.submitLabel = submitLabel
        self.trialLabel = trialLabel
        self.handover = handover
        self.version = version
        self.hasEditConflict = hasEditConflict
    }
}
