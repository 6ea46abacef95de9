public import Navigation

/// The places of the accounts.
public enum AccountRoute: PatternRoute {
    /// The login. The name is filled in.
    case login(name: String?)
    /// The registration of a user.
    case signUp

    /// The events of the screens.
    public enum Event: NavigationEvent {
        /// The user has filled in the form.
        case submitted(name: String, password: String)
        /// The user wants to register.
        case signUpChosen
    }

    /// A form.
    public struct Screen: Sendable {
        /// The title.
        public let title: String
        /// The request to the user, or the problem with the last input.
        public let message: String
        /// Reports the user's input.
        public let report: Outlet<Event>
    }

    /// The input that a saved session keeps. It never contains the password.
    public struct Memory: Codable, Hashable, Sendable {
        var name: String
    }

    /// The table of the places.
    public static let patterns = [
        RoutePattern("/login?name=<name>", flow: "accounts.login", AccountRoute.login),
        RoutePattern("/sign-up", flow: "accounts.sign-up", AccountRoute.signUp),
    ]
}
