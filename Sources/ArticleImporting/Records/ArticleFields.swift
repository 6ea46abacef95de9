import ArticleStore
import Markup
import Text

/// Makes an article from the keys and values of a record, whatever its notation.
///
/// ``ArticleField`` lists the known keys. Fields with usable values become properties; all other members, known or not,
/// are kept in `Article.extra`.
struct ArticleFields {
    /// The result of reading a record.
    enum Outcome {
        case draft(ArticleDraft, claim: ExportedSource?)
        /// The sources that a library export lists.
        case sources([ExportedSource])
        /// An article that its source calls a draft, with the keys that it may have. The keys are empty if they are not
        /// needed.
        case skippedDraft(keys: [ExactText])
        /// A file that is not an article, with the reason.
        case notAnArticle(String)
    }

    /// The unused members with their normalized names. The last member of the source comes first.
    private var members: [(name: String, member: JSON.Member)]
    /// The fields that these names stand for.
    private var uses: [(name: String, use: ArticleField.Use)]
    private let place: RecordLocation
    private let options: ImportOptions
    /// Whether the record comes from the WordPress API, where authors, tags, and categories are database IDs.
    private let isOfWordPress: Bool

    private init(_ members: [JSON.Member], _ place: RecordLocation, _ options: ImportOptions) {
        // If a key occurs twice, the last one counts.
        let members = members.reversed().map { (name: ArticleField.form(of: $0.key), member: $0) }
        self.members = members
        uses = members.flatMap { Self.uses(of: $0.name) }
        self.place = place
        self.options = options
        isOfWordPress = members.contains {
            ["title", "content"].contains($0.name) && Self.rendered($0.member.value) != nil
        }
    }

    /// Makes an article from a file with front matter and a body.
    static func outcome(
        of file: FrontMatter, format: Article.Format, in place: RecordLocation, options: ImportOptions
    ) throws(RecordError) -> Outcome {
        if let record = LibraryRecord(file.members) { return try record.outcome(body: file.body, format: format) }
        let isBlank = file.body.trimmed.isEmpty
        if isBlank, file.members.isEmpty { throw RecordError("the file is blank") }
        if place.name.isIndex, place.isFound, isBlank || Self.listsPages(file.body) {
            return .notAnArticle("an index page that lists others")
        }
        var fields = ArticleFields(file.members, place, options)
        if fields.isDraft(), !options.includesDrafts {
            return .skippedDraft(
                keys: fields.keys { fields throws(RecordError) in try fields.article(of: file, format) })
        }
        return try fields.article(of: file, format)
    }

    private mutating func article(
        of file: FrontMatter, _ format: Article.Format
    ) throws(RecordError) -> Outcome {
        var title = try title()
        var body = file.body
        if title == nil {
            switch format {
            case .markdown:
                if let heading = MarkupTitle.first(inMarkdown: body) { (title, body) = (heading.title, heading.body) }
            case .html: title = MarkupTitle.first(inHTML: body)
            case .plain: break
            }
        }
        return try article(title: title ?? place.name.title, body: body, format: format)
    }

    /// Makes an article from a JSON object or an entry of a feed.
    static func outcome(
        of object: [JSON.Member], in place: RecordLocation, options: ImportOptions
    ) throws(RecordError) -> Outcome {
        if let sources = ExportedSource.list(in: object) { return .sources(sources) }
        if let record = LibraryRecord(object) { return try record.outcome() }
        var fields = ArticleFields(object, place, options)
        if fields.isDraft(), !options.includesDrafts {
            return .skippedDraft(keys: fields.keys { fields throws(RecordError) in try fields.articleOfObject() })
        }
        return try fields.articleOfObject()
    }

