internal import ArticleStore
internal import AuthService
internal import Text

/// Reads and changes the marks of the signed-in user.
struct ArticleMarking: Sendable {
    /// The result of a change of marks.
    struct Outcome: Sendable {
        let change: MarkChange
        /// The number of articles that the change affected.
        let count: Int
    }

    let marks: any MarkRepository
    let articles: any ArticleRepository
    let session: Session
    let clock: @Sendable () -> Date

    /// The ID of the user whose marks these are.
    var reader: Int64 { session.user.id }

    /// Returns the marks of the articles of a list.
    ///
    /// - Throws: the errors of the repository.
    func marks(of summaries: [ArticleSummary]) async throws -> [Int64: ArticleMarks] {
        try await marks.marks(of: summaries.map(\.id), by: reader)
    }

    /// Marks articles.
    ///
    /// - Throws: `AuthError.outOfScope`, `ScreenError.noArticle`, or `ScreenError.noArticles` before any article is
    ///   changed; the errors of the repositories.
    func mark(_ references: [ArticleReference], _ change: MarkChange) async throws -> Outcome {
        let named = try await articles.summaries(of: references)
        let missing = references.filter { named[$0] == nil }
        guard let first = missing.first else {
            return try await mark(.ids(references.compactMap { named[$0]?.id }), change)
        }
        throw missing.count == 1 ? ScreenError.noArticle(first) : .noArticles(missing)
    }

    /// Marks all articles of a list.
    ///
    /// - Throws: `AuthError.outOfScope`, `SourceError.noSource`, and the errors of the repositories.
    func mark(_ query: ArticleQuery, _ change: MarkChange) async throws -> Outcome {
        if let name = query.source { _ = try await articles.existingSource(named: name) }
        return try await mark(.query(query.read(by: reader)), change)
    }

    /// Marks a shown article as read. If it is already read, nothing is written.
    func noteRead(_ reference: ArticleReference) async throws {
        guard session.mayBeUsed(for: .write), let article = try await articles.article(reference),
            try await marks.marks(of: [article.id], by: reader)[article.id]?.read.value != true
        else { return }
        try await marks.change(.read(true), of: .ids([article.id]), by: reader, at: clock())
    }

    /// Saves the reading position in an article, in thousandths; nil for the beginning. If the article was deleted,
    /// nothing is saved.
    ///
    /// - Throws: the errors of the repositories.
    func keep(_ place: Int?, in reference: ArticleReference) async throws {
        guard let article = try await articles.article(reference),
            try await marks.marks(of: [article.id], by: reader)[article.id]?.place.value != place
        else { return }
        try await marks.change(.place(place), of: .ids([article.id]), by: reader, at: clock())
    }

    private func mark(_ numbers: ArticleSelection, _ change: MarkChange) async throws -> Outcome {
        guard session.mayBeUsed(for: .write) else { throw AuthError.outOfScope }
        let count = try await marks.change(change, of: numbers, by: reader, at: clock())
        return Outcome(change: change, count: count)
    }
}

extension ArticleQuery {
    /// Returns the query with its conditions on marks applied to the marks of this user.
    func read(by reader: Int64?) -> ArticleQuery {
        var query = self
        query.marks.reader = reader
        return query
    }
}

extension ArticleMarking.Outcome {
    /// The message about the change.
    var notice: Notice { Notice(words, count: count) }

    private var words: String {
        let articles = count == 1 ? "1 article" : "\(count) articles"
        if count == 0 { return "Nothing changed." }
        return switch change {
        case .read(true): "Marked \(articles) as read."
        case .read(false): "Marked \(articles) as unread."
        case .starred(true): "Starred \(articles)."
        case .starred(false): "Took the star from \(articles)."
        case .later(true): "Put \(articles) aside for later."
        case .later(false): "Took \(articles) off what was put aside."
        case .tag(let tag, true): "Tagged \(articles) “\(tag.name)”."
        case .tag(let tag, false): "Took the tag “\(tag.name)” from \(articles)."
        case .note(nil): "Removed the note from \(articles)."
        case .note: "Noted on \(articles)."
        case .place: "Kept the place in \(articles)."
        }
    }
}

extension ArticleMarks {
    /// The marks that a list shows.
    var listed: List.Marks {
        var marks: List.Marks = read.value ? [] : .unread
        if starred.value { marks.insert(.starred) }
        if later.value { marks.insert(.later) }
        if note.value != nil { marks.insert(.noted) }
        return marks
    }

    /// The changes of the actions on an article, by the IDs of the actions.
    static let changes: [String: MarkChange] = [
        "read": .read(true), "unread": .read(false), "star": .starred(true), "unstar": .starred(false),
        "later": .later(true), "not-later": .later(false),
    ]

    /// The actions on an article with these marks.
    func actions(on reference: ArticleReference, keepsUnread: Bool = false) -> [Action] {
        let isRead = read.value || keepsUnread
        return [
            isRead
                ? Action(
                    keepsUnread ? "Keep unread" : "Mark as unread", .marked(.read(false), [reference]), for: .unread)
                : Action("Mark as read", .marked(.read(true), [reference]), for: .read),
            starred.value
                ? Action("Unstar", .marked(.starred(false), [reference]), for: .star, id: "unstar")
                : Action("Star", .marked(.starred(true), [reference]), for: .star),
            later.value
                ? Action("Not later", .marked(.later(false), [reference]), for: .later, id: "not-later")
                : Action("Later", .marked(.later(true), [reference]), for: .later),
        ]
    }
}
