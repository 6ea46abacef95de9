import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import ModelJSON
import Terminal
import Text

/// `tags`: lists the tags of articles or the user's own tags.
struct TagsCommand: Command {
    static let spec = CommandSpec(
        name: "tags", summary: "list the tags of articles, or your tags",
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
        let user = try await context.reader()
        let tags = try await context.marks().counts(of: user).tags
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
    static let spec = CommandSpec(
        name: "authors", summary: "list the authors of articles",
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
    /// - Throws: `AuthError.notSignedIn`, `AuthError.outOfScope`, and the error of a failed log-in.
    func reader(mayWrite: Bool = false) async throws -> User.ID {
        let front = try front()
        try await front.go(to: .articles()) { $0 == .articles() }
        guard let session = front.application.signedIn.session else { throw AuthError.notSignedIn }
        guard !mayWrite || session.mayBeUsed(for: .write) else { throw AuthError.outOfScope }
        return session.user.id
    }

    /// Returns the ID of the signed-in user without asking for a log-in; nil if nobody is signed in or an error occurs.
    func openReader() async throws -> User.ID? {
        let front = try front()
        if front.application.signedIn.session == nil { try? await front.application.start() }
        return front.application.signedIn.session?.user.id
    }

    /// Prints all authors or tags with their numbers of articles.
    fileprivate func list(_ kind: ArticleLabel.Kind, called name: String) async throws {
        let user = try await reader()
        let labels = try await articles().labels(kind)
        let counts = try await marks().readCounts(of: user)
        let read = kind == .author ? counts.authors : counts.tags
        if json {
            let objects = labels.map { JSON(label: $0, read: read[$0.key] ?? 0) }
            return try report(nil, json: [name: .array(objects)])
        }
        if labels.isEmpty { return say("There are no \(name) in the library.") }
        try write(
            Table(
                columns: [
                    .init(title: "NAME", use: .main), .init(title: "ARTICLES", isRight: true),
                    .init(title: "UNREAD", isRight: true),
                ],
                rows: labels.map { [$0.name, "\($0.articles)", "\($0.articles - (read[$0.key] ?? 0))"] }))
    }
}
