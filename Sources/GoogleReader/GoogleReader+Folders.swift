import ArticleStore
import AuthService
import FlowCoordinators
import HTTPServer
import ReadingStore

/// Folders, which are the tags of the sources. Clients call them labels, as they do a reader's own tags: where one of each has the
/// same name, the folder is meant.
extension GoogleReader {
    /// The folders, in the order of their keys, each as the source has it that came first.
    func folders() async throws(Refusal) -> [SourceTag] { try await sources().tags }

    /// The folder of a name; nil where there is none.
    func folder(_ name: String) async throws(Refusal) -> SourceTag? {
        guard let tag = try? SourceTag(name) else { return nil }
        return try await folders().first { $0 == tag }
    }

    /// Returns the folder that a client names with `a`, `r`, or `dest`.
    static func folder(named id: String, of user: User) throws(Refusal) -> SourceTag {
        guard case .label(let name) = Stream(id, of: user) else { throw .badRequest("\(id) is no label") }
        do throws(SourceError) { return try SourceTag(name) } catch { throw .badRequest(error.description) }
    }

    /// Refuses a label that is a folder and a tag of the reader's own: a client that knew the tag before there was the folder would
    /// mark what it does not mean.
    func checkIsOne(_ stream: String, of user: User) async throws(Refusal) {
        guard case .label(let name) = Stream(stream, of: user), let folder = try await folder(name),
            try await ownTags(of: user).contains(where: { $0.key == folder.key })
        else { return }
        throw .badRequest(
            "\(folder.name) is a folder and a tag of yours: mark the articles one by one, or take the tag away")
    }

    /// Changes the library, for who may edit it.
    ///
    /// - Parameter detail: what is done, for who looks after the library.
    func changeLibrary(
        _ request: HTTPRequest, in session: Session, _ detail: String, _ change: () async throws -> Void
    ) async throws(Refusal) {
        guard session.user.role >= .editor else {
            throw Refusal(status: .forbidden, text: "only an editor can change feeds and their folders")
        }
        guard let token = Self.token(in: request) else { throw .badToken }
        try await Refusal.catching {
            try await services.auth.record(.libraryChanged, detail: detail, by: .token(token))
            try await change()
        }
    }
}

extension SourceTag {
    /// The ID of the folder for clients.
    var labelID: String { Stream.labelID(name) }
}
