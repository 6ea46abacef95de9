internal import ArticleStore

/// One article.
struct ArticleScreen: Sendable {
    let article: Article

    var screen: Screen {
        Screen(
            title: article.title,
            content: .document(
                Document(
                    facts: facts, body: article.body, format: article.format, base: article.address,
                    address: article.webAddress)),
            actions: (article.webAddress == nil ? [] : [Action("Original", .originalChosen, for: .original)]) + [
                Action("Next article", .nextArticleChosen, for: .next),
                Action("Previous article", .previousArticleChosen, for: .previous),
                Action.logOut,
            ],
            model: .article(article))
    }

    /// What there is to know; what is empty is left out.
    private var facts: [Document.Fact] {
        let facts: [(String, String)] = [
            ("Author", article.author),
            ("Published", article.publishedDay),
            ("Updated", article.updated == article.published ? "" : article.updated.day),
            ("Tags", article.tags.joined(separator: ", ")),
            ("Reading time", "\(article.readingMinutes) min"),
            ("Source", article.source.name),
            ("Original", article.sourceURL ?? ""),
        ]
        return facts.filter { !$0.1.isEmpty }.map { Document.Fact($0.0, $0.1) }
    }
}
