import Arguments
import ArticleStore
import ReadingStore
import Text

/// A field of each article of a list: the keys of its JSON.
struct ListedField: Hashable {
    /// As `list --json` calls it, or `show --json`.
    let name: String
    /// Whether lists contain the field. Other fields need the whole article.
    let isListed: Bool

    /// All there are, in the order of the JSON.
    static let all: [ListedField] =
        [
            "id", "slug", "title", "author", "authors", "published", "updated", "tags", "summary", "language",
            "readingMinutes", "source", "found", "marks",
        ].map { ListedField(name: $0, isListed: true) }
        + ["sourceID", "key", "format", "url", "base", "body", "extra"].map { ListedField(name: $0, isListed: false) }

    /// The field of that name; nil where there is none.
    init?(named name: String) {
        guard let field = Self.all.first(where: { $0.name == name }) else { return nil }
        self = field
    }

    private init(name: String, isListed: Bool) {
        self.name = name
        self.isListed = isListed
    }
}

extension JSON {
    /// The members of an object, also of one that is written already.
    ///
    /// - Throws: `JSONError`.
    func readMembers() throws(JSONError) -> [Member] {
        if case .object(let members) = self { return members }
        let bytes = Array(description.utf8)
        let parsed = bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(JSONError) in try JSONParser.value(of: bytes) }
        }
        return try parsed.get().members ?? []
    }
}
