import Text

/// Writes articles in one format, one after another.
protocol ExportWriter {
    /// Whether it writes articles at all.
    var takesArticles: Bool { get }
    /// Whether it has to see every article before it writes the first.
    var surveysArticles: Bool { get }
    /// Takes note of an article that is to be written.
    mutating func survey(_ article: Article)
    /// Writes what stands before the first article.
    mutating func begin() async throws
    /// Writes an article.
    /// - Parameter marks: what is written with it of a reader's, in the formats that an import reads.
    mutating func add(_ article: Article, marks: JSON?) async throws
    /// Writes what stands behind the last article.
    /// - Parameter check: to be called now and then; throws where the export is to stop.
    mutating func end(_ check: () throws -> Void) async throws
}

extension ExportWriter {
    var takesArticles: Bool { true }
    var surveysArticles: Bool { false }
    func survey(_ article: Article) {}
}
