internal import ArticleStore
internal import Markup
internal import Text

/// The screen that shows an article.
struct ArticleScreen: Sendable {
    let article: Article
    /// The marks of the signed-in user; nil if marks are not stored.
    let marks: ArticleMarks?
    /// Whether the signed-in user may edit the article.
    var canBeEdited = false
    /// Whether the signed-in user may fetch the page of the article.
    var canBeFetched = false

    var screen: Screen {
        Screen(
            title: article.title,
            content: .document(
                Document(
                    facts: facts, body: text.body, format: text.format, base: article.address,
                    address: article.webAddress, article: article.id, language: article.language)),
            actions: actions, model: .article(article, marks))
    }

    /// The text of the article, and the titles and texts in other sources that differ.
    private var text: (body: String, format: Article.Format) {
        let others = article.appearances.filter { $0.text != nil || !$0.title.isIdentical(to: article.title) }
        guard !others.isEmpty else { return (article.body, article.format) }
        let texts = others.map { appearance in
            let text = appearance.text.map { $0.format.document(of: $0.body) }
            let link = appearance.address.flatMap(WebAddress.valid)
            let title = XMLText.escapedForHTML(appearance.title)
            return "<h2>Also in \(XMLText.escapedForHTML(appearance.source.name))</h2>\n"
                + "<p>\(link.map { "<a href=\"\(XMLText.escapedForHTML($0))\">\(title)</a>" } ?? title)</p>\n"
                + (text.map { document in link.map { document.resolved(against: $0) } ?? document }?.html() ?? "")
        }
        return (article.resolvedDocument.html() + texts.joined(), .html)
    }

    private var actions: [Action] {
        let reference = ArticleReference(to: ArticleSummary(article))
        var actions: [Action] = []
        if article.webAddress != nil {
            actions.append(Action("Original", .originalChosen, for: .original))
            if canBeFetched { actions.append(Action("Full text", .pageChosen, for: .page)) }
        }
        if let marks {
            actions.append(Action("Next unread", .nextUnreadChosen, for: .nextUnread))
            actions += marks.actions(on: reference)
            actions.append(Action("My tags", .open(.ownTags(reference)), for: .ownTags))
            actions.append(Action("Note", .open(.note(reference)), for: .note))
        }
        actions.append(Action("Next article", .nextArticleChosen, for: .next))
        actions.append(Action("Previous article", .previousArticleChosen, for: .previous))
        actions.append(Action.library(of: reference))
        if canBeEdited {
            actions.append(Action("Edit", .open(.editing(reference)), for: .editing))
            actions.append(
                Action(
                    "Delete", .articleDeletionChosen, for: .deletion,
                    confirmation:
                        "Delete “\(article.title)” permanently? Another import of its source will not restore it."))
        }
        actions.append(Action.logOut)
        return actions
    }

    /// The facts about the article, without the empty ones.
    private var facts: [Document.Fact] {
        let facts = [
            Document.Fact("Author", article.authors.map { .init($0, list: ArticleQuery(author: $0)) }).brief,
            Document.Fact("Published", [.day(article.published, offset: article.publishedOffset)]).brief,
            Document.Fact("Updated", article.updated == article.published ? [] : [.day(article.updated)]),
            Document.Fact("Tags", article.tags.map { .init($0, list: ArticleQuery(tag: $0)) }),
            Document.Fact("Reading time", "\(article.readingMinutes) min").brief,
            Document.Fact("Source", [.init(article.source.name, list: ArticleQuery(source: article.source.name))])
                .brief,
            Document.Fact(
                "Also in",
                article.appearances.map { .init($0.source.name, list: ArticleQuery(source: $0.source.name)) }),
            Document.Fact("Original", [.init(article.sourceURL ?? "", address: article.webAddress)]),
            Document.Fact("Attachments", article.attachments.map { .init($0.title, address: $0.address) }),
            Document.Fact("Marked", markWords),
            Document.Fact(
                "My tags",
                (marks?.tags ?? []).map {
                    .init($0.value.name, list: ArticleQuery(marks: MarkCondition(tag: $0.value.name)))
                }),
            Document.Fact("Note", marks?.note.value ?? ""),
        ]
        return facts.filter { !$0.value.isEmpty }
    }

    private var markWords: String {
        [(marks?.starred.value, "starred"), (marks?.later.value, "for later")].filter { $0.0 == true }.map(\.1)
            .joined(separator: ", ")
    }
}

extension Document.Fact {
    /// The fact, for the line below the title.
    fileprivate var brief: Self {
        var fact = self
        fact.isBrief = true
        return fact
    }
}
