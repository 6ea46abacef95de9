import ArticleStore
import Database
import FlowCoordinators
import ReadingStore
import Text

extension Context {
    /// About how many articles that are not there a person is told what they may have meant.
    private static let told = 5

    /// Does something with articles that were named. Where one is not there, the error says which others are called almost so.
    ///
    /// - Parameter work: what is done.
    /// - Throws: what `work` throws.
    func suggesting<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch ScreenError.noArticle(let reference) {
            throw try unknown([reference])
        } catch ScreenError.noArticles(let references) {
            throw try unknown(references)
        }
    }

    /// Why articles are not there, and which others are called almost so.
    private func unknown(_ references: [ArticleReference]) throws -> CommandError {
        let error = CommandError(references.count == 1 ? ScreenError.noArticle(references[0]) : .noArticles(references))
        let database = try database()
        var lines: [String] = []
        for reference in references.prefix(Self.told) {
            let slugs = try LikeSlugs.of(reference.description, in: database)
            guard let meaning = meaning(slugs) else { continue }
            lines.append(references.count == 1 ? meaning : "“\(reference)”: \(meaning)")
        }
        if references.contains(where: \.isLikeNumbers) { lines.append("Numbers are given one by one: 1 2 3") }
        return CommandError(
            error.message, hint: (lines + [error.hint].compactMap(\.self)).joined(separator: "\n"), code: error.code)
    }

    /// Says of a list without articles whose author or tag no article has how others are called.
    func sayUnknownLabels(of query: ArticleQuery, in articles: some ArticleRepository) async throws {
        let asked: [(ArticleLabel.Kind, String?, String, String)] = [
            (.author, query.author, "is by", "authors"), (.tag, query.tag, "has the tag", "tags"),
        ]
        for (kind, name, words, command) in asked {
            guard let name else { continue }
            let labels = try await articles.labels(kind)
            let key = SearchText.fold(name)
            guard !key.isEmpty, !labels.contains(where: { $0.key == key }) else { continue }
            let keys = labels.map(\.key)
            // A part of a name is the name of nobody.
            let longer = keys.filter { (" " + $0).contains(" " + key) }.prefix(3)
            let like = longer.isEmpty ? keys.suggestions(for: key) : Array(longer)
            var names = like.compactMap { key in labels.first { $0.key == key }?.name }
            if kind == .tag, let own = try await ownTag(key) { names.insert("mine:" + own, at: 0) }
            say(
                "No article \(words) “\(name)”. " + (meaning(names) ?? "See what there is with: articlesctl \(command)")
            )
        }
    }

    /// The tag of one's own that is found by a key, as it is written; nil where there is none.
    private func ownTag(_ key: String) async throws -> String? {
        guard let user = try await openReader() else { return nil }
        let marks = SQLiteMarkRepository(database: try database())
        return try marks.tags(of: user, beginningWith: key, limit: 1).first { $0.key == key }?.name
    }

    private func meaning(_ names: [String]) -> String? {
        names.isEmpty ? nil : "Did you mean \(names.map { "“\($0)”" }.joined(separator: " or "))?"
    }
}

extension ArticleReference {
    /// Whether it was perhaps meant as a number, or as several: `1,2`, `1-5`, `#1`.
    fileprivate var isLikeNumbers: Bool {
        number == nil && description.contains { $0.isASCII && $0.isNumber }
            && description.allSatisfy { $0.isASCII && $0.isNumber || ",-#.:".contains($0) }
    }
}
