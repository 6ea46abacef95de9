package import ArticleStore
package import Text

extension JSON {
    /// Creates the marks of an article, as `list` and `show` write them.
    package init(marks: ArticleMarks) {
        self = [
            "read": .bool(marks.read.value), "starred": .bool(marks.starred.value), "later": .bool(marks.later.value),
            "hidden": .bool(marks.hidden.value), "tags": .array(marks.tags.map { .string($0.value.name) }),
            "note": JSON(marks.note.value),
        ]
    }

    /// Returns an encoded object with the marks of the article at its end.
    package func adding(_ marks: ArticleMarks?) -> JSON {
        marks.map { adding("marks", JSON(marks: $0)) } ?? self
    }

    /// Returns an encoded object with another member.
    package func adding(_ name: String, _ value: JSON) -> JSON {
        guard case .encoded(var text) = self, text.last == UInt8(ascii: "}") else { return self }
        text.removeLast()
        text += ",\"\(name)\":".utf8
        text += value.utf8
        text.append(UInt8(ascii: "}"))
        return .encoded(text)
    }

    /// Creates the marks of an article with the time of each last change, as `account export` writes them.
    package init(record marks: ArticleMarks, of article: Article) {
        let names: [JSON.Member] = [
            .init("article", JSON(article.id)), .init("slug", .string(article.slug)),
            .init("source", .string(article.source.uid.description)), .init("key", .string(article.key.text)),
        ]
        self = .object(names + (marks.json.members ?? []))
    }
}
