import Text

/// Writes articles one after the other in one format.
protocol ExportWriter {
    /// Whether the format contains articles at all.
    var takesArticles: Bool { get }
    /// Whether the writer must see all articles before it writes the first one.
    var surveysArticles: Bool { get }
    /// Collects data about an article that will be written.
    mutating func survey(_ article: Article)
    /// Writes the part before the first article.
    mutating func begin() async throws
    /// Writes an article.
    ///
    /// - Parameter marks: a user's marks on it, for the formats that an import reads.
    mutating func add(_ article: Article, marks: JSON?) async throws
    /// Writes the part after the last article.
    ///
    /// - Parameter check: to be called from time to time; throws if the export must stop.
    mutating func end(_ check: () throws -> Void) async throws
}

extension ExportWriter {
    var takesArticles: Bool { true }
    var surveysArticles: Bool { false }
    func survey(_ article: Article) {}
}
