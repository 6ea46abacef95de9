import ArticleStore

/// The kinds of labels of an article, as in the table `label`.
enum Label: String {
    case author, tag
}
