import ArticleExporting
import Arguments
import ArticleStore
import Platform
import Terminal
import TerminalReader

extension Context {
    /// Returns the tools of the reader for an article.
    func articleTools() -> ArticleTools {
        ArticleTools(
            fileName: { $0.fileName },
            save: { article, path, replaces in
                let home = path.hasPrefix("~/") ? environment("HOME") : nil
                do {
                    let file = try NewFile(at: home.map { $0 + path.dropFirst() } ?? path, replaces: replaces)
                    var text = ArticleMarkdown.text(of: article)
                    try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
                    try file.finish()
                    return true
                } catch ExportError.exists {
                    return false
                }
            },
            pipe: { article, command in
                let status = PipedCommand(command, inheriting: variables).run(with: ArticleMarkdown.text(of: article))
                guard let status else { throw CommandError("cannot start “\(command)”", code: .unavailable) }
                // Keep the output of the command visible until the user presses Enter.
                try? self.error.write(
                    "\n" + (status == 0 ? "" : "It exited with status \(status). ") + "Press Enter to go back. ")
                try? self.error.flush()
                waitForLine()
            },
            edit: { article in
                let edited = try await EditCommand.edit(
                    article, by: EditorSession(in: self), in: try await articles(), self)
                return edited.map { "Changed “\($0.title)”." } ?? "“\(article.title)” is unchanged."
            },
            editText: { text in
                switch try await EditorSession(in: self).edit(text, name: "text.md", use: { $0 }) {
                case .unchanged: return nil
                case .emptied: return ""
                // Editors end the last line even if the original did not.
                case .used(let edited):
                    return edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited
                }
            })
    }

    /// Reads the terminal up to the end of a line.
    private func waitForLine() {
        var byte: UInt8 = 0
        while Platform.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
    }
}
