import Arguments
import ArticleStore
import Text

/// A field of an article in a list: a key of its JSON.
struct ListedField: Hashable {
    /// The name in the output of `list --json` or `show --json`.
    let name: String
    /// Whether lists contain the field. Other fields need the whole article.
    let isListed: Bool

    /// All fields, in the order of the JSON.
    static let all: [ListedField] =
        [
            "id", "slug", "title", "author", "authors", "published", "updated", "tags", "summary", "language",
            "readingMinutes", "source", "found", "marks",
        ].map { ListedField(name: $0, isListed: true) }
        + ["sourceID", "key", "format", "url", "base", "body", "extra", "sources"].map {
            ListedField(name: $0, isListed: false)
        }

    /// Returns the field with this name; nil if there is none.
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
    /// Returns the members of an object, even if it is already encoded.
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
