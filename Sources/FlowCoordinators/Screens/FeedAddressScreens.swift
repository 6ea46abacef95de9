internal import AuthService
internal import Text

extension Screen {
    /// Whether the user has a feed address, with the actions to create or remove it.
    static func feedAddress(since date: Date?) -> Screen {
        let make = Action(
            date == nil ? "Create an address" : "Replace the address", .newFeedAddressChosen,
            confirmation: date == nil ? nil : "Create a new address? The previous address becomes invalid.")
        let remove = Action(
            "Remove the address", .feedAddressRemovalChosen,
            confirmation: "Remove the address? Its feeds will not be available anymore.")
        return Screen(
            title: "Feed address",
            content: .document(
                Document(
                    facts: [.init("Address", [date.map { .day($0, before: "created ") } ?? .init("none")])],
                    body:
                        "This secret address gives your lists to programs that cannot log in, such as most feed readers. "
                        + "Everybody who has the address can read them. It becomes invalid when you replace it, when you remove "
                        + "it, and when the password changes.")),
            actions: date == nil ? [make] : [make, remove])
    }

    /// The new feed address, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeFeedAddress(_ secret: FeedSecret?) -> Screen {
        let addresses = secret.map { secret in
            [("Atom", "atom"), ("JSON Feed", "json")].map { (name: $0.0, path: "/feeds/\(secret.text)/\($0.1)") }
        }
        let facts: [Document.Fact] =
            addresses?.map { .init($0.name, $0.path) } ?? [.init("Address", "shown only once, at creation")]
        return Screen(
            title: "Feed address",
            content: .document(
                Document(
                    facts: facts,
                    body: secret == nil
                        ? "You can create another address, which replaces it."
                        : "Put one of these after the address of the server. They are not shown again: copy one into the program "
                            + "that reads your lists.",
                    copies: addresses?.map { .init("Copy the address of \($0.name)", $0.path) } ?? [])))
    }
}
