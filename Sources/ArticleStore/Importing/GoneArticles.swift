import Platform

/// Articles of a folder whose files are not there any more: what is new in it may be one of them under another name.
struct GoneArticles {
    /// What was made of a file that is gone.
    enum Gone: Hashable {
        case article(Int64)
        /// One that was deleted here.
        case deleted(Deletion)
    }

    /// In the order of their keys, so that of equal texts each is one of the new.
    private var byContent: [UInt64: [Gone]] = [:]
    /// Those that were records of a file, by what they call themselves.
    private var byRecord: [ExactText: [Int64]] = [:]
    private var taken: Set<Gone> = []

    /// Those of a source; none of what is no folder, and of a folder that cannot be looked at.
    init(from source: Source, by writer: some ArticleWriter) throws {
        guard source.kind.hasPaths, let location = source.facts.location, FilePath(exact: location).exists else {
            return
        }
        // The records of a file stand one after the other.
        var last: (path: ExactText, isThere: Bool)?
        func isGone(_ key: PathKey) -> Bool {
            if key.path != last?.path {
                last = (key.path, FilePath(exact: location.appending(path: key.path)).exists)
            }
            return last?.isThere == false
        }
        try writer.forEachEntry(of: source.id) { key, entry in
            let key = PathKey(key)
            guard isGone(key) else { return }
            if let content = entry.origin.content { byContent[content, default: []].append(.article(entry.id)) }
            if let record = key.record { byRecord[record, default: []].append(entry.id) }
        }
        for deletion in try writer.deletions(of: source.id) where isGone(PathKey(deletion.key)) {
            if let content = deletion.content { byContent[content, default: []].append(.deleted(deletion)) }
        }
    }

    /// What is meant, each once: what was made of the same, or a record of the same name that agrees in something else, as
    /// numbers may name anything.
    mutating func take(_ article: IncomingArticle, by writer: some ArticleWriter) throws -> Gone? {
        var found = byContent[article.content]?.first { !taken.contains($0) }
        if found == nil, case .record = article.place {
            let id = try byRecord[article.draft.key]?.first {
                try !taken.contains(.article($0)) && writer.article(id: $0)?.agrees(with: article.draft) == true
            }
            found = id.map(Gone.article)
        }
        if let found { taken.insert(found) }
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
