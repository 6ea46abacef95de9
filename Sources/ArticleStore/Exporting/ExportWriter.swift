/// Writes articles in one format, one after another.
protocol ExportWriter {
    /// Whether it writes articles at all.
    var takesArticles: Bool { get }
    /// Writes what stands before the first article.
    mutating func begin() async throws
    /// Writes an article.
    mutating func add(_ article: Article) async throws
    /// Writes what stands behind the last article.
    mutating func end() async throws
}

extension ExportWriter {
    var takesArticles: Bool { true }
}
