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

    /// Adds the article that a form describes.
    ///
    /// - Throws: `FormError`, `WrittenArticle.Fault`, and what the services throw.
    func write(_ answers: Answers) async throws -> Saved {
        try (answers[.text] ?? "").checkControls()
        let draft = try ArticleFields.draft(of: answers)
        try await record("add: \(draft.title)")
        let article = try await articles.add(draft)
        return Saved(
            article: ArticleReference(to: ArticleSummary(article)), notice: Notice("Added “\(article.title)”."))
    }

    /// Changes an article.
    ///
    /// - Parameters:
    ///   - reference: the article.
    ///   - answers: the fields of the form, and the version that the user saw.
    /// - Throws: `EditError.hasChanged` if the article is not that version any more, `FormError`, `ScreenError.noArticle`, and what
    ///   the services throw.
    func change(_ reference: ArticleReference, into answers: Answers) async throws -> Saved {
        let article = try await article(reference)
        let fields = ArticleFields(article)
        if FieldName.allCases.allSatisfy({ name in
            answers[name].map { name == .version || fields.isUnchanged(name, $0) } ?? true
        }) {
            return Saved(article: reference, notice: .nothingChanged)
        }
        guard answers[.version] == article.version else { throw EditError.hasChanged(article) }
        var body = article.body
        if let text = answers[.text], !fields.isUnchanged(.text, text) {
            for text in [body, text] { try text.checkControls() }
            body = text
        }
        // The old text stands for the new one until the rest is written: a summary that follows from it is then left out.
        let head = ArticleMarkdown.text(of: try fields.changing(article, to: answers)).utf8.dropLast(
            article.body.utf8.count)
        let draft = try WrittenArticle(String(Substring(head)) + body).draft(
            editing: article, keepsLineBreaks: !body.utf8.elementsEqual(article.body.utf8))
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
    var asShownInForm: String {
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
        content: .form(Form(ArticleFields.blank.form, submitLabel: "Add")))

    /// The form that changes an article.
    ///
    /// - Parameters:
    ///   - article: the article.
    ///   - version: the version that is changed.
    ///   - hasOtherChange: whether it was changed elsewhere after the user had begun.
    static func editing(_ article: Article, version: String, hasOtherChange: Bool) -> Screen {
        Screen(
            title: "Edit “\(article.title)”",
            content: .form(
                Form(
                    ArticleFields(article).form, submitLabel: "Save", version: version, hasOtherChange: hasOtherChange))
        )
    }
}
