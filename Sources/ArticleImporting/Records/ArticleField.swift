import ArticleStore
import Text

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

/// The rules by which names of authors or tags are read from a value.
struct NameList {
    /// Whether the names are tags. Several tags may be in one text, separated by commas.
    let isTags: Bool
    /// Whether a single text without a comma is split at its spaces.
    let splitsAtSpaces: Bool
    /// Whether a number is a valid name.
    let takesNumbers: Bool

    /// Returns the names in a list, in nested lists, or in a text; nil if the value contains anything else.
    func names(in value: JSON) -> [String]? {
        switch value {
        case .array(let elements):
            var names: [String] = []
            for element in elements where element != .null {
                let found: [String]?
                if case .array = element { found = self.names(in: element) } else { found = name(element).map { [$0] } }
                guard let found else { return nil }
                names += found
            }
            return names.filter { !$0.isEmpty }
        case .string(let text) where isTags && text.contains(","):
            return text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
        case .string(let text) where splitsAtSpaces:
            return text.split { $0.isWhitespace }.map(String.init)
        default:
            return name(value).map { $0.isEmpty ? [] : [$0] }
        }
    }

    private func name(_ value: JSON) -> String? {
        if let members = value.members {
            for key in isTags ? ["name", "title", "label", "slug"] : ["name", "display_name"] {
                if let name = members.last(where: { $0.key == key })?.value.text { return String(name.trimmed) }
            }
            return nil
        }
        if case .number = value, !takesNumbers { return nil }
        return value.text.map { String($0.trimmed) }
    }
}
