/// The value of `--color`: when output is colored.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// Colors are used if the terminal shows them and the user has not turned them off.
    case auto
    /// Always, even into a pipe.
    case always
    /// Never.
    case never

    /// Returns whether a stream is colored, by https://no-color.org and https://bixense.com/clicolors.
    public func isColored(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = environment("NO_COLOR"), !value.isEmpty { return false }
            if let value = environment("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
            return isTerminal && Terminal.isCapable(environment: environment)
        }
    }
}
