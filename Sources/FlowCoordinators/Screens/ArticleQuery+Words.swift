internal import ArticleStore

extension ArticleQuery {
    /// What the list holds and in which order, such as `matching “list”, by Ada, oldest first`; empty for the whole
    /// library, newest first.
    var words: String {
        let parts = [
            text.map { "matching “\($0)”" }, author.map { "by \($0)" }, tag.map { "tagged \($0)" },
            language.map { "in \($0)" }, since.map { "since \($0.day)" }, until.map { "until \($0.day)" },
            sort == .newest ? nil : sort.label.lowercased(),
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
