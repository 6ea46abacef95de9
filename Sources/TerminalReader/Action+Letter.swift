import ArticleStore
import FlowCoordinators

extension Action.Purpose {
    /// The letter that does it wherever it is offered and the letter is free; nil for what has none of its own.
    var letter: Unicode.Scalar? {
        switch self {
        case .logIn: "l"
        case .register: "r"
        case .logOut: "L"
        case .logOutEverywhere: "E"
        case .account, .appearance: "a"
        case .sessions: "s"
        case .password: "c"
        case .sort(.newest): "w"
        case .sort(.oldest): "o"
        case .sort(.title): "t"
        case .sort(.relevance): "m"
        case .everything: "e"
        case .importing: "i"
        case .leave: "y"
        case .stay: "n"
        case .original: "v"
        case .next: "J"
        case .previous: "K"
        case .read: "R"
        case .unread: "U"
        case .star: "*"
        case .later: "l"
        case .allRead: "A"
        case .nextUnread: "]"
        case .onlyUnread: "r"
        case .onlyStarred: "s"
        case .onlyLater: "p"
        case .library: "f"
        case .other: nil
        }
    }
}