    private mutating func articleOfObject() throws(RecordError) -> Outcome {
        removeLibraryFields()
        guard var (body, format) = body() ?? link() else {
            if place.isFound { return .notAnArticle("JSON that is not an article") }
            let keys = "body, body_markdown, content, content_html, html, content_text or text"
            throw RecordError("no body: expected text in one of the keys \(keys)")
        }
        var title = try title()
        if let named = removeValue("format", { $0.text.flatMap(Article.Format.init) }) { format = named }
        if title == nil {
            if format == .markdown, let heading = MarkupTitle.first(inMarkdown: body) {
                (title, body) = (heading.title, heading.body)
            } else if format == .html, body.trimmed.prefix(2).lowercased() == "<h" {
                title = MarkupTitle.first(inHTML: body)
            }
        }
        return try article(title: title, body: body, format: format)
    }

    /// Returns the possible keys of a skipped draft. They are needed only if the import removes articles that have left
    /// their source.
    private func keys(_ make: (inout ArticleFields) throws(RecordError) -> Outcome) -> [ExactText] {
        guard options.mirror != nil else { return [] }
        var fields = self
        if case .draft(let draft, _)? = try? make(&fields) { return [draft.key, "\(draft.key)#\(draft.titleAndDay)"] }
        // The draft may not be a complete article yet, but it keeps the key.
        fields = self
        return [fields.key() ?? ""]
    }

    private mutating func article(
        title: String?, body: String, format: Article.Format
    ) throws(RecordError) -> Outcome {
        if let extra = removeValue("extra", \.members) { members += extra.map { ("", $0) } }
        flattenTaxonomies()
        let key = place.name.name == nil ? key() : nil
        let saysSlug = members.contains { $0.name == "slug" && $0.member.value.text != nil }
        var draft = try draft(title: title, body: body, format: format)
        draft.key =
            key ?? draft.sourceURL.map { ExactText($0) } ?? (saysSlug ? ExactText(draft.slug) : draft.titleAndDay)
        return .draft(draft, claim: nil)
    }

    /// Returns the key that the record itself states.
    private mutating func key() -> ExactText? {
        guard let key = removeValue("id", { $0.text.flatMap(Self.nonEmpty) }) else { return nil }
        return key.utf8.count <= Self.nameLimit ? ExactText(key) : nil
    }

    private mutating func draft(
        title: String?, body: String, format: Article.Format
    ) throws(RecordError) -> ArticleDraft {
        let authors = try names(.author)
        let tags = try names(.tag)
        let (path, address) = path()
        let (published, updated, fallback) = dates(path: path)
        let sourceURL = removeValue(.sourceURL, { $0.text.flatMap(WebAddress.valid) }) ?? address
        let slug =
            removeValue(.slug, { $0.text.flatMap(Self.slug) }) ?? path.flatMap(Self.lastComponent) ?? place.name.name
        var title = title ?? ""
        if title.isEmpty { title = try Self.title(ofText: body, format, address: sourceURL) }
        guard title.utf8.count <= Self.titleLimit else {
            throw RecordError("the title is longer than \(Self.titleLimit) bytes")
        }
        var draft = ArticleDraft(
            slug: slug, title: title, authors: authors.isEmpty ? options.author.map { [$0] } ?? [] : authors,
            summary: removeValue(.summary, Self.summary), body: body, format: format,
            language: removeValue(.language, { $0.text.flatMap(LanguageTag.valid) }) ?? place.name.language,
            sourceURL: sourceURL,
            baseURL: removeValue(.baseURL, { $0.text.flatMap(WebAddress.valid) }), published: published?.date,
            publishedOffset: published?.offset ?? 0, updated: updated, tags: tags, extra: extra())
        draft.dateFallback = fallback
        return draft
    }

    private static let titleLimit = 4096
    private static let nameLimit = 1000

    // MARK: - Removing values

    /// Removes and returns the value of a name if it can be used. Empty values are removed but not used.
    private mutating func removeValue<T>(_ name: String, _ use: (JSON) -> T?) -> T? {
        while let index = members.firstIndex(where: { $0.name == name }) {
            if Self.isEmpty(members[index].member.value) {
                members.remove(at: index)
                continue
            }
            guard let value = use(members[index].member.value) else { return nil }
            members.removeAll { $0.name == name }
            return value
        }
        return nil
    }

