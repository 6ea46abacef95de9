import ArticleStore
import Text

/// JSON Lines: the first line lists the sources of the articles, and each other line is an article.
struct JSONLinesExport: ExportWriter {
    let export: Export
    let sink: ByteSink

    func begin() throws { try sink.write(SourcesFile.text(export.sources) + "\n") }

    func add(_ exported: ExportedArticle) throws {
        try sink.write(utf8: ArticleJSON.utf8(exported.article, marks: exported.marks))
        try sink.write("\n")
    }

    func end(_ check: () throws -> Void) {}
}
