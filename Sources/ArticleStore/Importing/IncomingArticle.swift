import Text

/// An article that was read but not stored yet.
struct IncomingArticle {
    /// The place where it was read.
    enum Place: Hashable {
        /// A file of its own, with the path below the input; the path is nil for a stream.
        case file(ImportRoot, path: ExactText?)
        /// A record of a file.
        case record(ImportRoot, path: ExactText?, FeedHead?)
        /// A record of a library export, which states its source itself.
        case claimed(ExportedSource)

        /// The input of the import; nil if the record states its source itself.
        var root: ImportRoot? {
            switch self {
            case .file(let root, _), .record(let root, _, _): root
            case .claimed: nil
            }
        }

        /// The path of its file below the input.
        var path: ExactText? {
            switch self {
            case .file(_, let path), .record(_, let path, _): path
            case .claimed: nil
            }
        }

        /// The feed to which the entry belongs.
        var feed: FeedHead? { if case .record(_, _, let feed) = self { feed } else { nil } }
    }

    let draft: ArticleDraft
    /// Further keys for an entry of a feed, in case other entries with the same ID appear or disappear.
    let otherKeys: [ExactText]
    let place: Place
    /// A hash of the record as it was read.
    let content: UInt64
    /// The size of the original record in bytes.
    let size: Int
    /// The file, as reports name it.
    let file: String
    /// The line on which it begins, from 1; nil if it is the whole file.
    let line: Int?
}

extension IncomingArticle {
    /// Creates a skipped draft, which has only a key and no content.
    init(draftOf key: ExactText, _ place: Place, content: UInt64) {
        self.init(
            draft: ArticleDraft(key: key, slug: "", title: "", body: ""), otherKeys: [], place: place, content: content,
            size: 0, file: "",
            line: nil)
    }
}
