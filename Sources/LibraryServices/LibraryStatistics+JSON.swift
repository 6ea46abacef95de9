package import ArticleStore
package import Text

extension LibraryStatistics {
    /// The statistics, as `stats` writes them.
    package var json: JSON {
        [
            "articles": JSON(size.articles), "unread": JSON(unread), "words": JSON(size.words),
            "readingMinutes": JSON(size.readingMinutes),
            "months": .array(size.months.map { ["month": .string($0.name), "articles": JSON($0.articles)] }),
            "authors": .array(authors.map { ["name": .string($0.name), "articles": JSON($0.articles)] }),
            "weeks": .array(weeks.map { ["monday": .string($0.monday), "read": JSON($0.read)] }),
        ]
    }
}
