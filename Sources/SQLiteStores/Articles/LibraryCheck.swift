import ArticleStore
package import Database
import Text

/// Checks the articles of a library: whether each is still as it was written, and whether the indexes of labels and
/// words agree with the articles.
package struct LibraryCheck: Check {
    private let database: Database

    /// Creates a check of a database with the schema of this package.
    package init(database: Database) { self.database = database }

    /// Returns the findings. For the errors see `Check`.
    package func findings() throws -> [Finding] {
        let state = try state()
        var found = state.altered.prefix(Self.maximumListed).map { id, slug in
            Finding(
                .checksum, on: slug,
                "the article “\(slug)” (\(id)) does not match its checksum: it was changed in the file",
                advice:
                    "replace the database with a backup; or repair it, and the next import of the source restores the "
                    + "article")
        }
        if state.altered.count > Self.maximumListed {
            let rest = state.altered.count - Self.maximumListed
            found.append(
                Finding(.checksum, on: "article", Self.articles(rest, "does", "do") + " not match either"))
        }
        if !state.unknown.isEmpty {
            found.append(
                Finding(
                    .checksum, on: "article",
                    "\(Self.articles(state.unknown.count, "has", "have")) no checksum, so damage would not be detected",
                    advice: "a repair computes the checksums from the current content", isFault: false,
                    isRepairable: true))
        }
        if !state.isIndexRight {
            found.append(
                Finding(
                    .index, on: "label",
                    "the index of authors, tags, and titles does not match the articles",
                    advice: "it can be rebuilt", isRepairable: true))
        }
        if !state.isSearchRight {
            found.append(
                Finding(
                    .index, on: "article_text", "the search index does not match the articles",
                    advice: "it can be rebuilt", isRepairable: true))
        } else if state.waiting > 0 {
            found.append(
                Finding(
                    .index, on: "article_text",
                    Self.articles(state.waiting, "is", "are") + " not indexed for searches yet",
                    advice: "index them with: articlesctl index", isFault: false, isRepairable: true))
        }
        if state.incomplete > 0 {
            found.append(
                Finding(
                    .damage, on: "article_body", Self.articles(state.incomplete, "has", "have") + " no text",
                    advice: "replace the database with a backup"))
        }
        return found
    }

    /// Repairs what can be repaired.
    package func repair() throws {
        let state = try state()
        try database.write { transaction in
            for (id, checksum) in state.unknown {
                try transaction.run(
                    "UPDATE article_body SET checksum = ? WHERE article_id = ?", [Value(checksum.value), Value(id)])
            }
            // An import skips records that have not changed, so remove the hashes. The next import then restores the
            // articles from their source.
            for (id, _) in state.altered {
                try transaction.run("UPDATE article SET content_hash = NULL WHERE id = ?", [Value(id)])
            }
            if !state.isIndexRight { try LabelIndex(transaction: transaction).rebuild() }
            if !state.isSearchRight { try SearchIndex(transaction: transaction).clear() }
        }
        var waiting = true
        // Index in steps, so that other programs can write in between.
        while waiting {
            waiting = try database.write { transaction in
                try SearchIndex(transaction: transaction).advance(.large)
                return try SearchIndex.backlog(in: transaction) > 0
            }
        }
        while try database.write({ try SearchIndex(transaction: $0).merge() }) {}
    }

    private static func articles(_ count: Int, _ one: String, _ several: String) -> String {
        count.quantity(of: "article \(one)", "articles \(several)")
    }

    /// The maximum number of altered articles that are named.
    private static let maximumListed = 20

    private struct State: Sendable {
        var altered: [(id: Int64, slug: String)] = []
        var unknown: [(id: Int64, checksum: ArticleChecksum)] = []
        var incomplete = 0
        var isIndexRight = true
        var isSearchRight = true
        var waiting = 0
    }

    private func state() throws -> State {
        try database.read { snapshot in
            var state = State()
            var labelCount = 0
            try snapshot.forEach(ArticleRow.selectAllWithChecksums) { row in
                guard let article = try? ArticleRow.article(row) else {
                    return state.altered.append((try row.value(0), try row.value(2)))
                }
                let checksum = ArticleChecksum(article)
                switch try row.value(ArticleRow.nextColumn) as Int64? {
                case nil: state.unknown.append((article.id, checksum))
                case checksum.value?: break
                default: state.altered.append((article.id, article.slug))
                }
                labelCount += Set(LabelIndex.names(of: article)).count
                if state.isIndexRight {
                    state.isIndexRight = try LabelIndex.agrees(
                        with: article, titleKey: try row.value(ArticleRow.nextColumn + 1), in: snapshot)
                }
            }
            let counts = try snapshot.first(LabelIndex.counts) { row in
                try (0..<4).map { try row.value($0) as Int }
            }
            // The index has rows without an article.
            if counts?.prefix(3).contains(where: { $0 != labelCount }) == true || counts?.last != 0 {
                state.isIndexRight = false
            }
            state.incomplete =
                try snapshot.first(
                    "SELECT count(*) FROM article AS a WHERE NOT EXISTS (SELECT 1 FROM article_body WHERE article_id = a.id)"
                ) { try $0.value(0) } ?? 0
            state.isSearchRight = try SearchIndex.agrees(in: snapshot)
            state.waiting = try SearchIndex.backlog(in: snapshot)
            return state
        }
    }
}

extension Finding.Kind {
    /// An article is not as it was written.
    package static let checksum = Finding.Kind("checksum")
    /// An index does not agree with the articles.
    package static let index = Finding.Kind("index")
}
