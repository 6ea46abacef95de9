import ArticleStore
import Foundation
import Text

/// Articles, and the lists that queries make of them.
struct MemoryLibrary: Sendable {
    private var entries: [Int64: Entry] = [:]
    private var lastID: Int64 = 0

    func article(id: Int64) -> Article? { entries[id]?.article }

    func article(slug: String) -> Article? { entries.values.first { $0.article.slug == slug }?.article }

    mutating func upsert(_ draft: ArticleDraft, now: Date) -> Upsert {
        guard let old = article(slug: draft.slug) else {
            lastID += 1
            entries[lastID] = Entry(draft.article(id: lastID, now: now))
            return Upsert(id: lastID, outcome: .inserted)
        }
        let new = draft.article(replacing: old, now: now)
        if new.isIdentical(to: old) { return Upsert(id: old.id, outcome: .unchanged) }
        entries[old.id] = Entry(new)
        return Upsert(id: old.id, outcome: .updated)
    }

    mutating func delete(id: Int64) -> Bool { entries.removeValue(forKey: id) != nil }

    /// What a query holds, in no order.
    func matches(_ query: ArticleQuery) -> [Entry] {
        let (author, tag) = (query.author.map(FoldedKey.fold), query.tag.map(FoldedKey.fold))
        let language = query.language.map(LanguageTag.canonical)
        let words = query.text.map(SearchText.words)
        return entries.values.filter { entry in
            (author.map(entry.authors.contains) ?? true) && (tag.map(entry.tags.contains) ?? true)
                && (language.map { entry.article.language == $0 } ?? true)
                && (query.since.map { entry.article.published >= $0 } ?? true)
                && (query.until.map { entry.article.published < $0 } ?? true)
                && (words.map(entry.holds) ?? true)
        }
    }

    /// What a query holds, in its order.
    func list(_ query: ArticleQuery) -> [Entry] {
        matches(query).sorted { $1.isAfter($0.position(in: query.sort), in: query) }
    }

    /// An article, and what it is found and ordered by.
    struct Entry: Sendable {
        let article: Article
        let authors: [String]
        let tags: [String]
        private let titleKey: String
        private let text: String

        init(_ article: Article) {
            self.article = article
            authors = article.authors.map(FoldedKey.fold)
            tags = article.tags.map(FoldedKey.fold)
            titleKey = ArticleQuery.titleKey(article.title)
            text = SearchText.fold(([article.title] + article.authors + article.tags).joined(separator: "\n"))
        }

        /// Whether every one of `SearchText.words(of:)` is in the title, in an author or in a tag.
        func holds(_ words: String) -> Bool {
            var (text, words) = (text, words)
            return text.withUTF8 { text in words.withUTF8 { SearchText.folded(text, contains: $0) } }
        }

        /// Whether it stands behind a place in the list of a query.
        func isAfter(_ position: Cursor.Position, in query: ArticleQuery) -> Bool {
            let own = self.position(in: query.sort)
            return query.sort == .newest ? own.isLess(than: position) : position.isLess(than: own)
        }

        fileprivate func position(in sort: ArticleQuery.Sort) -> Cursor.Position {
            switch sort {
            case .newest, .oldest: .date(article.published, id: article.id)
            case .title: .title(key: titleKey, id: article.id)
            }
        }
    }
}

extension Cursor.Position {
    /// Whether it comes first where dates go up and titles from A to Z. Titles are ordered byte by byte.
    fileprivate func isLess(than other: Self) -> Bool {
        switch (self, other) {
        case (.date(let date, let id), .date(let otherDate, let otherID)): (date, id) < (otherDate, otherID)
        case (.title(let key, let id), .title(let otherKey, let otherID)):
            key.utf8.elementsEqual(otherKey.utf8)
                ? id < otherID : key.utf8.lexicographicallyPrecedes(otherKey.utf8)
        // A list is in one order, and so are the places in it.
        case (.date, .title), (.title, .date): false
        }
    }
}
