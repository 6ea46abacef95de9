import Arguments
import ArticleStore
import FlowCoordinators
import Text

extension Context {
    /// The maximum number of missing articles for which similar names are suggested.
    private static let maximumListed = 5

    /// Runs `work` on named articles. If one does not exist, the error suggests similar names.
    ///
    /// - Throws: the errors of `work`.
    func suggesting<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch ArticleError.noArticle(let reference) {
            throw try await unknown([reference])
        } catch ArticleError.noArticles(let references) {
            throw try await unknown(references)
        }
    }

    /// Returns an error for missing articles, with suggestions.
    private func unknown(_ references: [ArticleReference]) async throws -> CommandError {
        let error = CommandError(
            references.count == 1 ? ArticleError.noArticle(references[0]) : .noArticles(references))
        let articles = try await articles()
        var lines: [String] = []
        for reference in references.prefix(Self.maximumListed) {
            let slugs = try await articles.slugs(similarTo: reference.description)
            guard let meaning = meaning(slugs) else { continue }
            lines.append(references.count == 1 ? meaning : "“\(reference)”: \(meaning)")
        }
        if references.contains(where: \.isLikeNumbers) { lines.append("Separate numbers with spaces: 1 2 3") }
        return CommandError(
            error.message, hint: (lines + [error.hint].compactMap(\.self)).joined(separator: "\n"), code: error.code)
    }

    /// Checks that the library has each source, author, tag, and language that a query names.
    ///
    /// - Throws: `SourceError.noSource`, or a `CommandError` with similar names.
    func requireKnownNames(of query: ArticleQuery, in articles: any ArticleRepository) async throws {
        if let name = query.source { _ = try await articles.existingSource(named: name) }
        for name in QueryName.all {
            guard let text = name.text(query) else { continue }
            var alone = ArticleQuery(marks: MarkCondition(userID: query.marks.userID))
            name.set(&alone, text)
            var hidden = alone
            hidden.marks.isHidden = true
            guard try await articles.list(alone, after: nil, limit: 1).summaries.isEmpty,
                try await articles.list(hidden, after: nil, limit: 1).summaries.isEmpty
            else { continue }
            let key = SearchText.fold(text)
            let names = try await name.all(articles)
            // The list compares whole names. The user may have typed only the beginning of a word of the name.
            let longer = key.isEmpty ? [] : names.filter { (" " + SearchText.fold($0)).contains(" " + key) }
            let keys = names.map(SearchText.fold).suggestions(for: key)
            var similar =
                longer.isEmpty ? names.filter { keys.contains(SearchText.fold($0)) } : Array(longer.prefix(3))
            if name.noun == "tag", let own = try await ownTag(key) { similar.insert("mine:" + own, at: 0) }
            throw CommandError(
                "\(name.words) “\(text)”", hint: meaning(similar) ?? name.hint(names.prefix(20)), code: .noInput)
        }
    }

    /// The user's own tag with this key, as it is written; `nil` if there is none.
    private func ownTag(_ key: String) async throws -> String? {
        guard let user = try await openReader() else { return nil }
        return try await marks().counts(of: user).tags.first { $0.tag.key == key }?.tag.name
    }

    private func meaning(_ names: [String]) -> String? {
        names.isEmpty ? nil : "Did you mean \(names.map { "“\($0)”" }.joined(separator: " or "))?"
    }
}

extension ArticleReference {
    /// Whether it may have been meant as a number or several numbers: `1,2`, `1-5`, `#1`.
    fileprivate var isLikeNumbers: Bool {
        number == nil && description.contains { $0.isASCII && $0.isNumber }
            && description.allSatisfy { $0.isASCII && $0.isNumber || ",-#.:".contains($0) }
    }
}

/// A name in a query that no article may have.
private struct QueryName: Sendable {
    let noun: String
    let text: @Sendable (ArticleQuery) -> String?
    let set: @Sendable (inout ArticleQuery, String) -> Void
    /// The error message without the name.
    let words: String
    /// The command that lists the names; nil if there is none.
    let command: String?
    let all: @Sendable (any ArticleRepository) async throws -> [String]

    static let all: [QueryName] = [
        QueryName(
            noun: "tag of sources", text: { $0.sourceTag }, set: { $0.sourceTag = $1 },
            words: "no article has a source with the tag", command: nil,
            all: { try await $0.sources().tags.map(\.name) }),
        QueryName(
            noun: "author", text: { $0.author }, set: { $0.author = $1 }, words: "no article is by", command: "authors",
            all: { try await $0.labels(.author).map(\.name) }),
        QueryName(
            noun: "tag", text: { $0.tag }, set: { $0.tag = $1 }, words: "no article has the tag", command: "tags",
            all: { try await $0.labels(.tag).map(\.name) }),
        QueryName(
            noun: "tag of yours", text: { $0.marks.tag }, set: { $0.marks.tag = $1 },
            words: "no article has your tag", command: "tags --mine", all: { _ in [] }),
        QueryName(
            noun: "language", text: { $0.language }, set: { $0.language = $1 }, words: "no article is in the language",
            command: nil, all: { try await $0.languages() }),
    ]

    /// Advice that names the command or the possible names.
    func hint(_ names: ArraySlice<String>) -> String {
        if let command { return "list them with: articlesctl \(command)" }
        return names.isEmpty ? "there is no \(noun) yet" : "valid values: " + names.joined(separator: ", ")
    }
}
