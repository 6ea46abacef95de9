/// An article on its way into the library.
struct IncomingArticle {
    /// Where it was met.
    enum Place: Hashable {
        /// In a file of its own: its path below what was given. Nil where that is a stream.
        case file(ImportRoot, path: ExactText?)
        /// Among the records of a file.
        case record(ImportRoot, path: ExactText?, FeedHead?)
        /// It says itself of which source it is, as what a library has exported does.
        case claimed(ExportedSource)

        /// What was given to the import; nil where that is not where it belongs.
        var root: ImportRoot? {
            switch self {
            case .file(let root, _), .record(let root, _, _): root
            case .claimed: nil
            }
        }

        /// The path of its file below that.
        var path: ExactText? {
            switch self {
            case .file(_, let path), .record(_, let path, _): path
            case .claimed: nil
            }
        }

        /// The feed that it is an entry of.
        var feed: FeedHead? { if case .record(_, _, let feed) = self { feed } else { nil } }
    }

    let draft: ArticleDraft
    /// The keys, besides that of the draft, that an entry of a feed has when other entries come and go with the same id.
    let otherKeys: [ExactText]
    let place: Place
    /// A hash of the record as it was read.
    let content: UInt64
    /// How many bytes it was made of.
    let size: Int
    /// The file that it is in, as reports call it.
    let file: String
    /// The line that it begins in, from 1; nil where it is the file as a whole.
    let line: Int?
}

extension IncomingArticle {
    /// A draft that is not taken: what it is known by, and nothing of what it says.
    init(draftOf key: ExactText, _ place: Place, content: UInt64) {
        self.init(
            draft: ArticleDraft(key: key, slug: "", title: "", body: ""), otherKeys: [], place: place, content: content,
            size: 0, file: "",
            line: nil)
    }
}
