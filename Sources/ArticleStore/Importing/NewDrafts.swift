import Text

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
