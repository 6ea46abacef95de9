import FlowCoordinators
import Terminal

extension Action.Purpose {
    /// The purpose that its keys belong to, which has the same name; nil if it does not have its own keys.
    var keyPurpose: KeyPurpose? { KeyPurpose(rawValue: rawValue) }

    /// The preferred letter for the action, if it is not used otherwise; nil for most actions.
    var letter: Unicode.Scalar? {
        switch self {
        case .leave: "y"
        case .stay: "n"
        default:
            if case .character(let letter)? = keyPurpose?.standardKeys.first?.key { letter } else { nil }
        }
    }
}
