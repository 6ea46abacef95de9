import LibraryServices
import ArticleStore
import AuthService
import HTTPServer

/// Operations on the marks of articles.
extension GoogleReader {
    /// `edit-tag`: adds the tags `a` to the items `i` and removes the tags `r`.
    func editTag(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        // The parameter `s` names the feed of each item. The number of the item already tells the feed, so `s` is
        // ignored.
        try parameters.refuse(otherThan: ["i", "a", "r", "ac", "s", "async", "t"])
        let items = ArticleSelection.ids(try parameters.itemNumbers())
        let changes = try Self.changes(parameters, of: session.user)
        for case .tag(let tag, _) in changes where try await savedSearch(tag.name, of: session.user) != nil {
            throw .badRequest("\(tag.name) is a saved search: its articles are those that match it")
        }
        try await change(changes, of: items, in: session)
        return .done
    }

    /// `mark-all-as-read`: marks all articles of a stream as read, or only those that arrived up to the time `ts`.
    func markAllAsRead(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        try parameters.refuse(otherThan: ["s", "ts", "t"])
        let streams = parameters.values(of: "s")
        guard !streams.isEmpty else { throw .badRequest("the parameter s (the stream) is missing") }
        var end: Int64?
        if let time = try parameters.time("ts") { end = try await firstArticle(after: time) }
        var selections: [Selection] = []
        for stream in streams {
            try await checkIsOne(stream, of: session.user)
            var selection = try await selection(stream, of: session.user)
            if let end { selection.end(before: end) }
            selections.append(selection)
        }
        for case var query? in selections.map(\.query) {
            // Marking all articles as read is stored as one time, not as a mark for each article.
            if query.marks.isEmpty { query.marks.userID = nil }
            try await change([.read(true)], of: .query(query), in: session)
        }
        return .done
    }

    /// Returns the changes of marks for the tags. `kept-unread` removes the read mark, so `r=…/kept-unread` means the
    /// same as `a=…/read`. Clients often send both.
    private static func changes(_ parameters: Parameters, of user: User) throws(ReaderError) -> [MarkChange] {
        var changes: [MarkChange] = []
        for (name, isSet) in [("a", true), ("r", false)] {
            for text in parameters.values(of: name) {
                switch Stream(text, of: user) {
                case .state(.read): changes.append(.read(isSet))
                case .state(.keptUnread): if isSet { changes.append(.read(false)) }
                case .state(.starred): changes.append(.starred(isSet))
                case .state(.trackingKeptUnread), .state(.fresh): break
                case .label(let label):
                    changes.append(.tag(try ReaderError.tag(label), isSet))
                case .feed, .state(.readingList), .state(.unread), nil:
                    throw .badRequest("the tag \(text) cannot be changed")
                }
            }
        }
        let distinct = Set(changes)
        guard !distinct.contains(where: { $0.opposite.map(distinct.contains) ?? false }) else {
            throw .badRequest("a tag cannot be added and removed in one request")
        }
        guard parameters["a"] != nil || parameters["r"] != nil else {
            throw .badRequest("the parameter a or r (the tags) is missing")
        }
        return changes
    }
}

extension MarkChange {
    /// The change that undoes this one; nil if a tag does not exist for it.
    fileprivate var opposite: MarkChange? {
        switch self {
        case .read(let isSet): .read(!isSet)
        case .starred(let isSet): .starred(!isSet)
        case .tag(let tag, let isSet): .tag(tag, !isSet)
        case .later, .hidden, .note, .readingPosition: nil
        }
    }
}