    /// Removes and returns the usable value of the first of a field's names that has one.
    private mutating func removeValue<T>(_ key: ArticleField, _ use: (JSON) -> T?) -> T? {
        for name in names(of: key) {
            if let value = removeValue(name, use) { return value }
        }
        return nil
    }

    /// The names of a field that are present, in order of precedence.
    private func names(of key: ArticleField) -> [String] {
        let found = uses.filter { $0.use.key == key }
        guard found.count > 1 else { return found.map(\.name) }
        var names: [String] = []
        for (name, _) in found.sorted(by: { $0.use.rank < $1.use.rank }) where names.last != name { names.append(name) }
        return names
    }

    private static func uses(of name: String) -> [(name: String, use: ArticleField.Use)] {
        (ArticleField.uses[name] ?? []).map { (name, $0) }
    }

    private static func isEmpty(_ value: JSON) -> Bool {
        value == .null || value == .string("") || value == .array([])
    }

    /// Returns the HTML that WordPress renders for a field.
    private static func rendered(_ value: JSON) -> String? {
        guard case .string(let html)? = value.members?.last(where: { $0.key == "rendered" })?.value else { return nil }
        return html
    }

    private func extra() -> String {
        if members.isEmpty { return "{}" }
        var writer = JSONWriter()
        writer.value(.object(members.reversed().map(\.member)), isCanonical: true)
        return writer.text
    }

    // MARK: - Texts

    private mutating func title() throws(RecordError) -> String? {
        guard let title = removeValue(.title, { $0.text ?? Self.rendered($0).map { FeedText($0, .html).line } }) else {
            if members.contains(where: { $0.name == "title" }) { throw RecordError("the title is not a text") }
            return nil
        }
        return Self.nonEmpty(title)
    }

    /// Returns a title for an article without one: the first words of its text.
    private static func title(
        ofText body: String, _ format: Article.Format, address: String?
    ) throws(RecordError) -> String {
        let title = FeedTitle.made(of: FeedText(body, format), addresses: [address].compactMap(\.self))
        guard nonEmpty(body) != nil, let title else { throw RecordError("neither a title nor a text") }
        return title
    }

    /// Returns the body of a JSON object and the format that its name implies: the first body with text, else the
    /// first.
    private mutating func body() -> (String, Article.Format)? {
        var first: (name: String, body: String, format: Article.Format)?
        for name in names(of: .body) {
            guard let value = members.first(where: { $0.name == name })?.member.value else { continue }
            let found: (String, Article.Format)
            if let html = Self.rendered(value) {
                found = (html, .html)
            } else if case .string(let text) = value {
                found = (text, Self.format(ofBody: name))
            } else {
                continue
            }
            if first == nil { first = (name, found.0, found.1) }
            guard Self.nonEmpty(found.0) != nil else { continue }
            first = (name, found.0, found.1)
            break
        }
        guard let first else { return nil }
        members.removeAll { $0.name == first.name }
        return (first.body, first.format)
    }

    /// Returns a link as the text of a record that has only a link. In a folder, the record must have a title too,
    /// because other JSON objects also contain addresses.
    private func link() -> (String, Article.Format)? {
        var fields = self
        guard let address = fields.removeValue(.sourceURL, { $0.text.flatMap(WebAddress.valid) }),
            !place.isFound || (try? fields.title()) != nil,
            let text = SavedLink(address: address).members?.last?.value.text
        else { return nil }
        return (text, .html)
    }

    private static func format(ofBody name: String) -> Article.Format {
        switch name {
        case "contenthtml", "html", "bodyhtml": .html
        case "contenttext", "text", "plaintext": .plain
        default: .markdown
        }
    }

    private static func summary(_ value: JSON) -> String? {
        (value.text ?? rendered(value).map { Excerpt.make(from: $0, .html) }).flatMap(nonEmpty)
    }

    /// Whether a template in the text lists other pages.
    private static func listsPages(_ body: String) -> Bool {
        body.contains("{% for ") || body.contains("{%- for ")
    }

