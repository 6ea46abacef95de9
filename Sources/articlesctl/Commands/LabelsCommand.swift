import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `tags`: lists the tags of articles or the user's own tags.
struct TagsCommand: Command {
    static let name = "tags"
    static let spec = CommandSpec(
        name: name, summary: "list the tags of articles, or your tags",
        discussion: """
            Shows how many articles have each tag, and how many of them you have not read. Into a pipe, the command \
            writes one tag per line, with tabs between the columns.
            """,
        options: [OptionSpec(name: "mine", summary: "only your tags, which other users do not see")],
        examples: [
            Example(command: "articlesctl tags", summary: "list the tags with their unread articles"),
            Example(command: "articlesctl tags --mine", summary: "list your tags"),
        ])

    private let isMine: Bool

    init(_ parsed: ParsedCommand) { isMine = parsed.flag("mine") }

    func run(in context: Context) async throws {
        guard isMine else { return try await context.list(.tag, called: "tags") }
        let tags = try await context.listing(for: context.reader()).ownTags()
        if context.json {
            return try context.report(nil, json: ["tags": .array(tags.map { JSON(ownTag: $0) })])
        }
        if tags.isEmpty { return context.say("You have no tags. Add one with: articlesctl tag TAG ARTICLE") }
        try context.write(
            Table(
                columns: [.init(title: "NAME", use: .main), .init(title: "ARTICLES", isRight: true)],
                rows: tags.map { [$0.tag.name, "\($0.articles)"] }))
    }
}

/// `authors`: lists the authors.
struct AuthorsCommand: Command {
    static let name = "authors"
    static let spec = CommandSpec(
        name: name, summary: "list the authors of articles",
        discussion: """
            Shows how many articles each author has written, and how many of them you have not read. Into a pipe, the \
            command writes one author per line, with tabs between the columns.
            """,
        examples: [
            Example(command: "articlesctl authors", summary: "list the authors"),
            Example(
                command: "articlesctl authors | sort -t '\t' -k 2 -rn | head",
                summary: "list the authors with the most articles"),
        ])

    init(_ parsed: ParsedCommand) {}

    func run(in context: Context) async throws { try await context.list(.author, called: "authors") }
}

extension Context {
    /// Returns the ID of the signed-in user. If necessary, the user logs in first.
    ///
    /// - Parameter mayWrite: whether the session must permit changes.
    /// - Throws: `AuthError.notLoggedIn`, `AuthError.outOfScope`, and the error of a failed login.
    func reader(mayWrite: Bool = false) async throws -> User.ID {
        let front = try await front()
        try await front.go(to: .articles()) { $0 == .articles() }
        guard let session = front.application.currentUser.session else { throw AuthError.notLoggedIn }
        guard !mayWrite || session.mayBeUsed(for: .write) else { throw AuthError.outOfScope }
        return session.user.id
    }

    /// Returns the ID of the signed-in user without asking for a login; nil if nobody is signed in or an error occurs.
    func openReader() async throws -> User.ID? {
        let front = try await front()
        if front.application.currentUser.session == nil { try? await front.application.start() }
        return front.application.currentUser.session?.user.id
    }

    /// Returns the lists of sources, authors, and tags with a user's numbers of unread articles.
    ///
    /// - Parameter user: the ID of the user; nil without a user.
    func listing(for user: User.ID?) async throws -> LibraryLister {
        try await LibraryLister(articles: articles(), subscriptions: subscriptions(), marks: marks(), userID: user)
    }

    /// Prints all authors or tags with their numbers of articles.
    fileprivate func list(_ kind: ArticleLabel.Kind, called name: String) async throws {
        let labels = try await listing(for: reader()).labels(kind)
        if json { return try report(nil, json: [name: .array(labels.map { JSON($0) })]) }
        if labels.isEmpty { return say("There are no \(name) in the library.") }
        try write(
            Table(
                columns: [
                    .init(title: "NAME", use: .main), .init(title: "ARTICLES", isRight: true),
                    .init(title: "UNREAD", isRight: true),
                ],
                rows: labels.map { [$0.label.name, "\($0.label.articles)", "\($0.unread)"] }))
    }
}
