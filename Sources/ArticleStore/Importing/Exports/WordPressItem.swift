import Essentials
import Text

/// A post or a page of WordPress, in the words that articles are made of.
struct WordPressItem {
    private let item: XMLElement

    /// What an item says; nil where it is no post and no page.
    ///
    /// - Parameters:
    ///   - language: that of the blog.
    ///   - authors: what people are called, by what they log in with.
    static func members(of item: XMLElement, language: String?, authors: [String: String]) -> [JSON.Member]? {
        let item = WordPressItem(item: item)
        let type = item.text("wp:post_type")
        guard type == nil || type == "post" || type == "page" else { return nil }

        let body = item.item.first("content:encoded").map { WordPressText.html(of: $0.text) } ?? ""
        let url = item.text("link")
        var members: [JSON.Member] = []
        members.add("id", item.text("guid") ?? item.text("wp:post_id"))
        let title = item.item.first("title").flatMap { FeedText($0)?.line }
        members.add(
            "title",
            title.map(FeedTitle.cut)
                ?? FeedTitle.made(of: body.isEmpty ? nil : FeedText(body, .html), addresses: url.map { [$0] } ?? []))
        members.add("slug", item.text("wp:post_name").map { FeedLink.unescaped($0[...]) })
        members.add("url", url)
        members.add("date", item.date("wp:post_date") ?? item.date(inRSS: "pubDate"))
        members.add("updated", item.date("wp:post_modified"))
        members.add("authors", item.text("dc:creator").map { [authors[$0] ?? $0] } ?? [])
        members.add("tags", item.terms { ["category", "post_tag", "tag", nil].contains($0) })
        members.add("summary", item.item.first("excerpt:encoded").flatMap { FeedText($0)?.line })
        members.add("language", language)
        if !item.isPublic { members.append(.init("draft", .bool(true))) }
        members.append(.init("content_html", .string(body)))
        members.add(extra: item.extra(isPage: type == "page"))
        return members
    }

    /// The text of an element directly inside; nil where there is none.
    private func text(_ name: String) -> String? {
        item.first(name).map { String($0.text.trimmed) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether everybody may read it: what has a password is not for everybody.
    private var isPublic: Bool {
        (text("wp:status") ?? "publish") == "publish" && text("wp:post_password") == nil
    }

    // MARK: - Dates

    /// A date that stands in the blog's own time and once more in UTC, which together tell the zone. What was never
    /// published has only the first.
    private func date(_ name: String) -> String? {
        guard let local = text(name).flatMap(Self.date) else {
            return text(name + "_gmt").flatMap(Self.date).map { RFC3339.string(from: $0) }
        }
        guard let utc = text(name + "_gmt").flatMap(Self.date) else {
            // Its zone is not known.
            return String(RFC3339.string(from: local).dropLast())
        }
        let (minutes, seconds) = Int(local.timeIntervalSince(utc)).quotientAndRemainder(dividingBy: 60)
        return RFC3339.string(from: utc, offset: seconds == 0 && abs(minutes) <= 14 * 60 ? minutes : 0)
    }

    private func date(inRSS name: String) -> String? {
        text(name).flatMap(Self.date).map { RFC3339.string(from: $0) }
    }

    /// Nil for `0000-00-00 00:00:00`, too.
    private static func date(_ text: String) -> Date? { try? DateParser.date(from: text) }

    // MARK: - The rest

    /// The names of terms of the kinds that are asked for, each once.
    private func terms(_ isAsked: (String?) -> Bool) -> [String] {
        var names: [String] = []
        for element in item.elements where element.name == "category" && isAsked(element["domain"]) {
            let name = FeedTitle.line(of: element.text)
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func extra(isPage: Bool) -> [JSON.Member] {
        var extra: [JSON.Member] = []
        extra.add("wp:post_id", text("wp:post_id"))
        if isPage { extra.add("wp:post_type", "page") }
        if let status = text("wp:status"), status != "publish" { extra.add("wp:status", status) }
        for name in ["wp:post_parent", "wp:menu_order", "wp:is_sticky"] {
            if let value = text(name), value != "0" { extra.add(name, value) }
        }
        var kinds: [String] = []
        for element in item.elements where element.name == "category" {
            guard let kind = element["domain"], !["category", "post_tag", "tag"].contains(kind), !kinds.contains(kind)
            else { continue }
            kinds.append(kind)
        }
        extra += kinds.map { kind in .init(kind, JSON(terms { $0 == kind })) }
        // WordPress shows no field whose name begins with an underscore: such are the notes of its plugins.
        var fields: [JSON.Member] = []
        for element in item.elements where element.name == "wp:postmeta" {
            guard let key = element.first("wp:meta_key")?.text.trimmed, !key.isEmpty, !key.hasPrefix("_") else {
                continue
            }
            fields.add(String(key), element.first("wp:meta_value")?.text)
        }
        if !fields.isEmpty { extra.append(.init("wp:postmeta", .object(fields))) }
        return extra
    }
}
