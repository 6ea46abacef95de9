import FlowCoordinators
import ArticleStore
import AuthService
import Database
import HTTPServer
import ReadingStore

/// What a reader does to articles.
extension GoogleReader {
    /// Adds tags `a` to items `i`, and takes tags `r` away.
    func editTag(_ request: HTTPRequest, in session: Session) async throws(Refusal) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        var numbers: [Int64] = []
        for text in parameters.values(of: "i") {
            guard let id = ItemID(text) else { throw .badRequest("\(text) is no id of an item") }
            numbers.append(id.number)
        }
        guard !numbers.isEmpty else { throw .badRequest("say which items with i") }
        let changes = try Self.changes(parameters, of: session.user)
        let (items, user) = (RowNumbers(numbers), session.user.id)
        for change in changes {
            _ = try await Refusal.catching {
                try await services.marks.change(change, of: items, by: user, at: services.clock())
            }
        }
        return .done
    }

    /// Marks a stream as read, as a whole.
    func markAllAsRead(_ request: HTTPRequest, in session: Session) async throws(Refusal) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        guard let stream = parameters["s"] else { throw .badRequest("say which stream with s") }
        // Whoever names a time means less than everything, and when an article arrived is not known.
        guard parameters["ts"] ?? "" == "" else { throw .badRequest("ts is not known here; leave it out") }
        let query = try await query(stream, of: session.user).query
        let user = session.user.id
        _ = try await Refusal.catching {
            let articles = try await services.articles.numbers(of: query)
            return try await services.marks.change(.read(true), of: articles, by: user, at: services.clock())
        }
        return .done
    }

    /// What tags mean as marks. To keep unread is to take away that it was read; together with `a=…/read`, `r=…/kept-unread` says the
    /// same once more.
    private static func changes(_ parameters: Parameters, of user: User) throws(Refusal) -> [MarkChange] {
        var changes: [MarkChange] = []
        for (name, isSet) in [("a", true), ("r", false)] {
            for text in parameters.values(of: name) {
                switch Stream(text, of: user) {
                case .state(.read): changes.append(.read(isSet))
                case .state(.keptUnread): if isSet { changes.append(.read(false)) }
                case .state(.starred): changes.append(.starred(isSet))
                case .state(.trackingKeptUnread), .state(.fresh): break
                case .label(let label):
                    do throws(MarkError) {
                        changes.append(.tag(try OwnTag(label), isSet))
                    } catch {
                        throw .badRequest(error.description)
                    }
                case .feed, .state(.readingList), nil: throw .badRequest("\(text) is no tag that can be changed")
                }
            }
        }
        let distinct = Set(changes)
        guard !distinct.contains(.read(true)) || !distinct.contains(.read(false)),
            !distinct.contains(.starred(true)) || !distinct.contains(.starred(false))
        else { throw .badRequest("a tag cannot be added and taken away at once") }
        guard parameters["a"] != nil || parameters["r"] != nil else { throw .badRequest("say which tags with a or r") }
        return changes.filter { [.read(true), .read(false)].contains($0) ? false : true }
            + (distinct.contains(.read(true)) ? [.read(true)] : distinct.contains(.read(false)) ? [.read(false)] : [])
    }
}
