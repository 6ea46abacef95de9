import Arguments
import ArticleStore
import Text

/// `mark`: marks articles as read, unread, to read later, or hidden.
struct MarkCommand: Command {
    /// The states that can be set.
    enum State: String, CaseIterable {
        case read, unread, later
        case notLater = "not-later"
        case hidden
        case notHidden = "not-hidden"

        var change: MarkChange {
            switch self {
            case .read: .read(true)
            case .unread: .read(false)
            case .later: .later(true)
            case .notLater: .later(false)
            case .hidden: .hidden(true)
            case .notHidden: .hidden(false)
            }
        }
    }

    static let name = "mark"
    static let spec = CommandSpec(
        name: name, summary: "mark articles as read, unread, for later, or hidden",
        discussion: MarkTarget.discussion,
        arguments: [
            ArgumentSpec(
                name: "STATE", summary: "the new state: read, unread, later, not-later, hidden, or not-hidden",
                values: .suggestions(State.allCases.map(\.rawValue))),
            MarkTarget.argument,
        ],
        options: MarkTarget.options,
        examples: [
            Example(command: "articlesctl mark unread welcome", summary: "mark an article as unread"),
            Example(
                command: "articlesctl mark read --source blog --until 2026-01-01",
                summary: "mark old articles of a source as read"),
            Example(
                command: "articlesctl mark hidden --search 'tag:sponsored'", summary: "hide articles from your lists"),
            Example(command: "articlesctl mark read --all", summary: "mark all articles as read"),
            Example(
                command: "articlesctl list --all --search sqlite --unread | cut -f1 | articlesctl mark later -",
                summary: "mark the articles that another command prints"),
        ])

    private let state: State
    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws {
        let name = parsed.argument("STATE") ?? ""
        guard let state = State(rawValue: name) else {
            let names = State.allCases.map(\.rawValue)
            let others = [
                "starred": "articlesctl star", "unstarred": "articlesctl unstar", "tagged": "articlesctl tag",
            ]
            let other = (others[name] ?? others[name + "red"]).map { [$0] }
            throw parsed.error(
                .invalidValue(of: "STATE", value: name, expected: "one of " + names.joined(separator: ", ")),
                suggestions: other ?? names.suggestions(for: name))
        }
        self.state = state
        target = try MarkTarget(parsed)
    }

    func run(in context: Context) async throws { try await target.mark(state.change, in: context) }
}

/// `star`: adds stars to articles.
struct StarCommand: Command {
    static let name = "star"
    static let spec = CommandSpec(
        name: name, summary: "star articles", discussion: MarkTarget.discussion,
        arguments: [MarkTarget.argument],
        options: MarkTarget.options,
        examples: [
            Example(command: "articlesctl star 12 welcome", summary: "star two articles"),
            Example(command: "articlesctl list --starred", summary: "list the starred articles"),
        ])

    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws { target = try MarkTarget(parsed) }

    func run(in context: Context) async throws { try await target.mark(.starred(true), in: context) }
}

/// `unstar`: removes stars from articles.
struct UnstarCommand: Command {
    static let name = "unstar"
    static let spec = CommandSpec(
        name: name, summary: "remove the star from articles", discussion: MarkTarget.discussion,
        arguments: [MarkTarget.argument],
        options: MarkTarget.options,
        examples: [
            Example(command: "articlesctl unstar welcome", summary: "remove the star of one article"),
            Example(command: "articlesctl unstar --starred --source blog", summary: "remove the stars of a source"),
        ])

    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws { target = try MarkTarget(parsed) }

    func run(in context: Context) async throws { try await target.mark(.starred(false), in: context) }
}
