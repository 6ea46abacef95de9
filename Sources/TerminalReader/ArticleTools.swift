package import ArticleStore

/// Functions that a session uses on articles and texts: saving, piping, and editing.
package struct ArticleTools {
    let fileName: (Article) -> String
    let save: (Article, _ path: String, _ replaces: Bool) throws -> Bool
    let pipe: (Article, _ command: String) throws -> Void
    let edit: (Article) async throws -> String
    let editText: (String) async throws -> String?

    /// - Parameters:
    ///   - fileName: returns the default file name for an article.
    ///   - save: writes an article to a file; returns false if the file exists and must not be replaced.
    ///   - pipe: runs a command with an article as its input, and waits until the user has read the output. The command
    ///     uses the terminal.
    ///   - edit: lets the user edit an article, and returns a message. The editor uses the terminal.
    ///   - editText: lets the user edit a text, and returns it, or `nil` if it is unchanged. The editor uses the
    ///     terminal.
    package init(
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
