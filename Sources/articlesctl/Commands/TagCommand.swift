import Arguments
import ArticleStore

/// `tag`: adds or removes one of the user's own tags.
struct TagCommand: Command {
    static let name = "tag"
    static let spec = CommandSpec(
        name: name, summary: "add one of your tags to articles, or remove it",
        discussion: """
            The tags of the articles themselves do not change; list --tag mine:TAG finds your tags. Names that differ \
            only in case are the same tag.

            \(MarkTarget.discussion)
            """,
        arguments: [ArgumentSpec(name: "TAG", summary: "a few words", values: .names(.ownTag)), MarkTarget.argument],
        options: [OptionSpec(name: "remove", summary: "remove the tag")] + MarkTarget.options,
        examples: [
            Example(command: "articlesctl tag 'for the talk' 12 welcome", summary: "tag two articles"),
            Example(command: "articlesctl list --tag 'mine:for the talk'", summary: "list articles with a tag"),
            Example(
                command: "articlesctl tag --remove 'for the talk' --all", summary: "remove a tag from all articles"),
        ])

    private let tag: TagName
    private let removes: Bool
    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws {
        do {
            tag = try TagName(parsed.argument("TAG") ?? "")
        } catch {
            throw parsed.error(.other("\(error)"))
        }
        removes = parsed.flag("remove")
        target = try MarkTarget(parsed, tag: tag)
    }

    func run(in context: Context) async throws {
        do {
            try await target.mark(.tag(tag, !removes), in: context)
        } catch let error as CommandError where error.code == .noInput {
            guard try await isArticle(in: context) else { throw error }
            let order = "The tag comes first: articlesctl tag TAG ARTICLE..."
            throw CommandError(
                error.message, hint: [order, error.hint].compactMap(\.self).joined(separator: "\n"), code: error.code)
        }
        guard !removes, Int64(tag.name) != nil, try await isArticle(in: context) else { return }
        context.say("The first argument is the tag, so the tag is “\(tag.name)”. To undo this, use --remove.")
    }

    /// Whether the user may have swapped the tag and an article.
    private func isArticle(in context: Context) async throws -> Bool {
        try await context.articles().article(ArticleReference(tag.name)) != nil
    }
}
