/// Drafts that are known by no key of the library. Each may be an article that was set back to be worked on, as Jekyll has it: its
/// file is in another folder then, and its name without the date.
struct NewDrafts {
    private var contents: Set<UInt64> = []
    private var names: Set<ExactText> = []

    /// Notes a draft; of one among the records of a file, nothing is known but that.
    mutating func insert(_ draft: IncomingArticle) {
        guard case .file(_, let path?) = draft.place else { return }
        contents.insert(draft.content)
        if let name = Self.name(of: path) { names.insert(name) }
    }

    /// Whether one has the same text as an article that was not met, or the same name.
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
