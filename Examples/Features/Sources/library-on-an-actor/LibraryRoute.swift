import Accounts
import Navigation

/// The places of this application: its own, and those of the accounts.
enum LibraryRoute: PatternRoute {
    case articles
    case account(AccountRoute)

    enum Event: NavigationEvent {
        case logInChosen
        case account(AccountRoute.Event)
    }

    enum Screen: Sendable {
        case articles(text: String, logIn: Outlet<Event>)
        case account(AccountRoute.Screen)
    }

    enum Memory: Codable, Hashable {
        case account(AccountRoute.Memory)
    }

    static let patterns = [
        RoutePattern("/articles", flow: "articles", LibraryRoute.articles),
        RoutePattern("/account", LibraryRoute.account),
    ]
}
