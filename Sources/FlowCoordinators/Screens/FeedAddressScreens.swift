internal import AuthService
internal import Text

extension Screen {
    /// Whether the user has a feed address, with the actions to create or remove it.
    static func feedAddress(since date: Date?) -> Screen {
        let make = Action(
            date == nil ? "Make an address" : "Make another address", .newFeedAddressChosen,
            confirmation: date == nil ? nil : "Make another address? The one from before is worth nothing then.")
        let remove = Action(
            "Remove the address", .feedAddressRemovalChosen,
            confirmation: "Remove the address? Feeds at it are not to be had then.")
        return Screen(
            title: "Address of feeds",
            content: .document(
                Document(
                    facts: [.init("Address", date.map { "since \($0.day)" } ?? "none")],
                    body:
                        "A program that can be given an address and nothing else, such as most readers of feeds, has your "
                        + "lists by it. Who has the address reads them, too. It ends when another is made, when it is removed "
                        + "and when the password changes.")),
            actions: date == nil ? [make] : [make, remove])
    }

    /// The new feed address, shown only once. If it is nil, the screen says that it cannot be shown again.
    static func madeFeedAddress(_ secret: FeedSecret?) -> Screen {
        let addresses = secret.map { secret in
            [("Atom", "atom"), ("JSON Feed", "json")].map { (name: $0.0, path: "/feeds/\(secret.text)/\($0.1)") }
        }
        let facts: [Document.Fact] =
            addresses?.map { .init($0.name, $0.path) } ?? [.init("Address", "shown once, when it is made")]
        return Screen(
            title: "Address of feeds",
            content: .document(
                Document(
                    facts: facts,
                    body: secret == nil
                        ? "Another can be made in its place."
                        : "These come behind the name of the server. They are not shown again: give one to the program that "
                            + "is to read your lists.",
                    copies: addresses?.map { .init("Copy the address of \($0.name)", $0.path) } ?? [])))
    }
}
