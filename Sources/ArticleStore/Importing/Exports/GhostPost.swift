import Text

/// A post or page of Ghost, converted to the field names of articles.
struct GhostPost {
    private let row: [JSON.Member]

    /// Returns the members of a row in the table of posts.
    ///
    /// - Throws: ``RecordError`` if its text exists only in the internal format of Ghost's editor.
    static func members(of row: [JSON.Member], in tables: GhostTables, line: Int) throws(RecordError) -> [JSON.Member] {
        let post = GhostPost(row: row)
        let id = post.text("id")
        var members: [JSON.Member] = []
        members.add("id", id ?? post.text("uuid"))
        members.add("title", post.text("title"))
        members.add("slug", post.text("slug"))
        members.add("url", post.text("canonical_url"))
        members.add("date", post.date("published_at") ?? post.date("created_at"))
        members.add("updated", post.date("updated_at"))
        members.add("authors", tables.authors(of: id, first: post.text("author_id")))
        // Tags that begin with a number sign are internal to the blog and invisible to its readers.
        let tags = tables.tags(of: id)
        members.add("tags", tags.filter { !$0.hasPrefix("#") })
        members.add("summary", post.text("custom_excerpt"))
        members.add("language", post.text("locale") ?? post.text("language"))
        let isDraft = !["published", "sent", nil].contains(post.text("status"))
        if isDraft { members.append(.init("draft", .bool(true))) }
        members.append(try post.body(isDraft: isDraft, line: line))
        members.add(extra: post.extra(internalTags: tags.filter { $0.hasPrefix("#") }, tables.metadata(of: id)))
        return members
    }

    /// Returns a text that is not empty.
    private func text(_ key: String) -> String? {
        row.last { $0.key == key }?.value.text.flatMap { $0.trimmed.isEmpty ? nil : $0 }
    }

    /// Returns a date in one of the formats that Ghost has used: milliseconds, UTC without a zone, and ISO 8601.
    private func date(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        if let number = UnixTime.seconds(text)?.text { return number }
        return (try? DateParser.date(from: text)).map { RFC3339.string(from: $0) }
    }

    // MARK: - The text

    private func body(isDraft: Bool, line: Int) throws(RecordError) -> JSON.Member {
        // Addresses in the blog itself begin with a placeholder for the site.
        func resolved(_ text: String) -> String {
            text.contains(bytesOf: "__GHOST_URL__") ? text.replacing("__GHOST_URL__", with: "") : text
        }
        if let html = text("html") { return .init("content_html", .string(resolved(html))) }
        if let markdown = text("markdown") ?? markdownOfCards { return .init("body", .string(resolved(markdown))) }
        let form = ["lexical", "mobiledoc"].first { text($0) != nil }
        if let form, !isDraft, holdsText(form) {
            throw RecordError(
                line: line, "“\(text("title") ?? "")” has no HTML, and the form of Ghost's editor (\(form)) is not read"
            )
        }
        return .init("content_html", .string(""))
    }

    /// Whether the editor's format contains any text. If it is empty, Ghost does not write HTML.
    private func holdsText(_ form: String) -> Bool {
        guard var text = text(form), let document = text.withUTF8({ try? JSONParser.value(of: $0) })?.members else {
            return true
        }
        if let root = document.last(where: { $0.key == "root" })?.value { return Self.holdsText(lexical: root) }
        guard case .array(let cards)? = document.last(where: { $0.key == "cards" })?.value, cards.isEmpty,
            case .array(let sections)? = document.last(where: { $0.key == "sections" })?.value
        else { return true }
        return sections.contains { section in
            guard case .array(let parts) = section, parts.count > 2, case .array(let markers) = parts[2] else {
                return true
            }
            return markers.contains { marker in
                guard case .array(let parts) = marker else { return true }
                return parts.last != .string("")
            }
        }
    }

    private static func holdsText(lexical node: JSON) -> Bool {
        guard let members = node.members, let type = members.last(where: { $0.key == "type" })?.value.text,
            type == "root" || type == "paragraph"
        else { return true }
        guard case .array(let children)? = members.last(where: { $0.key == "children" })?.value else { return false }
        return children.contains(where: holdsText(lexical:))
    }

    /// The Markdown and HTML of a text that consists only of such cards, as importers write it.
    private var markdownOfCards: String? {
        guard var form = text("mobiledoc"), let document = form.withUTF8({ try? JSONParser.value(of: $0) })?.members,
            case .array(let cards)? = document.last(where: { $0.key == "cards" })?.value,
            case .array(let sections)? = document.last(where: { $0.key == "sections" })?.value
        else { return nil }
        var texts: [String] = []
        for section in sections {
            // A card has the number 10. An empty paragraph follows the last card.
            guard case .array(let parts) = section, parts.count > 1 else { return nil }
            if parts[0].text == "1", parts.count < 3 || parts[2] == .array([]) { continue }
            guard parts[0].text == "10", let index = parts[1].text.flatMap({ Int($0) }), cards.indices.contains(index),
                case .array(let card) = cards[index], card.count == 2, let name = card[0].text,
                let key = ["markdown": "markdown", "card-markdown": "markdown", "html": "html"][name],
                let text = card[1].members?.last(where: { $0.key == key })?.value.text
            else { return nil }
            texts.append(text)
        }
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }

    // MARK: - The rest

    private func extra(internalTags: [String], _ metadata: [JSON.Member]) -> [JSON.Member] {
        var extra: [JSON.Member] = []
        extra.add("image", text("feature_image") ?? text("image"))
        for member in row + metadata where !Self.taken.contains(member.key) {
            switch member.value {
            case .null, .string(""), .bool(false), .number("0"), .array([]): continue
            case .string(let text) where Self.usual[member.key] == text: continue
            default: extra.append(member)
            }
        }
        extra.add("internal_tags", internalTags)
        return extra
    }

    /// The columns that become properties of an article or are derived from it, and IDs that are meaningful only in the
    /// database.
    private static let taken: Set<String> = [
        "id", "title", "slug", "canonical_url", "published_at", "created_at", "updated_at", "custom_excerpt", "locale",
        "language", "html", "markdown", "plaintext", "mobiledoc", "lexical", "amp", "feature_image", "image",
        "comment_id",
        "author_id", "created_by", "updated_by", "published_by", "newsletter_id", "show_title_and_feature_image",
    ]
    /// The default values of columns, which are not worth keeping.
    private static let usual = [
        "type": "post", "status": "published", "visibility": "public", "email_recipient_filter": "all",
    ]
}
