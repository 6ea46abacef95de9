import ArticleExporting
import ArticleImporting
import Arguments
import ArticleStore
import Terminal
import Text

/// `edit`: edits articles in an editor.
struct EditCommand: Command {
    static let name = "edit"
    static let spec = CommandSpec(
        name: name, summary: "edit articles in the editor",
        discussion: """
            Opens the articles one after the other in the editor named by VISUAL or EDITOR, else in vi, as a private \
            file with the properties as front matter and the text below. Mistakes are reported with their line, and \
            you can edit the file again; if you quit, the command prints where your text is saved. An unchanged text \
            changes nothing. Neither does an empty text; then the exit code is 1.

            Number, slug, source, and key do not change. From then on, seed does not change the article, even if it \
            changes in its source; seed --discard-edits imports it from there. If another user changed the article in \
            the meantime, the command asks what to do, or exits with 75. Like seed, this command needs no login.
            """,
        arguments: [ArticleArguments.argument],
        examples: [
            Example(command: "articlesctl edit welcome", summary: "edit one article"),
            Example(
                command: "EDITOR='sed -i s/colour/color/' articlesctl edit 3 4",
                summary: "edit two articles with a program"),
        ])

    private let references: [String]

    init(_ parsed: ParsedCommand) { references = parsed.arguments("ARTICLE") }

    func run(in context: Context) async throws {
        let repository = try await context.articles()
        let summaries = try await context.suggesting {
            try await ArticleArguments(references).summaries(in: repository)
        }
        let session = try EditorSession(in: context)
        var done: [JSON] = []
        do {
            for summary in summaries {
                guard let article = try await repository.article(id: summary.id) else {
                    throw CommandError("“\(summary.title)” was deleted in the meantime", code: .noInput)
                }
                let edited = try await Self.edit(article, by: session, in: repository, context)
                let now = edited ?? article
                done.append(["id": JSON(now.id), "slug": .string(now.slug), "changed": .bool(edited != nil)])
                if context.json { continue }
                let words = edited == nil ? "“\(now.title)” is unchanged." : "Changed “\(now.title)” (\(now.id))."
                try context.report(words, json: nil)
                try context.output.flush()
            }
        } catch {
            // Report the articles that were edited before the failure.
            if context.json, !done.isEmpty { try context.report(nil, json: ["edited": .array(done)]) }
            throw error
        }
        if context.json { try context.report(nil, json: ["edited": .array(done)]) }
    }

    /// - Returns: the changed article; nil if it is unchanged.
    static func edit(
        _ article: Article, by session: EditorSession, in repository: some ArticleRepository, _ context: Context
    ) async throws -> Article? {
        // The version that the text is based on.
        var base = article
        let outcome = try await session.edit(
            ArticleMarkdown.text(of: article), name: article.fileName,
            remedy: { error, file in
                guard case EditError.hasChanged(let current) = error else { return nil }
                let theirs = try file.add("theirs-" + current.fileName, ArticleMarkdown.text(of: current))
                let remedy = try Self.remedy(of: error, theirs, in: context)
                // The user has seen the present version, so saving may replace it.
                if remedy != .giveUp { base = current }
                return remedy
            },
            use: { text in
                do {
                    let draft = try WrittenArticle(text).draft(editing: article)
                    return try await context.editing().edit(base, into: draft)
                } catch let fault as WrittenArticle.Fault where fault == .noText {
                    throw Self.emptied(article)
                }
            })
        switch outcome {
        case .used(let edited):
            let keys = edited?.extraKeys.filter { !article.extraKeys.contains($0) } ?? []
            if !keys.isEmpty {
                let names = keys.map { "“\($0)”" }.joined(separator: ", ")
                context.say(
                    "\(names): unknown property; it is stored with the article unchanged.")
            }
            return edited
        case .unchanged: return nil
        case .emptied: throw emptied(article)
        }
    }

    /// As for git, an empty text is how a person gives up.
    private static func emptied(_ article: Article) -> CommandError {
        CommandError(
            "the text is empty: “\(article.title)” is unchanged",
            hint: "to delete it: articlesctl delete \(article.id)", code: .declined)
    }

    private static func remedy(
        of error: any Error, _ theirs: String, in context: Context
    ) throws -> EditorSession.Remedy {
        let question = "\(error); the current version is in \(theirs). Edit again, overwrite that version, or quit?"
        return switch try context.choice(of: [("e", "edit"), ("o", "overwrite"), ("q", "quit")], question) {
        case "e": .edit
        case "o": .use
        default: .giveUp
        }
    }
}

extension Article {
    /// The name of a file for the article.
    var fileName: String { slug.prefix(80) + format.fileEnding }
}
