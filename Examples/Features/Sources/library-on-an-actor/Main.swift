import Accounts
import ArticleStore
import AuthService
import Foundation
import LibraryStores
import Navigation

/// Registers a user, logs in, and shows the articles. `library-on-an-actor FOLDER` keeps its database in that folder.
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { return print("usage: library-on-an-actor FOLDER") }
        let path = CommandLine.arguments[1] + "/features.db"
        try await Stores.migrate(.file(path))
        let stores = try await Stores.open(.file(path))
        try await stores.articles.upsert([
            ArticleDraft(slug: "hello", title: "Hello", body: "*Hello*, world."),
            ArticleDraft(slug: "welcome", title: "Welcome", body: "Please take a seat."),
        ])
        let library = Library(auth: AuthService(store: stores.accounts), articles: stores.articles)

        // The password is random and exists only during this run.
        let password = UUID().uuidString
        let name = "reader-\(UUID().uuidString.prefix(8).lowercased())"

        try await library.show([.articles])
        try await show(library, without: name)
        await library.send(.logInChosen)
        try await show(library, without: name)

        await library.send(.account(.signUpChosen))
        await library.send(.account(.submitted(name: name, password: password)))
        try await show(library, without: name)

        // The outlet of a screen can be used from any task. The actor handles the reports one after another.
        if case .account(let login)? = try await library.screen() {
            await withTaskGroup { group in
                for guess in 1...4 {
                    group.addTask { login.report(.submitted(name: name, password: "guess \(guess)")) }
                }
            }
        }
        try await show(library, without: name)
        await library.send(.account(.submitted(name: name, password: password)))
        try await show(library, without: name)
        print(await library.user == name ? "Logged in" : "Not logged in")
    }

    /// Prints the stack and its screen. The name is random, so it is left out.
    private static func show(_ library: Library, without name: String) async throws {
        let text =
            switch try await library.screen() {
            case .articles(let titles, _)?: titles
            case .account(let screen)?: "\(screen.title). \(screen.message)"
            case nil: "no screen"
            }
        print(await library.places.replacing(name, with: "NAME"), text)
    }
}
