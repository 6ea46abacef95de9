import ArticleStore
import Platform
import Text

/// Articles of a folder whose files are gone. A new file in the folder may be one of them under another name.
struct RenameCandidates {
    /// A record of the library whose file is gone.
    enum Candidate: Hashable {
        case article(Int64)
        /// An article that was deleted in the library.
        case deleted(Deletion)
    }

    /// In the order of their keys, so that of several equal texts each is matched with a different new file.
    private var byContent: [UInt64: [Candidate]] = [:]
    /// Articles that were records of a file, by the keys that the records state.
    private var byRecord: [ExactText: [Int64]] = [:]
    private var used: Set<Candidate> = []

    /// Finds the missing articles of a source. There are none if the source is not a folder or the folder cannot be
    /// accessed.
    init(from source: Source, by writer: some ArticleWriter) throws {
        guard source.kind.hasPaths, let location = source.facts.location, FilePath(exact: location).exists else {
            return
        }
        // The records of a file are consecutive, so look up each file only once.
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

    /// Removes and returns the missing article that a record continues: same content hash, or same key plus the same
    /// title, URL, or date. (Numeric keys prove nothing.)
    mutating func removeMatch(for article: IncomingArticle, by writer: some ArticleWriter) throws -> Candidate? {
        var found = byContent[article.content]?.first { !used.contains($0) }
        if found == nil, case .record = article.place {
            let id = try byRecord[article.draft.key]?.first {
                try !used.contains(.article($0)) && writer.article(id: $0)?.agrees(with: article.draft) == true
            }
            found = id.map(Candidate.article)
        }
        if let found { used.insert(found) }
        return found
    }
}

extension Article {
    /// Whether the title, address, or date of a draft with the same key shows that it is a different article.
    func isContradicted(by draft: ArticleDraft) -> Bool {
        !title.isIdentical(to: draft.title) || draft.published.map { $0 != published } == true
            || draft.sourceURL.map { $0 != sourceURL } == true
    }

    /// Whether a draft with the same key is a version of this article: title, address, or date are equal.
    func agrees(with draft: ArticleDraft) -> Bool {
        title.isIdentical(to: draft.title) || sourceURL != nil && sourceURL == draft.sourceURL
            || published == draft.published
    }
}

/// Drafts whose keys are not in the library. Each may be an article that was turned into a draft again. In Jekyll, its
/// file then moves to another folder and its name loses the date.
struct NewDrafts {
    private var contents: Set<UInt64> = []
    private var names: Set<ExactText> = []

    /// Adds a draft. Records of a file are ignored, because only their key is known.
    mutating func insert(_ draft: IncomingArticle) {
        guard case .file(_, let path?) = draft.place else { return }
        contents.insert(draft.content)
        if let name = Self.name(of: path) { names.insert(name) }
    }

    /// Whether a draft has the same text or the same name as a missing article.
    func mayBe(_ key: ExactText, _ entry: ArticleEntry) -> Bool {
        if names.isEmpty { return false }
        let place = PathKey(key)
        guard place.record == nil else { return false }
        return entry.origin.content.map(contents.contains) ?? false
            || Self.name(of: place.path).map(names.contains) ?? false
    }

    private static func name(of path: ExactText) -> ExactText? {
        FileNameFacts(path: path.text).name.map { ExactText($0) }
    }
}
