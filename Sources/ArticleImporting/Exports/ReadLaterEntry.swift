import ArticleStore
import Platform
import Text

/// An entry of an Omnivore export. The export has files `metadata_0_to_20.json` and, for each entry, its text in
/// `content/<slug>.html` and its highlights in `highlights/<slug>.md`.
enum OmnivoreEntry {
    /// Returns the members of an entry; nil if the object is something else. The text is that of its file, else its
    /// link.
    ///
    /// - Parameters:
    ///   - folder: the folder of its file, which no path may leave; nil for a stream.
    ///   - limit: the maximum number of bytes of the text file.
    /// - Throws: `RecordError` if the text file is too large or invalid text.
    static func members(of object: [JSON.Member], in folder: OpenFolder?, limit: Int) throws(RecordError) -> [JSON
        .Member]?
    {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        func text(_ key: String) -> String? { value(key)?.text.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
        guard value("savedAt") != nil, value("readingProgress") != nil, let slug = text("slug"), let url = text("url")
        else {
            return nil
        }
        var members: [JSON.Member] = []
        members.add("id", text("id"))
        members.add("title", FeedTitle.cut(text("title") ?? url))
        members.add("slug", slug)
        members.add("url", url)
        // Use the date of saving if the publication date is unknown.
        members.add("date", text("publishedAt") ?? text("savedAt"))
        members.add("authors", text("author").map { [$0] } ?? [])
        if case .array(let labels)? = value("labels") { members.add("tags", labels.compactMap(\.text)) }
        members.add("summary", text("description"))
        if let content = try file(slug + ".html", of: "content", in: folder, limit: limit) {
            members.append(.init("content_html", .string(content)))
        } else if let link = SavedLink(address: url).members?.last {
            members.append(link)
        }
        var extra = object.filter { !taken.contains($0.key) && ![.null, .string(""), .array([])].contains($0.value) }
        extra.add("highlights", try file(slug + ".md", of: "highlights", in: folder, limit: limit))
        members.add(extra: extra)
        return members
    }

    /// Returns the marks of an entry. An entry that is archived or read to its end is read.
    static func marks(of object: [JSON.Member]) -> SavedMarks {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        let percent = value("readingProgress")?.text.flatMap(Double.init).map { min(max($0, 0), 100) } ?? 0
        let isArchived = value("state")?.text?.lowercased() == "archived" || value("isArchived")?.isYes == true
        return SavedMarks(isRead: isArchived || percent >= 100, place: Int(percent * 10))
    }

    private static let taken: Set<String> = [
        "id", "title", "slug", "url", "publishedAt", "author", "labels", "description",
    ]

    /// Returns the text of a file in a neighboring folder; nil if the file does not exist. Symbolic links are not
    /// followed.
    private static func file(
        _ name: String, of part: String, in folder: OpenFolder?, limit: Int
    ) throws(RecordError) -> String? {
        guard let folder, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")),
            let inner = try? OpenFolder(Array(part.utf8CString), in: folder),
            let file = try? InputFile(Array(name.utf8CString), in: inner)
        else { return nil }
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while let count = try? file.read(into: buffer), count > 0 {
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw RecordError("\(part)/\(name) is larger than \(limit) bytes") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RecordError("\(part)/\(name): bytes that are not valid UTF-8")
        }
        return text
    }

    /// Whether a folder contains an Omnivore export, judged by its file names. Each name has a terminating zero.
    static func isExport(_ names: [[CChar]]) -> Bool {
        names.contains { name in
            let name = FilePath(name: name).name
            guard name.hasPrefix("metadata_"), name.hasSuffix(".json") else { return false }
            let numbers = name.dropFirst(9).dropLast(5).split(separator: "_", omittingEmptySubsequences: false)
            return numbers.count == 3 && Int(numbers[0]) != nil && numbers[1] == "to" && Int(numbers[2]) != nil
        }
    }
}

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
