import ArticleExporting
import ArticleImporting
internal import ArticleStore
internal import AuthService
internal import LibraryServices
internal import Text

/// Adds, changes, and deletes articles with the forms of a user who may do so.
struct ArticleEditing: Sendable {
    /// A saved article and the message about it.
    struct Saved: Sendable {
        let article: ArticleReference
        let notice: Notice
    }

    let articles: any ArticleRepository
    let account: Account

    /// Returns an article.
    ///
    /// - Throws: `ArticleError.noArticle`, and the errors of the repository.
    func article(_ reference: ArticleReference) async throws -> Article {
        try await articles.existingArticle(reference)
    }

    /// Adds the article that a form describes.
    ///
    /// - Throws: `FormError`, `WrittenArticle.Fault`, and the errors of the services.
    func write(_ answers: Answers) async throws -> Saved {
        try (answers[.text] ?? "").checkControls()
        let draft = try ArticleFields.draft(of: answers)
        let article = try await editing.add(draft)
        return Saved(
            article: ArticleReference(to: ArticleSummary(article)), notice: Notice("Added “\(article.title)”."))
    }

    /// Changes an article.
    ///
    /// - Parameters:
    ///   - reference: the article.
    ///   - answers: the fields of the form, and the version that the user saw.
    /// - Throws: `EditError.hasChanged` if the article no longer has that version; `FormError`,
    ///   `ArticleError.noArticle`, and the errors of the services.
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
            guard !text.trimmed.isEmpty || body.trimmed.isEmpty else { throw FormError.noText }
            for text in [body, text] { try text.checkControls() }
            body = text
        }
        // Write the front matter for the old text: it then omits a summary that was derived from that text, and the
        // summary is derived again from the new text.
        let head = ArticleMarkdown.text(of: try fields.changing(article, to: answers)).utf8.dropLast(
            article.body.utf8.count)
        let draft = try WrittenArticle(String(Substring(head)) + body).draft(
            editing: article, keepsLineBreaks: !body.utf8.elementsEqual(article.body.utf8))
        let edited = try await editing.edit(article, into: draft)
        return Saved(
            article: reference,
            notice: edited.map { Notice("Changed “\($0.title)”.") } ?? .nothingChanged)
    }

    /// Deletes an article for good.
    ///
    /// - Throws: `ArticleError.noArticle`, and the errors of the services.
    func delete(_ reference: ArticleReference) async throws -> Notice {
        let article = try await article(reference)
        try await editing.delete(article)
        return Notice("Deleted “\(article.title)”.")
    }

    private var editing: LibraryEditor {
        get throws { LibraryEditor(articles: articles, auth: account.auth, authority: try account.authority) }
    }
}

extension Article {
    /// A hash of the article's contents, by which a form notices changes from elsewhere.
    var version: String { ArticleMarkdown.text(of: self).version }
}

extension String {
    /// - Throws: `FormError.holdsControls` if a form would lose a part of the text.
    fileprivate func checkControls() throws {
        guard withLineFeeds.utf8.elementsEqual(asShownInForm.utf8) else { throw FormError.holdsControls }
    }

    /// The text with one line feed for each line break.
    private var withLineFeeds: String { replacing("\r\n", with: "\n") }

    /// The text as a browser sends it back unchanged: line breaks are normalized and control characters removed (HTML,
    /// 4.10.11).
    var asShownInForm: String {
        var shown = ""
        shown.unicodeScalars.append(
            contentsOf: withLineFeeds.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
        return shown
    }
}

extension Screen {
    /// The form that creates an article.
    static let writing = Screen(
        title: "Write an article",
        content: .form(Form(ArticleFields.blank.form, submitLabel: "Add")))

    /// The form that edits an article.
    ///
    /// - Parameters:
    ///   - article: the article.
    ///   - version: its version.
    ///   - hasEditConflict: whether the article was changed elsewhere after the user had begun.
    static func editing(_ article: Article, version: String, hasEditConflict: Bool) -> Screen {
        Screen(
            title: "Edit “\(article.title)”",
            content: .form(
                Form(
                    ArticleFields(article).form, submitLabel: "Save", version: version, hasEditConflict: hasEditConflict
                ))
        )
    }
}
