import LibraryStores
import ArticleStore
import AuthService
import Foundation
import Navigation

/// A door and a shelf that use the services of the package. `reading-room FOLDER ARTICLES` keeps its database in the
/// first folder, and imports the articles of the second.
@main
struct ReadingRoom {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else { return print("usage: reading-room FOLDER ARTICLES") }
        let path = CommandLine.arguments[1] + "/articles.db"
        try await Stores.migrate(.file(path))
        let stores = try await Stores.open(.file(path))
        let auth = AuthService(store: stores.accounts)
        let articles = stores.articles

        // The password is random and exists only during this run.
        let password = UUID().uuidString
        let name = "reader-\(UUID().uuidString.prefix(8).lowercased())"
        try await auth.register(
            username: Username(name), password: Password(password), region: Region("SE"), from: .door)
        try await articles.upsert([
            ArticleDraft(slug: "hello", title: "Hello", body: "*Hello*, world."),
            ArticleDraft(slug: "welcome", title: "Welcome", body: "Please take a seat."),
        ])

        let room = Room.navigator(auth: auth, articles: articles)
        try room.perform(.show([.shelf]))
        for attempt in ["a guess", password] {
            print(try await room.screen()?.text ?? "")
            room.send(.knocked(name: name, password: attempt))
            await room.finishWork()
        }
        if let shelf = try await room.screen() {
            print(shelf.text)
            // The outlet also works from a detached task.
            await Task.detached { shelf.leave() }.value
        }
        room.settle()
        print(try await room.screen()?.text ?? "")

        try await visit(articles: articles, auth: auth, name: name, password: password)
        try await importAndSearch(in: CommandLine.arguments[2], articles: articles)
    }
}

extension Room {
    /// Creates the navigator. Only visitors with a session may see the shelf. All others are shown the door first, and
    /// then the shelf.
    static func navigator(auth: AuthService, articles: any ArticleRepository) -> Navigator<Room> {
        var open: (Session?) -> Void = { _ in }
        let navigator = Navigator<Room>(
            children: [
                ChildFlow("door") {
                    DoorCoordinator(flow: $0, auth: auth)
                } ended: { outcome in
                    if case .finished(let session) = outcome { open(session) }
                    return []
                },
                ChildFlow("shelf") {
                    ShelfCoordinator(flow: $0, articles: articles)
                } ended: { (outcome: Outcome<Void>) in
                    if case .finished = outcome { open(nil) }
                    return []
                },
            ], gate: gate(for: nil))
        open = { [weak navigator] session in navigator?.gate = gate(for: session) }
        return navigator
    }

    private static func gate(for session: Session?) -> Gate<Room> {
        let isIn = session != nil
        return Gate(
            subject: session.map { String($0.user.id) }, entrance: [.door], home: [.shelf],
            admits: { isIn || $0 == .door })
    }
}
