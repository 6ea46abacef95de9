internal import ArticleStore
package import Text

extension Article {
    /// The publication day in the time zone of the author, such as `2015-12-03`.
    var publishedDay: String { RFC3339.day(of: published, offset: publishedOffset) }
}

extension Date {
    /// The day in UTC, such as `2015-12-03`.
    var day: String { String(RFC3339.string(from: self).prefix(10)) }

    /// The minute in UTC, such as `2015-12-03 09:05Z`.
    package var minute: String { day + " " + RFC3339.string(from: self).dropFirst(11).prefix(5) + "Z" }
}
