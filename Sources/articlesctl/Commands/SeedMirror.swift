import Arguments
import ArticleStore
import Terminal
import Text

/// The removal of articles that have left their source: `seed` asks first, and reports the result.
struct SeedMirror {
    static let options = [
        OptionSpec(name: "mirror", summary: "remove what has left the source, too; asks before it does"),
        OptionSpec(name: "yes", short: "y", summary: "let --mirror remove without asking"),
        OptionSpec(name: "force", summary: "let --mirror remove more than half of a source"),
    ]

    /// How many keys a person is told.
    private static let told = 5

    /// The removal to perform, if any.
    let mirror: ImportOptions.Mirror?
    private let confirmation: Confirmation
    /// How many were left because a person said no.
    private var declined = 0
    private var isInterrupted = false

    /// - Throws: `UsageError`.
    init(_ parsed: ParsedCommand) throws {
        let isForced = parsed.flag("force")
        if isForced, !parsed.flag("mirror") { throw parsed.error(.other("--force is about what --mirror removes")) }
        mirror = parsed.flag("mirror") ? (isForced ? .all : .most) : nil
        confirmation = Confirmation(parsed)
    }

    /// Before anything is imported.
    ///
    /// - Throws: `UsageError` where nobody could be asked.
    func check(isDryRun: Bool, in context: Context) throws {
        if mirror != nil, !isDryRun { try confirmation.check(in: context) }
    }

    /// Whether a person agrees, or has already, to remove what has left a source.
    mutating func agrees(to departure: Departure, in context: Context) throws -> Bool {
        if isInterrupted { return false }
        let question =
            "Remove \(departure.articles.count) of the \(departure.total) articles of “\(departure.source.name)”, "
            + "which have left it (\(departure.firstKeys(Self.told)))?"
        do {
            if try confirmation.agrees(to: question, in: context) { return true }
        } catch PromptError.interrupted, PromptError.endOfInput {
            // Report the imported articles first.
            isInterrupted = true
        }
        declined += departure.articles.count
        return false
    }

    /// Tells a person what was removed.
    func tell(_ report: ImportReport, isDryRun: Bool, in context: Context) {
        for departure in report.departures {
            let words = isDryRun ? "Would be removed from" : "Removed from"
            context.say("\(words) “\(departure.source.name)”: \(departure.firstKeys(Self.told))")
        }
        for drafts in report.drafts {
            context.say("Drafts in “\(drafts.source.name)” now, and kept: \(drafts.firstKeys(Self.told))")
        }
        // The error that follows is about those records.
        for case .unreadable(let count) in report.refusedRemovals {
            context.say("\(RefusedRemoval.unreadable(count))")
        }
    }

    /// After all else was told.
    ///
    /// - Throws: `CommandError` where what has left its source was not removed.
    func finish(_ report: ImportReport) throws {
        if let refused = report.refusedRemovals.first {
            let others = report.refusedRemovals.count - 1
            let isForceful = report.refusedRemovals.contains { if case .tooMany = $0 { true } else { false } }
            throw CommandError(
                "\(refused)" + (others == 0 ? "" : ", nor from \(others) more"),
                hint: isForceful ? "if it is right that they are gone, add --force" : nil, code: .badData)
        }
        guard declined > 0 else { return }
        throw CommandError(
            declined == 1
                ? "1 article that has left its source was not removed"
                : "\(declined) articles that have left their source were not removed",
            hint: "everything else that is reported above is done", code: isInterrupted ? .interrupted : .declined)
    }

    /// The result of the removal as JSON.
    static func json(_ report: ImportReport) -> [JSON.Member] {
        func articles(_ departures: [Departure]) -> JSON {
            .array(
                departures.flatMap { departure in
                    zip(departure.articles, departure.keys).map { id, key -> JSON in
                        ["source": .string(departure.source.name), "id": JSON(id), "key": .string(key.text)]
                    }
                })
        }
        return [
            JSON.Member("removed", articles(report.departures)),
            JSON.Member("drafts", articles(report.drafts)),
            JSON.Member("refused", JSON(report.refusedRemovals.map(\.description))),
        ]
    }
}

extension Departure {
    /// The first keys, and how many more there are.
    fileprivate func firstKeys(_ count: Int) -> String {
        let more = keys.count - count
        return keys.prefix(count).map(\.text).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
