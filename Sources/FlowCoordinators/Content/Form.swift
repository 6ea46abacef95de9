public import AuthService

/// Fields to fill in.
public struct Form: Sendable {
    /// A field.
    public struct Field: Sendable {
        /// How a field is filled in.
        public enum Kind: Sendable {
            /// Any text, seen while it is typed.
            case text
            /// Any text of several lines, seen while it is typed. A front that has but one line keeps the line breaks there are.
            case lines
            /// A secret, not seen while it is typed.
            case secret
            /// A choice among these.
            case choice([Choice])
        }

        /// An answer to choose.
        public struct Choice: Sendable, Hashable {
            /// The answer.
            public let value: String
            /// The label.
            public let label: String

            /// A choice.
            public init(value: String, label: String) {
                self.value = value
                self.label = label
            }
        }

        /// A verdict on an answer while it is typed.
        public enum Verdict: Sendable, Hashable {
            /// Nothing yet.
            case unfinished
            /// The fault, in words for a person.
            case wrong(String)
            /// It would be taken.
            case good
        }

        /// Its name in the answers.
        public let name: FieldName
        /// The label.
        public let label: String
        /// How it is filled in.
        public let kind: Kind
        /// What is in it already. Never a secret.
        public let value: String
        /// What a good answer is.
        public let hint: String?
        /// Judges the answer while the form is filled in; nil where that cannot be done. It is given all that is in the
        /// form, because a field may depend on another, and may cost a few milliseconds. The answer is judged again
        /// when it is sent.
        public let check: (@Sendable (Answers) -> Verdict)?

        /// A field.
        public init(
            _ name: FieldName, _ label: String, kind: Kind = .text, value: String = "", hint: String? = nil,
            check: (@Sendable (Answers) -> Verdict)? = nil
        ) {
            self.name = name
            self.label = label
            self.kind = kind
            self.value = value
            self.hint = hint
            self.check = check
        }
    }

    /// What another device is to take over before the form can be filled in. It is a secret, so it never prints itself.
    public struct Handover: Redacted, Sendable {
        /// An address for a QR code.
        public let address: String
        /// What can be typed in instead.
        public let text: String
        /// What to do with it.
        public let hint: String

        /// Something to take over.
        public init(address: String, text: String, hint: String) {
            self.address = address
            self.text = text
            self.hint = hint
        }
    }

    /// The fields, in the order in which they are filled in.
    public let fields: [Field]
    /// What sending it is called.
    public let submitLabel: String
    /// What another device is to take over first; nil for nothing.
    public let handover: Handover?
    /// The state that the form changes; nil where that is of no matter. It goes back with the answers, as `version`, so that nobody
    /// changes what they have not seen.
    public let version: String?
    /// Whether the state was changed elsewhere after the user had begun. A front then shows the value of each field, which is that of
    /// now, beside the one that the user typed: sending the form again replaces it.
    public let hasOtherChange: Bool

    /// A form.
    public init(
        _ fields: [Field], submitLabel: String, handover: Handover? = nil, version: String? = nil,
        hasOtherChange: Bool = false
    ) {
        self.fields = fields
        self.submitLabel = submitLabel
        self.handover = handover
        self.version = version
        self.hasOtherChange = hasOtherChange
    }
}
