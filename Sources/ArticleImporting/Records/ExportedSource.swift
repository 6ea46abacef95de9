import ArticleStore
import Text

/// A source as a library export describes it.
struct ExportedSource: Hashable {
    let uid: SourceUID
    let facts: SourceFacts

    /// Returns the sources in the header of a library export, an object with `articlesctl` and `sources`; nil for any
    /// other object.
    static func list(in object: [JSON.Member]) -> [ExportedSource]? {
        guard object.contains(where: { $0.key == "articlesctl" }),
            case .array(let sources)? = object.last(where: { $0.key == "sources" })?.value
        else { return nil }
        return sources.compactMap { source -> ExportedSource? in
            func text(_ name: String) -> String? { source.members?.last { $0.key == name }?.value.text }
            guard let uid = text("id").flatMap(SourceUID.init), let name = text("name"), !name.isEmpty,
                let kind = text("kind").flatMap(Source.Kind.init)
            else { return nil }
            var facts = SourceFacts(
                name: name, kind: kind, location: text("location").map { ExactText($0) }, home: text("home"),
                feedURL: text("feed"))
            if case .array(let names)? = source.members?.last(where: { $0.key == "tags" })?.value {
                // Ignore invalid tags, because the other data is more important.
                let tags = names.prefix(SourceFacts.mostTags).compactMap { $0.text.flatMap { try? TagName($0) } }
                try? facts.tag(.all(tags))
            }
            return ExportedSource(uid: uid, facts: facts)
        }
    }
}

extension LibraryRecord {
    /// Makes the article, and names its source.
    func outcome(
        body: String? = nil, format: Article.Format = .markdown
    ) throws(RecordError) -> ArticleFields.Outcome {
        .draft(
            try draft(body: body, format: format),
            claim: ExportedSource(uid: sourceUID, facts: SourceFacts(name: sourceName, kind: .stream)))
    }
}

extension Article {
    /// Whether a draft has the same title, and the same date if it has one.
    func hasTitleAndDate(of draft: ArticleDraft) -> Bool {
        title.isIdentical(to: draft.title) && draft.published.map { $0 == published } ?? true
    }
}

extension ArticleDraft {
    /// The title, and the day of the date if there is one.
    var titleAndDay: ExactText {
        ExactText(title + (published.map { " " + RFC3339.day(of: $0, offset: publishedOffset) } ?? ""))
    }

    /// The key, followed by the title and the day. It is the first of ``longerKeys(content:)``.
    var keyWithTitleAndDay: ExactText { "\(key)#\(titleAndDay)" }

    /// Returns keys that distinguish the draft from others with the same key, the most stable one first: with its title
    /// and day, with its title and time, and with a hash of the whole record.
    func longerKeys(content: UInt64) -> [ExactText] {
        var keys = [keyWithTitleAndDay]
        if let published {
            keys.append(ExactText("\(key)#\(title) \(RFC3339.string(from: published, offset: publishedOffset))"))
        }
        return keys + [ExactText("\(key)#\(String(content, radix: 16))")]
    }
}
