/// What an export is of, and what it says of itself.
struct Export {
    let options: ExportOptions
    let query: ArticleQuery
    /// The sources that its articles are of, in the order of their numbers.
    let sources: [Source]
}
