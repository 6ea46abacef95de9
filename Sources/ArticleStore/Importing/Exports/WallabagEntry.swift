import Text

/// An entry of a wallabag export in JSON (versions 1 and 2), converted to the field names of articles.
enum WallabagEntry {
    /// Returns the members of an entry; nil if the object is something else.
    static func members(of object: [JSON.Member]) -> [JSON.Member]? {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        func text(_ key: String) -> String? { value(key)?.text.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
        let isFirst = value("is_read") != nil && value("is_fav") != nil
        guard isFirst || value("is_archived") != nil && value("is_starred") != nil, let url = text("url") else {
            return nil
        }

        var taken: Set<String> = ["id", "title", "url", "content", "tags", "language", "published_by", "uid"]
        var members: [JSON.Member] = []
        members.add("id", text("id"))
        members.add("title", FeedTitle.cut(text("title") ?? url))
        members.add("url", url)
        // Use the date of saving if the publication date is unknown.
        let date = ["published_at", "created_at"].first {
            text($0).map { (try? DateParser.date(from: $0)) != nil } ?? false
        }
        if let date {
            members.add("date", text(date))
            taken.insert(date)
        }
        if case .array(let people)? = value("published_by") {
            members.add("authors", people.compactMap(\.text).filter { !$0.isEmpty })
        } else {
            members.add("authors", text("published_by").map { [$0] } ?? [])
        }
        members.add("tags", tags(value("tags")))
        members.add("language", text("language"))
        if let content = text("content") {
            members.append(.init("content_html", .string(content)))
        } else if let link = SavedLink(address: url).members?.last {
            members.append(link)
        }
        if isFirst { taken.formUnion((0...6).map(String.init) + ["user_id"]) }
        members.add(extra: object.filter { !taken.contains($0.key) && !isEmpty($0.value) })
        return members
    }

    /// Returns the marks of an entry.
    static func marks(of object: [JSON.Member]) -> SavedMarks {
        func isSet(_ keys: String...) -> Bool { object.contains { keys.contains($0.key) && $0.value.isYes } }
        return SavedMarks(isRead: isSet("is_archived", "is_read"), isStarred: isSet("is_starred", "is_fav"))
    }

    /// Returns tags from a list of texts, a list of objects with labels, or a single text.
    private static func tags(_ value: JSON?) -> [String] {
        switch value {
        case .array(let elements):
            elements.compactMap { $0.text ?? $0.members?.last { $0.key == "label" }?.value.text }.filter { !$0.isEmpty }
        case .string(let text): text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
        default: []
        }
    }

    private static func isEmpty(_ value: JSON) -> Bool {
        [.null, .string(""), .array([]), .object([])].contains(value)
    }
}
