import Text

/// Articles as files: front matter in YAML, followed by the text in the format of the article. An import reads such a
/// file as exactly the same article.
public enum ArticleMarkdown {
    /// Returns the article as a file.
    ///
    /// The front matter omits `summary` and `readingMinutes` if they can be derived from the text, so that they change
    /// with it when the file is edited. An import identifies the article by `source`, `key`, and `sourceID`. Other data
    /// comes last, each item under its own key, or under `extra` if the key has a meaning here. The line that closes
    /// the front matter is followed by an empty line and the text.
    public static func text(of article: Article) -> String { text(of: article, marks: nil) }

    /// Returns the article as a file, with a user's marks as `marks`.
    static func text(of article: Article, marks: JSON?) -> String {
        var yaml = YAMLWriter()
        func member(_ key: LibraryKey, _ value: JSON?) {
            if let value { yaml.member(key.rawValue, value) }
        }
        func member(_ key: LibraryKey, _ text: String?) { member(key, text.map(JSON.string)) }
        func member(_ key: LibraryKey, _ texts: [String]) {
            if !texts.isEmpty { yaml.member(key.rawValue, JSON(texts)) }
        }

        let made = article.ofTextAlone
        member(.title, article.title)
        member(.slug, article.slug)
        member(.authors, article.authors)
        // Unquoted, as a timestamp of YAML. It contains only digits and signs.
        let published = RecordDate(article.published, offset: article.publishedOffset)
        yaml.member("published", raw: published.text)
        member(.publishedOffset, published.offset.map { JSON($0) })
        yaml.member("updated", raw: RFC3339.string(from: article.updated))
        member(.tags, article.tags)
        member(.summary, article.givenSummary(besides: made))
        member(.language, article.language)
        if article.readingMinutes != made.readingMinutes {
            yaml.member(LibraryKey.readingMinutes.rawValue, JSON(article.readingMinutes))
        }
        member(.url, article.sourceURL)
        member(.base, article.baseURL)
        member(.format, article.format.rawValue)
        member(.source, article.source.name)
        member(.key, article.key.text)
        yaml.member("sourceID", raw: "\"\(article.source.uid)\"")
        member(.marks, marks)
        switch article.writtenExtra {
        case .object(let members):
            for member in members where !LibraryKey.isTaken(member.key) { yaml.member(member.key, member.value) }
            let taken = members.filter { LibraryKey.isTaken($0.key) }
            if !taken.isEmpty { yaml.member(LibraryKey.extra.rawValue, .object(taken)) }
        case let text: member(.extra, text)
        }
        return "---\n\(yaml.text)---\n\n\(article.body)"
    }
}
