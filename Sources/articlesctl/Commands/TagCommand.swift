import ReadingStore

/// `tag`: gives articles a tag of one's own.
struct TagCommand: Command {
    static let spec = CommandSpec(
        name: "tag", summary: "give articles a tag of your own, or take it away",
        discussion: """
            The tags of the articles themselves stay as they are: list --tag mine:TAG finds these. Names differ by more than \
            case.

            \(MarkTarget.discussion)
            """,
        arguments: [ArgumentSpec(name: "TAG", summary: "a few words", values: .names(.ownTag)), MarkTarget.argument],
        options: [OptionSpec(name: "remove", summary: "take the tag away")] + MarkTarget.options,
        examples: [
            Example(command: "articlesctl tag 'for the talk' 12 welcome", summary: "tag two articles"),
            Example(command: "articlesctl list --tag 'mine:for the talk'", summary: "find them again"),
            Example(command: "articlesctl tag --remove 'for the talk' --all", summary: "take it from all that have it"),
        ])

    private let tag: OwnTag
    private let removes: Bool
    private let target: MarkTarget

    init(_ parsed: ParsedCommand) throws {
        do {
            tag = try OwnTag(parsed.argument("TAG") ?? "")
        } catch {
            throw parsed.error(.other("\(error)"))
        }
        removes = parsed.flag("remove")
        target = try MarkTarget(parsed)
    }

    func run(in context: Context) async throws { try await target.mark(.tag(tag, !removes), in: context) }
}
