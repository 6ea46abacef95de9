/// The names that sources use for the fields of an article.
///
/// If a record has several names for a field, the first in the list below with a usable value counts. Case, hyphens,
/// underscores, and spaces are ignored: `pubDate`, `pub_date`, and `Pub Date` are the same name.
enum ArticleField {
    case title, body, published, updated, author, tag, summary, slug, path, sourceURL, baseURL, language, draft

    static let names: [(key: ArticleField, names: [String])] = [
        (.title, ["title"]),
        (
            .body,
            [
                "body", "bodymarkdown", "markdown", "content", "contenthtml", "html", "bodyhtml", "contenttext", "text",
                "plaintext",
            ]
        ),
        (
            .published,
            [
                "date", "published", "publishdate", "pubdate", "publishedat", "datepublished", "publisheddate",
                "publicationdate", "posted", "postedat", "added", "addedat", "dategmt", "created", "createdat",
                "datecreated",
                "createddate",
            ]
        ),
        (
            .updated,
            [
                "updated", "updateddate", "updatedat", "lastmod", "lastmodified", "lastmodifiedat", "lastupdated",
                "lastupdate", "modified", "modifiedat", "modifieddate", "datemodified", "dateupdated", "modifiedgmt",
            ]
        ),
        (.author, ["authors", "author", "byline", "creator"]),
        (.tag, ["tags", "tag", "taglist", "categories", "category"]),
        (.summary, ["description", "summary", "excerpt", "customexcerpt"]),
        (.slug, ["slug"]),
        (.path, ["path", "permalink", "url"]),
        (.sourceURL, ["canonicalurl", "canonical", "url", "source", "link"]),
        (.baseURL, ["base"]),
        (.language, ["lang", "language", "locale"]),
        (.draft, ["draft", "published", "publish", "status", "visibility"]),
    ]

    /// The field that a name stands for, and the rank of the name among the names of that field.
    struct Use {
        let key: ArticleField
        let rank: Int
    }

    /// The fields of each name. The names have the form of ``form(of:)``.
    static let uses: [String: [Use]] = {
        var uses: [String: [Use]] = [:]
        for (key, names) in names {
            for (rank, name) in names.enumerated() { uses[name, default: []].append(Use(key: key, rank: rank)) }
        }
        return uses
    }()

    /// Normalizes a name for comparison. A leading underscore is kept: `_id` is a name that a database assigns.
    static func form(of name: String) -> String {
        guard name.utf8.contains(where: { !(0x61...0x7A).contains($0) }) else { return name }
        let lower = name.lowercased()
        return String(lower.prefix(1) + lower.dropFirst().filter { !"-_ ".contains($0) })
    }
}
