import Platform

/// Articles of a folder whose files are not there any more: what is new in it may be one of them under another name.
struct GoneArticles {
    private var byContent: [UInt64: Int64] = [:]
    /// Those that were records of a file, by what they call themselves.
    private var byRecord: [ExactText: Int64] = [:]
    private var taken: Set<Int64> = []

    /// Those of a source; none of what is no folder, and of a folder that cannot be looked at.
    init(from source: Source, by writer: some ArticleWriter) throws {
        guard source.kind.hasPaths, let location = source.facts.location, FilePath(location.text).exists else { return }
        // The records of a file stand one after the other.
        var last: (path: ExactText, isThere: Bool)?
        try writer.forEachEntry(of: source.id) { key, entry in
            let key = PathKey(key)
            if key.path != last?.path {
                last = (key.path, FilePath.exists(location.appending(path: key.path).text))
            }
            if last?.isThere == true { return }
            if let content = entry.origin.content { byContent[content] = entry.id }
            if let record = key.record { byRecord[record] = entry.id }
        }
    }

    /// The article that is meant, each once: one that was made of the same, or a record of the same name that agrees in
    /// something else, as numbers may name anything.
    mutating func take(_ article: IncomingArticle, by writer: some ArticleWriter) throws -> Int64? {
        var found = byContent[article.content]
        if found == nil, case .record = article.place, let id = byRecord[article.draft.key],
            try writer.article(id: id)?.agrees(with: article.draft) == true
        {
            found = id
        }
        guard let found, taken.insert(found).inserted else { return nil }
        return found
    }
}

extension Article {
    /// Whether a draft of the same name says in its title, address or date that it is another.
    func isContradicted(by draft: ArticleDraft) -> Bool {
        !title.isIdentical(to: draft.title) || draft.published.map { $0 != published } == true
            || draft.sourceURL.map { $0 != sourceURL } == true
    }

    /// Whether a draft of the same name is a version of it: title, address or date are the same.
    func agrees(with draft: ArticleDraft) -> Bool {
        title.isIdentical(to: draft.title) || sourceURL != nil && sourceURL == draft.sourceURL
            || published == draft.published
    }
}
