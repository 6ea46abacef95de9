import ArticleImporting
internal import ArticleStore
internal import Text

/// An article as the fields of a form show it.
///
/// A field that the user did not change keeps the exact value of the article, including characters that a form cannot
/// show.
struct ArticleFields {
    /// The fields of one line, in their order. The text comes after them.
    private static let names: [FieldName] = [.title, .tags, .authors, .date, .address, .language]

    /// The text of each field, as the form shows it.
    let values: [FieldName: String]

    private let format: Article.Format

    /// The fields of a new article.
    static let blank = ArticleFields()

    private init() { (values, format) = ([:], .markdown) }

    init(_ article: Article) {
        format = article.format
        values = [
            .title: article.title, .tags: NameField.text(of: article.tags),
            .authors: NameField.text(of: article.authors),
            .date: Self.text(of: article.published, offset: article.publishedOffset), .address: article.sourceURL ?? "",
            .language: article.language ?? "", .text: article.body,
        ]
    }

    /// The fields as a form has them.
    var form: [Form.Field] {
        func field(_ name: FieldName, _ label: String, kind: Form.Field.Kind = .text, _ hint: String? = nil)
            -> Form.Field
        {
            Form.Field(name, label, kind: kind, value: values[name] ?? "", hint: hint)
        }
        let text = values[.text] ?? ""
        return [
            field(.title, "Title"),
            field(.tags, "Tags", "Separated by commas."),
            field(.authors, "Authors", "Separated by commas."),
            field(.date, "Date", "The publication date, such as 2015-12-03 or 2015-12-03 18:30 +02:00."),
            field(.address, "Address", "The web address of the original."),
            field(.language, "Language", "A language tag, such as en or pt-BR."),
            Form.Field(.text, "Text", kind: .lines, value: text, hint: format.hint) { answers in
                // An article that never had a text may stay without one.
                guard !text.isEmpty, let answer = answers[.text] else { return .unfinished }
                return answer.trimmed.isEmpty ? .wrong("\(FormError.noText)") : .good
            },
        ]
    }

    /// Returns the article with the changed fields, except the text.
    ///
    /// - Throws: `FormError` or `TagError` if a field cannot be read.
    func changing(_ article: Article, to answers: Answers) throws -> Article {
        var changed = article
        for name in Self.names {
            guard let text = answers[name], !isUnchanged(name, text) else { continue }
            switch name {
            case .title: changed.title = try Self.title(text)
            case .tags: changed.tags = try TagName.checked(NameField.names(in: text), keeping: article.tags)
            case .authors: changed.authors = NameField.names(in: text)
            case .address: changed.sourceURL = try Self.address(text)
            case .language: changed.language = try Self.language(text)
            case .date:
                guard let date = try Self.date(text) else { throw FormError.notADate(text) }
                (changed.published, changed.publishedOffset) = (date.date, date.offset)
            default: break
            }
        }
        return changed
    }

    /// Returns a new article.
    ///
    /// The text may begin with front matter, as in a file. The fields replace what it says, except tags, which are
    /// added.
    ///
    /// - Throws: `FormError` or `TagError` if a field cannot be read, `WrittenArticle.Fault` if the front matter cannot.
    static func draft(of answers: Answers) throws -> ArticleDraft {
        func line(_ name: FieldName) -> String { String((answers[name] ?? "").trimmed) }
        let text = answers[.text] ?? ""
        guard !text.trimmed.isEmpty else { throw FormError.noText }
        let title = line(.title)
        let draft = try WrittenArticle(text).draft(titled: title.isEmpty ? nil : title)
        return draft.with(
            authors: NameField.names(in: line(.authors)), tags: try TagName.checked(NameField.names(in: line(.tags))),
            language: try language(line(.language)), url: try address(line(.address)), published: try date(line(.date)))
    }

    /// Whether the user did not change the text of a field. A field of one line does not show line breaks, so they do
    /// not count.
    func isUnchanged(_ name: FieldName, _ text: String) -> Bool {
        func shown(_ text: String) -> String {
            let text = text.asShownInForm
            return name == .text ? text : text.filter { $0 != "\n" }
        }
        return shown(text).utf8.elementsEqual(shown(values[name] ?? "").utf8)
    }

    private static func title(_ text: String) throws(FormError) -> String {
        let title = String(text.trimmed)
        guard title.isVisible else { throw .noTitle }
        return title
    }

    private static func date(_ text: String) throws(FormError) -> WrittenDate? {
        let text = String(text.trimmed)
        if text.isEmpty { return nil }
        do throws(DateError) { return try DateParser.written(from: text) } catch { throw .notADate(text) }
    }

    private static func address(_ text: String) throws(FormError) -> String? {
        let text = String(text.trimmed)
        guard text.isEmpty || ArticleDraft.isWebAddress(text) else { throw .notAnAddress(text) }
        return text.isEmpty ? nil : text
    }

    private static func language(_ text: String) throws(FormError) -> String? {
        let text = String(text.trimmed)
        guard text.isEmpty || LanguageTag.isTag(text) else { throw .notALanguage(text) }
        return text.isEmpty ? nil : text
    }

    /// The day alone if the time is midnight.
    private static func text(of date: Date, offset: Int) -> String {
        let text = RFC3339.string(from: date, offset: offset)
        return text.hasSuffix("T00:00:00Z") ? String(text.prefix(10)) : text
    }
}

extension Article.Format {
    fileprivate var hint: String {
        switch self {
        case .markdown: "In Markdown."
        case .html: "In HTML."
        case .plain: "Plain text."
        }
    }
}

/// Names in one line: separated by commas, or by semicolons if a name has a comma.
enum NameField {
    static func text(of names: [String]) -> String {
        guard names.contains(where: { $0.contains(",") }) else { return names.joined(separator: ", ") }
        return names.map { $0 + ";" }.joined(separator: " ")
    }

    static func names(in text: String) -> [String] {
        text.split(separator: text.contains(";") ? ";" : ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    }
}