    private static func nonEmpty(_ text: String) -> String? {
        text.contains { !$0.isWhitespace } ? text : nil
    }

    // MARK: - Drafts

    private mutating func isDraft() -> Bool {
        var isDraft = place.name.isDraft
        for name in names(of: .draft) {
            let says = removeValue(name) { value -> Bool? in
                switch name {
                case "draft": Self.bool(value)
                case "published", "publish": Self.bool(value).map(!)
                case "visibility": value.text.flatMap { Self.visibilities[$0.lowercased()] }
                default: value.text.flatMap { Self.states[$0.lowercased()] }
                }
            }
            isDraft = isDraft || says == true
        }
        return isDraft
    }

    /// Words for the state of an article, and whether they mean a draft. Most of them come from WordPress and Ghost.
    private static let states = [
        "draft": true, "auto-draft": true, "pending": true, "private": true, "trash": true, "future": true,
        "scheduled": true, "inherit": true, "unpublished": true,
        "publish": false, "published": false, "public": false, "sent": false,
    ]
    private static let visibilities = ["private": true, "public": false]

    private static func bool(_ value: JSON) -> Bool? {
        switch value.text?.lowercased() {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    // MARK: - Dates

    /// Returns the dates of publication and change. If no field has a readable publication date, it comes from the
    /// path, the file name, or the modification time of the file; otherwise the import decides.
    private mutating func dates(path: String?) -> (published: WrittenDate?, updated: Date?, fallback: DateFallback?) {
        var published: WrittenDate?
        var written: String?
        for name in names(of: .published) where published == nil {
            published = removeValue(name, Self.date)
            if published == nil, written == nil { written = self.written(name) }
        }
        if let moment = removeValue("dategmt", Self.date) { published = published?.moved(to: moment) ?? moment }
        let updated = removeValue(.updated, Self.date)
        _ = removeValue("modifiedgmt", Self.date)
        if let published { return (published, updated?.date, nil) }
        if let date = path.flatMap({ FileNameFacts(path: $0).date }) ?? place.name.date {
            return (date, updated?.date, written.map { DateFallback(written: $0, basis: .name, date: date.date) })
        }
        if let updated {
            return (
                updated, updated.date, written.map { DateFallback(written: $0, basis: .updated, date: updated.date) }
            )
        }
        let basis: AssumedDate.Basis = place.modified == nil ? .now : .file
        return (nil, nil, DateFallback(written: written, basis: basis, date: place.modified))
    }

    private static func date(_ value: JSON) -> WrittenDate? {
        // Docusaurus uses an object with the date and the author.
        if let members = value.members { return members.last { $0.key == "date" }.flatMap { date($0.value) } }
        guard let text = value.text else { return nil }
        if let date = try? DateParser.written(from: text) {
            // Programs write the first day that they can represent in place of a missing date: 0001-01-01, or November
            // 30 of the year -1 or 2.
            return date.day.year < 100 ? nil : date
        }
        // The number may have a sign, a fraction, or an exponent. Small numbers are not seconds.
        guard case .number = value, let number = Double(text), abs(number) >= 1e8 else { return nil }
        let seconds = abs(number) < 1e11 ? number : number / 1000
        return (try? DateParser.date(fromUnixSeconds: seconds)).map { WrittenDate(date: $0) }
    }

    /// Returns the text of a date that cannot be read.
    private func written(_ name: String) -> String? {
        guard let value = members.first(where: { $0.name == name })?.member.value, !Self.isEmpty(value) else {
            return nil
        }
        if case .bool = value { return nil }
        return value.text.map { Excerpt.cut($0, to: 100) } ?? "{…}"
    }

    // MARK: - Names

    /// Returns the names in all fields of this kind, except for the single line that the library itself writes in
    /// addition to a list.
    private mutating func names(_ key: ArticleField) throws(RecordError) -> [String] {
        var names: [String] = []
        for name in self.names(of: key) {
            // Jekyll splits these two at spaces, but not `category`. Elsewhere a text is one name.
            let splitsAtSpaces = place.name.isOfJekyll && (name == "tags" || name == "categories")
            let list = NameList(
                isTags: key == .tag, splitsAtSpaces: splitsAtSpaces, takesNumbers: key == .tag && !isOfWordPress)
            guard let found = removeValue(name, list.names) else { continue }
            if !names.isEmpty, found == [names.joined(separator: ", ")] { continue }
            names += found
        }
        guard names.count <= Self.nameLimit, names.allSatisfy({ $0.utf8.count <= Self.nameLimit }) else {
            throw RecordError(
                "more than \(Self.nameLimit) authors or tags, or one of more than \(Self.nameLimit) bytes")
        }
        return names
    }

    /// Zola has tags and categories in a table of their own. Its other entries stay there.
    private mutating func flattenTaxonomies() {
        guard let table = removeValue("taxonomies", \.members) else { return }
        var rest: [JSON.Member] = []
        for member in table {
            let name = ArticleField.form(of: member.key)
            let found = Self.uses(of: name)
            guard found.contains(where: { $0.use.key == .tag || $0.use.key == .author }) else {
                rest.append(member)
                continue
            }
            members.append((name, member))
            uses += found
        }
        if !rest.isEmpty { members.append(("", JSON.Member("taxonomies", .object(rest)))) }
    }

    // MARK: - Places

    /// Returns the path of the article in its source, and the web address if the path is an absolute address.
    private mutating func path() -> (path: String?, address: String?) {
        for name in names(of: .path) {
            let found = removeValue(name) { value -> (String, String?)? in
                guard let text = value.text.flatMap(Self.nonEmpty), Self.isPath(text) else { return nil }
                guard text.contains("://") else { return (text, nil) }
                // Other names may hold any address; a permalink is the address of the article itself.
                guard name == "permalink", let address = WebAddress.valid(text) else { return nil }
                let path = address.split(separator: "/", maxSplits: 2).dropFirst(2).last ?? ""
                return (String(path.prefix { $0 != "?" && $0 != "#" }), address)
            }
            if let found { return found }
        }
        return (nil, nil)
    }

    /// Whether the text is a path and not a pattern such as `/:year/:title` or `{{ page.url }}`.
    private static func isPath(_ text: String) -> Bool {
        !text.contains("/:") && !text.hasPrefix(":") && !text.contains("{{") && !text.contains("{%")
    }

    /// Returns `post` for `/blog/post.html` or `/blog/post/`.
    private static func lastComponent(_ path: String) -> String? {
        guard let last = path.split(separator: "/").last else { return nil }
        for ending in [".html", ".htm", ".md"] where last.hasSuffix(ending) && last.count > ending.count {
            return slug(String(last.dropLast(ending.count)))
        }
        return slug(String(last))
    }

    /// Returns the text if a slug can be made from it.
    private static func slug(_ text: String) -> String? {
        text.utf8.count <= nameLimit && text.contains { $0.isLetter || $0.isNumber } ? text : nil
    }

    /// Removes the ID and the reading time, which our own JSON contains, because they belong to the library. If only
    /// one of them is present, the record is not ours, and the field has another meaning.
    private mutating func removeLibraryFields() {
        func isNumber(_ name: String) -> Bool {
            members.contains { if case .number = $0.member.value { $0.name == name } else { false } }
        }
        guard isNumber("id"), isNumber("readingminutes") else { return }
        members.removeAll { ["id", "readingminutes"].contains($0.name) }
    }
}

extension WrittenDate {
    /// Returns this moment with the UTC offset derived from a second date: WordPress writes the local time and UTC,
    /// both without a zone.
    fileprivate func moved(to moment: WrittenDate) -> WrittenDate {
        let minutes = (date.timeIntervalSince(moment.date) / 60).rounded()
        guard offset == 0, moment.offset == 0, abs(minutes) <= 840 else { return self }
        return WrittenDate(date: moment.date, offset: Int(minutes))
    }
}
