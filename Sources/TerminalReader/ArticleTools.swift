public import ArticleStore

/// The file system and the programs that a session uses on articles and texts: saving, piping, editing.
public struct ArticleTools {
    let fileName: (Article) -> String
    let save: (Article, _ path: String, _ replaces: Bool) throws -> Bool
    let pipe: (Article, _ command: String) throws -> Void
    let edit: (Article) async throws -> String
    let editText: (String) async throws -> String?

    /// - Parameters:
    ///   - fileName: The default file name for an article.
    ///   - save: Writes an article to a file; false where there is one already and it is not to be replaced.
    ///   - pipe: Has a command read an article, and shows what it says until a person has seen that. The terminal is the command's.
    ///   - edit: Has a person change an article, and returns what there is to say. The terminal is the editor's.
    ///   - editText: Has the user change a text, and returns it, or `nil` if it is unchanged. The terminal is the editor's.
    public init(
        fileName: @escaping (Article) -> String,
        save: @escaping (Article, _ path: String, _ replaces: Bool) throws -> Bool,
        pipe: @escaping (Article, _ command: String) throws -> Void,
        edit: @escaping (Article) async throws -> String,
        editText: @escaping (String) async throws -> String?
    ) {
        self.fileName = fileName
        self.save = save
        self.pipe = pipe
        self.edit = edit
        self.editText = editText
    }
}
