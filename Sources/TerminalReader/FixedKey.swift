package import Terminal

/// A key that users cannot configure.
package enum FixedKey: Hashable, Sendable, CaseIterable {
    case number
    case footnote
    case erase
    case submit
    case editText
    case tryOut
    case toggle
    case suspend

    /// The keys, the effect, and the places.
    private var row: (keys: [KeyPress], summary: String, places: KeyPurpose.Places) {
        switch self {
        case .number:
            (
                "1234567890".unicodeScalars.map { .letter($0) },
                "the link or the action with this number; in a text, then Enter", .everywhere
            )
        case .footnote: ([.letter("^")], "the footnote with the number that follows, then Enter", .article)
        case .erase: ([KeyPress(.backspace)], "delete the last digit of a number", .article)
        case .submit: ([.control("s")], "submit a form with a text, or of a rule", .forms)
        case .editText: ([.control("o")], "edit the text of a field in your editor", .forms)
        case .tryOut: ([.control("t")], "try a rule", .forms)
        case .toggle: ([.letter(" ")], "in a box, turn it on or off", .forms)
        case .suspend: ([.control("z")], "suspend", .everywhere)
        }
    }

    package var keys: [KeyPress] { row.keys }
    /// The action in a few words.
    package var summary: String { row.summary }
    /// The screens on which the keys work.
    package var places: KeyPurpose.Places { row.places }
}

/// A row of the table of all keys, from which the help, the manual, and the documentation are made.
package struct KeyRow: Hashable, Sendable {
    /// The keys in the notation of the configuration.
    package let keys: [String]
    /// The action in a few words.
    package let summary: String
    /// The screens on which the keys work.
    package let places: KeyPurpose.Places
    /// The name by which users configure other keys; nil if the keys are fixed.
    package let purpose: KeyPurpose?

    /// The whole table.
    package static let all: [KeyRow] =
        KeyPurpose.allCases.map {
            KeyRow(keys: $0.standardKeys.map(\.notation), summary: $0.summary, places: $0.places, purpose: $0)
        }
        + KeyPurpose.goKeys.map {
            KeyRow(keys: ["g \($0.key)"], summary: "go to " + $0.summary, places: $0.places, purpose: nil)
        }
        + FixedKey.allCases.map {
            KeyRow(
                keys: $0 == .number ? ["1 to 9"] : $0.keys.map(\.notation), summary: $0.summary, places: $0.places,
                purpose: nil)
        }
}

/// The one meaning of a key.
enum KeyMeaning: Hashable, Sendable {
    case purpose(KeyPurpose)
    case fixed(FixedKey)

    var keys: [KeyPress] {
        switch self {
        case .purpose(let purpose): purpose.standardKeys
        case .fixed(let key): key.keys
        }
    }

    /// The action in a few words.
    var summary: String {
        switch self {
        case .purpose(let purpose): purpose.summary
        case .fixed(let key): key.summary
        }
    }
}

extension KeyCommand {
    /// The row of the table that has its keys; nil for text, and for actions, which have their own purposes.
    var meaning: KeyMeaning? {
        if let purpose { return .purpose(purpose) }
        switch self {
        case .nextField: return .purpose(.nextPane)
        case .previousField: return .purpose(.previousPane)
        case .cancel: return .purpose(.back)
        case .digit: return .fixed(.number)
        case .footnote: return .fixed(.footnote)
        case .erase: return .fixed(.erase)
        case .submit: return .fixed(.submit)
        case .editText: return .fixed(.editText)
        case .tryOut: return .fixed(.tryOut)
        case .toggle: return .fixed(.toggle)
        case .suspend: return .fixed(.suspend)
        default: return nil
        }
    }
}
