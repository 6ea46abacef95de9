import ArticleStore
import AuthService
import LibraryServices
import HTTPServer

/// Operations on labels: a user's own tags and saved searches, and the folders that all users share.
extension GoogleReader {
    /// `rename-tag`: replaces one label with another on everything that has it.
    func renameTag(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        try parameters.refuse(otherThan: ["s", "t", "dest"])
        guard let text = parameters["dest"], case .label(let name) = Stream(text, of: session.user) else {
            throw .badRequest("the parameter dest (the new label) is missing")
        }
        let oldName = try Self.labelName(parameters, of: session.user)
        if let folder = try await folder(oldName) {
            let new = try Self.folder(named: text, of: session.user)
            let editing = try editing(request, in: session)
            try await ReaderError.catching { try await editing.replaceSourceTag(folder, with: new) }
            return .done
        }
        let new = try ReaderError.tag(name)
        if let search = try await savedSearch(oldName, of: session.user) {
            _ = try await ReaderError.catching {
                try await services.marker(for: session).renameSavedSearch(search.name.name, to: new)
            }
            return .done
        }
        let old = try await label(oldName, of: session.user)
        guard old != new else { throw .badRequest("labels that differ only in case are the same label") }
        // Remove the old tags first, to make room for the new ones.
        try await change([.tag(old, false), .tag(new, true)], of: articles(of: old, user: session.user), in: session)
        return .done
    }

    /// `disable-tag`: removes a label from everything that has it.
    func disableTag(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        try parameters.refuse(otherThan: ["s", "t"])
        let name = try Self.labelName(parameters, of: session.user)
        if let folder = try await folder(name) {
            let editing = try editing(request, in: session)
            try await ReaderError.catching { try await editing.replaceSourceTag(folder, with: nil) }
            return .done
        }
        if let search = try await savedSearch(name, of: session.user) {
            _ = try await ReaderError.catching {
                try await services.marker(for: session).removeSavedSearch(search.name.name)
            }
            return .done
        }
        let label = try await label(name, of: session.user)
        try await change([.tag(label, false)], of: articles(of: label, user: session.user), in: session)
        return .done
    }

    /// Makes several changes of marks in order. If one fails, none takes effect.
    func change(_ changes: [MarkChange], of articles: ArticleSelection, in session: Session) async throws(ReaderError) {
        _ = try await ReaderError.catching {
            try await services.marker(for: session).change(changes, of: articles)
        }
    }

    /// Returns the saved search that a label means; nil if there is none with this name, or the label is also a folder or
    /// one of the user's own tags.
    func savedSearch(_ name: String, of user: User) async throws(ReaderError) -> SavedSearch? {
        guard let tag = try? TagName(name) else { return nil }
        let searches = try await ReaderError.catching { try await services.marks.savedSearches(of: user.id) }
        guard let search = searches.first(where: { $0.name == tag }), try await folder(name) == nil,
            try await !ownTags(of: user).contains(tag)
        else { return nil }
        return search
    }

    private func articles(of label: TagName, user: User) -> ArticleSelection {
        .query(ArticleQuery(marks: MarkCondition(userID: user.id, tag: label.name)))
    }

    /// Returns the name of the label in `s`, or in `t` for clients that send only `t`.
    private static func labelName(_ parameters: Parameters, of user: User) throws(ReaderError) -> String {
        if let text = parameters["s"] {
            guard case .label(let label) = Stream(text, of: user) else { throw .badRequest("\(text) is not a label") }
            return label
        }
        guard let name = parameters["t"] else { throw .badRequest("the parameter s (the label) is missing") }
        return name
    }

    private func label(_ name: String, of user: User) async throws(ReaderError) -> TagName {
        let label = try ReaderError.tag(name)
        guard try await ownTags(of: user).contains(label) else { throw .badRequest("there is no label \(name)") }
        return label
    }
}

extension ReaderError {
    /// Returns the tag with a name.
    static func tag(_ name: String) throws(ReaderError) -> TagName {
        do throws(TagError) { return try TagName(name) } catch { throw .badRequest(error.description) }
    }
}
