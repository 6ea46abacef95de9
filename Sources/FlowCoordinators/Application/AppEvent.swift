public import Navigation

/// What the screens of this application report.
public enum AppEvent: Sendable {
    /// Log in was chosen.
    case logInChosen
    /// Register was chosen.
    case registerChosen
    /// A form was sent.
    case submitted(Answers)
    /// An article of the list was chosen, by its slug.
    case articleChosen(String)
    /// The list was asked to go on.
    case nextPageChosen
    /// The account was chosen.
    case accountChosen
    /// The list of sessions was chosen.
    case sessionsChosen
    /// One of the sessions was to be ended, by its id.
    case sessionRevoked(String)
    /// Changing the password was chosen.
    case passwordChosen
    /// Logging out was chosen.
    case logOutChosen
    /// Logging out on every device was chosen.
    case logOutEverywhereChosen
}

extension AppEvent: NavigationEvent {
    /// The case, which is all that a journal may hold: a form holds a password.
    public var name: String {
        switch self {
        case .logInChosen: "logInChosen"
        case .registerChosen: "registerChosen"
        case .submitted: "submitted"
        case .articleChosen: "articleChosen"
        case .nextPageChosen: "nextPageChosen"
        case .accountChosen: "accountChosen"
        case .sessionsChosen: "sessionsChosen"
        case .sessionRevoked: "sessionRevoked"
        case .passwordChosen: "passwordChosen"
        case .logOutChosen: "logOutChosen"
        case .logOutEverywhereChosen: "logOutEverywhereChosen"
        }
    }
}
