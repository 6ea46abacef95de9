import ArticleStore
import AuthService
import LibraryServices
import HTTPServer

/// Folders, which are the tags of the sources. Clients call both folders and a user's own tags labels. If a folder and
/// a tag have the same name, the label means the folder.
extension GoogleReader {
    /// Returns the folders, ordered by their keys. The spelling of a folder is that of the first source with it.
    func folders() async throws(ReaderError) -> [TagName] { try await sources().tags }

    /// Returns the folder with a name; nil if it does not exist.
    func folder(_ name: String) async throws(ReaderError) -> TagName? {
        guard let tag = try? TagName(name) else { return nil }
        return try await folders().first { $0 == tag }
    }

    /// Returns the folder that a client names with `a`, `r`, or `dest`.
    static func folder(named id: String, of user: User) throws(ReaderError) -> TagName {
        guard case .label(let name) = Stream(id, of: user) else { throw .badRequest("\(id) is not a label") }
        do throws(TagError) { return try TagName(name) } catch { throw .badRequest(error.description) }
    }

    /// Refuses a label that is both a folder and a tag of the user. A client that knew the tag before the folder
    /// existed would otherwise mark the wrong articles.
    func checkIsOne(_ stream: String, of user: User) async throws(ReaderError) {
        guard case .label(let name) = Stream(stream, of: user), let folder = try await folder(name),
            try await ownTags(of: user).contains(where: { $0.key == folder.key })
        else { return }
        throw .badRequest(
            "\(folder.name) is both a folder and one of your tags: mark the articles one by one, or remove the tag")
    }

    /// Returns the changes of the library by the caller. Only editors may make them.
    func editing(_ request: HTTPRequest, in session: Session) throws(ReaderError) -> LibraryEditor {
        services.editor(for: try editorAuthority(request, in: session))
    }

    /// Returns the authority of the caller, who must be an editor.
    func editorAuthority(_ request: HTTPRequest, in session: Session) throws(ReaderError) -> Authority {
        guard session.user.role >= .editor else {
            throw ReaderError(status: .forbidden, text: "only an editor can change feeds and their folders")
        }
        guard let token = Self.token(in: request) else { throw .badToken }
        return .token(token)
    }
}

extension TagName {
    /// The ID of the folder for clients.
    var labelID: String { Stream.labelID(name) }
}
