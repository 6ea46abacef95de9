import ArticleImporting
import Arguments
import ArticleStore
import Terminal
import Text

/// The removal of articles that have left their source: `seed` asks first, and reports the result.
struct SeedMirror {
    static let options = [
        OptionSpec(name: "mirror", summary: "also remove articles that are gone from the source, after a confirmation"),
        OptionSpec(name: "yes", short: "y", summary: "let --mirror remove without a confirmation"),
        OptionSpec(name: "force", summary: "let --mirror remove more than half of a source"),
    ]

    /// The maximum number of keys to print.
    private static let maximumListed = 5

    /// The removal to perform, if any.
    let mirror: ImportOptions.Mirror?
    private let confirmation: Confirmation
    /// The number of articles that were kept because the user declined.
    private var declined = 0
    private var isInterrupted = false

    /// - Throws: `UsageError`.
    init(_ parsed: ParsedCommand) throws {
        let isForced = parsed.flag("force")
        if isForced, !parsed.flag("mirror") { throw parsed.error(.other("--force needs --mirror")) }
        mirror = parsed.flag("mirror") ? (isForced ? .all : .most) : nil
        confirmation = Confirmation(parsed)
    }

    /// Checks in advance that the confirmation is possible.
    ///
    /// - Throws: `UsageError` if the program cannot ask without a terminal.
    func check(isDryRun: Bool, in context: Context) throws {
        if mirror != nil, !isDryRun { try confirmation.check(in: context) }
    }

    /// Returns whether the user agrees to remove the articles that have left a source.
    mutating func agrees(to missing: MissingArticles, in context: Context) throws -> Bool {
        if isInterrupted { return false }
        let count = missing.articles.count
        let articles =
            missing.total == 1
            ? "the only article of “\(missing.source.name)”, which is"
            : "\(count) of the \(missing.total) articles of “\(missing.source.name)” that \(count == 1 ? "is" : "are")"
        let question = "Remove \(articles) gone from it (\(missing.firstKeys(Self.maximumListed)))?"
        do {
            if try confirmation.agrees(to: question, in: context) { return true }
        } catch PromptError.interrupted, PromptError.endOfInput {
            // Report the imported articles first.
            isInterrupted = true
        }
        declined += missing.articles.count
        return false
    }

    /// Prints the removed articles.
    func tell(_ report: ImportReport, isDryRun: Bool, in context: Context) {
        for missing in report.removedArticles {
            let words = isDryRun ? "Would remove from" : "Removed from"
            context.say("\(words) “\(missing.source.name)”: \(missing.firstKeys(Self.maximumListed))")
        }
        for drafts in report.drafts {
            context.say("Kept, but now drafts in “\(drafts.source.name)”: \(drafts.firstKeys(Self.maximumListed))")
        }
        // The error that follows is about the unreadable records.
        for case .unreadable(let count) in report.refusedRemovals {
            context.say("\(RefusedRemoval.unreadable(count))")
        }
    }

    /// Checks the result after everything was printed.
    ///
    /// - Throws: `CommandError` if articles that have left their source were not removed.
    func finish(_ report: ImportReport) throws {
        if let refused = report.refusedRemovals.first {
            let others = report.refusedRemovals.count - 1
            let isForceful = report.refusedRemovals.contains { if case .tooMany = $0 { true } else { false } }
            throw CommandError(
                "\(refused)" + (others == 0 ? "" : ", nor from \(others) more"),
                hint: isForceful ? "if they should be removed, add --force" : nil, code: .badData)
        }
        guard declined > 0 else { return }
        throw CommandError(
            declined.quantity(
                of: "article that is gone from its source was not removed",
                "articles that are gone from their source were not removed"),
            hint: "all other changes reported above were made", code: isInterrupted ? .interrupted : .declined)
    }

    /// The result of the removal as JSON.
    static func json(_ report: ImportReport) -> [JSON.Member] {
        func articles(_ allMissing: [MissingArticles]) -> JSON {
            .array(
                allMissing.flatMap { missing in
                    zip(missing.articles, missing.keys).map { id, key -> JSON in
                        ["source": .string(missing.source.name), "id": JSON(id), "key": .string(key.text)]
                    }
                })
        }
        return [
            JSON.Member("removed", articles(report.removedArticles)),
            JSON.Member("drafts", articles(report.drafts)),
            JSON.Member("refused", JSON(report.refusedRemovals.map(\.description))),
        ]
    }
}

extension MissingArticles {
    /// Returns the first keys, and the number of further ones.
    fileprivate func firstKeys(_ count: Int) -> String {
        let more = keys.count - count
        return keys.prefix(count).map(\.text).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
