import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `searches`: manages the user's saved searches.
struct SearchesCommand: Command {
    private enum Task {
        case list
        case save(SavedSearch)
        case rename(String, to: TagName)
        case remove([String])
    }

    private static let nameArgument = ArgumentSpec(
        name: "NAME", summary: "the name of the search; case is ignored", values: .names(.savedSearch))

    static let name = "searches"
    static let spec = CommandSpec(
        name: name, summary: "list, save, rename, or remove your saved searches",
        discussion: """
            A saved search is a list with a name: its words, filters, and order. list --saved NAME lists its articles. \
            The reader and the browser show it in the library, feed readers show it as a label, and an address of \
            feeds with saved=NAME delivers it. Other users do not see your saved searches.

            The command shows how many articles of each search you have not read, up to \
            \(ListedSearch.mostUnread), or ? if the counts of all searches take longer than \
            \(LibraryLister.countTime.components.seconds) seconds.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list the saved searches"),
            CommandSpec(
                name: "save", summary: "save a search, or replace the one with this name",
                discussion: """
                    The options are those of list. A date in the words of the search, such as after:7d, stays relative \
                    to the day of each use; the options --since and --until are fixed dates.
                    """,
                arguments: [ArgumentSpec(name: "NAME", summary: "a few words", values: .names(.savedSearch))],
                options: ArticleListSetting.query.map(\.option)),
            CommandSpec(
                name: "rename", summary: "give a saved search another name",
                arguments: [
                    ArgumentSpec(name: "OLD", summary: "the current name", values: .names(.savedSearch)),
                    ArgumentSpec(name: "NEW", summary: "the new name"),
                ]),
            CommandSpec(
                name: "remove", aliases: ["rm"], summary: "remove saved searches; their articles do not change",
                arguments: [
                    ArgumentSpec(
                        name: "NAME", summary: nameArgument.summary, isRepeating: true, values: nameArgument.values)
                ]),
        ],
        examples: [
            Example(
                command: "articlesctl searches save 'Swift this week' --search 'swift after:7d' --unread",
                summary: "save a search"),
            Example(command: "articlesctl searches", summary: "list the saved searches with their unread articles"),
            Example(command: "articlesctl searches list --json", summary: "list the saved searches as JSON"),
            Example(command: "articlesctl searches rename 'Swift this week' Swift", summary: "shorten a name"),
            Example(command: "articlesctl searches remove Swift", summary: "remove a saved search"),
            Example(command: "articlesctl list --saved 'Swift this week'", summary: "list the articles of a search"),
        ])

    private let task: Task

    init(_ parsed: ParsedCommand) throws {
        func name(_ argument: String) throws -> TagName {
            do throws(TagError) {
                return try TagName(parsed.argument(argument) ?? "", for: .search)
            } catch {
                throw parsed.error(.other(error.description))
            }
        }
        switch parsed.path.last {
        case "save":
            var query = try parsed.whole(ArticleListSetting.query)
            // Parsing has replaced relative dates, such as “yesterday”, with days. Save the search as it was typed.
            if query.text != nil { query.text = try parsed.filled("search") }
            guard query != ArticleQuery() else {
                throw parsed.error(.other("pass the options of the list to save, such as --search or --unread"))
            }
            task = .save(SavedSearch(name: try name("NAME"), query: query))
        case "rename": task = .rename(parsed.argument("OLD") ?? "", to: try name("NEW"))
        case "remove": task = .remove(parsed.arguments("NAME"))
        default: task = .list
        }
    }

    func run(in context: Context) async throws {
        let marker = try await context.marker()
        switch task {
        case .list: try await list(by: marker, in: context)
        case .save(let search):
            let isNew = try await marker.save(search)
            let line = "articlesctl list --saved \(search.name.name.shellWord)"
            try context.report(
                "\(isNew ? "Saved" : "Replaced") “\(search.name.name)”. List its articles with: \(line)",
                json: JSON(search))
        case .rename(let old, let new):
            try await marker.renameSavedSearch(old, to: new)
            try context.report(
                "Renamed “\(old)” to “\(new.name)”.", json: JSON(try await marker.savedSearch(named: new.name)))
        case .remove(let names):
            let removed = try await marker.savedSearches(named: names)
            for search in Set(removed) { try await marker.removeSavedSearch(search.name.name) }
            try context.report(
                "Removed \(removed.map { "“\($0.name.name)”" }.joined(separator: ", ")).",
                json: ["removed": .array(removed.map { .string($0.name.name) })])
        }
    }

    private func list(by marker: ArticleMarker, in context: Context) async throws {
        let searches = try await context.listing(for: marker.userID).searches(at: context.clock())
        if context.json { return try context.report(nil, json: ["searches": .array(searches.map { JSON($0) })]) }
        if searches.isEmpty {
            return context.say(
                "You have no saved searches. Save one with: articlesctl searches save NAME --search WORDS")
        }
        try context.write(
            Table(
                columns: [
                    .init(title: "NAME", use: .main), .init(title: "UNREAD", isRight: true), .init(title: "LIST"),
                ],
                rows: searches.map { [$0.search.name.name, $0.unreadText, $0.query.words] }))
    }
}

extension Context {
    /// Returns the marks of the signed-in user. If necessary, the user logs in first.
    ///
    /// - Throws: `AuthError.notLoggedIn`, and the error of a failed login.
    func marker() async throws -> ArticleMarker {
        let user = try await reader()
        let front = try await front()
        guard let session = front.application.currentUser.session, session.user.id == user else {
            throw AuthError.notLoggedIn
        }
        return try await ArticleMarker(articles: articles(), marks: marks(), session: session, clock: clock)
    }
}
