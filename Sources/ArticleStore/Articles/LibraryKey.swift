/// The names of an article's properties in JSON and in front matter.
package enum LibraryKey: String, CaseIterable {
    case id, slug, title, author, authors, published, publishedOffset, updated, tags, summary, language, readingMinutes
    case source, sourceID, key, format, url, base, body, extra, sources, marks, pictures

    /// Whether a key is one of these names, without regard to case.
    package static func isTaken(_ key: String) -> Bool { folded.contains(key.lowercased()) }

    private static let folded = Set(allCases.map { $0.rawValue.lowercased() })
}
