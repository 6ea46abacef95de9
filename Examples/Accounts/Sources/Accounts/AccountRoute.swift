public import Navigation

/// The places of the accounts.
public enum AccountRoute: PatternRoute {
    case login(name: String?)
    case signUp

    public enum Event: NavigationEvent {
        case submitted(name: String, password: String)
        case signUpChosen
    }

    public struct Screen {
        public let title: String
        public let message: String
        public let report: Outlet<Event>
    }

    /// The input that a saved session keeps. It never contains the password.
    public struct Memory: Codable, Hashable, Sendable {
        var name: String
    }

    public static let patterns = [
        RoutePattern("/login?name=<name>", flow: "accounts.login", AccountRoute.login),
        RoutePattern("/sign-up", flow: "accounts.sign-up", AccountRoute.signUp),
    ]
}
