internal import ArticleStore
internal import AuthService

/// Changes the library for who may, and tells the log of it before.
struct ArticleEditing: Sendable {
    /// An article that was saved, and what there is to say of that.
    struct Saved: Sendable {
        let article: ArticleReference
        let notice: Notice
    }

    let articles: any ArticleRepository
    let auth: AuthService
    /// Who is signed in; nil while nobody is, to whom no screen of this is shown.
    let authority: Authority?

    /// The article as it is.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repository throws.
    func article(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
        return article
    }

    /// Puts an article in.
    ///
    /// - Parameter text: the article as Markdown, with front matter.
    /// - Throws: `FormError.holdsControls`, `WrittenArticle.Fault`, and what the services throw.
    func write(_ text: String) async throws -> Saved {
        try text.checkControls()
        let draft = try WrittenArticle(text).draft()
        try await record("add: \(draft.title)")
        let article = try await articles.add(draft)
        return Saved(
            article: ArticleReference(to: ArticleSummary(article)), notice: Notice("Added “\(article.title)”."))
    }

    /// Changes an article.
    ///
    /// - Parameters:
    ///   - reference: the article.
    ///   - version: the state that somebody has seen and changed.
    ///   - text: what it is to be, as Markdown with front matter.
    /// - Throws: `EditError.hasChanged` where it is not what they have seen, `FormError.holdsControls` for characters that a
    ///   form would lose, `WrittenArticle.Fault`, `ScreenError.noArticle`, and what the services throw.
    func change(_ reference: ArticleReference, from version: String?, into text: String) async throws -> Saved {
        let article = try await article(reference)
        let before = ArticleMarkdown.text(of: article)
        if text.utf8.elementsEqual(before.asShownInForm.utf8) {
            return Saved(article: reference, notice: .nothingChanged)
        }
        guard version == article.version else { throw EditError.hasChanged(article) }
        for text in [before, text] { try text.checkControls() }
        let draft = try WrittenArticle(text).draft(editing: article, keepsLineBreaks: true)
        try await record("edit: \(article.id)")
        let edited = try await articles.edit(article, into: draft)
        return Saved(
            article: reference,
            notice: edited.map { Notice("Changed “\($0.title)”.") } ?? .nothingChanged)
    }

    /// Deletes an article for good.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the services throw.
    func delete(_ reference: ArticleReference) async throws -> Notice {
        let article = try await article(reference)
        try await record("delete: \(article.id)")
        try await articles.delete(article)
        return Notice("Deleted “\(article.title)”.")
    }

    private func record(_ detail: String) async throws {
        guard let authority else { throw AuthError.notSignedIn }
        try await auth.record(.libraryChanged, detail: detail, by: authority)
    }
}

extension Article {
    /// What tells a state of it from every other.
    var version: String { ArticleMarkdown.text(of: self).version }
}

extension String {
    /// - Throws: `FormError.holdsControls` where a form would lose a part of it.
    fileprivate func checkControls() throws {
        guard withLineFeeds.utf8.elementsEqual(asShownInForm.utf8) else { throw FormError.holdsControls }
    }

    /// The text with one line feed for each line break.
    private var withLineFeeds: String { replacing("\r\n", with: "\n") }

    /// The text as it comes back from a form in which nobody has changed it: line breaks are alike, and there is no control
    /// character (HTML, 4.10.11).
    fileprivate var asShownInForm: String {
        var shown = ""
        shown.unicodeScalars.append(
            contentsOf: withLineFeeds.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
        return shown
    }
}

extension Screen {
    /// The form that puts an article in.
    static let writing = Screen(
        title: "Write an article",
        content: .form(Form([.article(WrittenArticle.blank())], submitLabel: "Add")))

    /// The form that changes an article.
    ///
    /// - Parameters:
    ///   - article: the article.
    ///   - version: the state that is changed.
    static func editing(_ article: Article, version: String) -> Screen {
        Screen(
            title: "Edit “\(article.title)”",
            content: .form(
                Form([.article(ArticleMarkdown.text(of: article))], submitLabel: "Save", version: version)))
    }
}

extension Form.Field {
    fileprivate static func article(_ text: String) -> Form.Field {
        Form.Field(
            .text, "Article", kind: .lines, value: text,
            hint: "What is known of it stands between the two lines “---”, and its text below them.")
    }
}
