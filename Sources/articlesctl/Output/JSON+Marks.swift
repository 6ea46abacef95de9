import ArticleStore
import Essentials
import ReadingStore
import Text

extension JSON {
    /// What somebody has marked an article with, as `list` and `show` write it.
    init(marks: ArticleMarks) {
        self = [
            "read": .bool(marks.read.value), "starred": .bool(marks.starred.value), "later": .bool(marks.later.value),
            "tags": .array(marks.tags.map { .string($0.value.name) }), "note": JSON(marks.note.value),
        ]
    }

    /// An object that is written already, with the marks of the article at its end.
    func adding(_ marks: ArticleMarks?) -> JSON {
        guard let marks, case .encoded(let text) = self, text.hasSuffix("}") else { return self }
        return .encoded(text.dropLast() + #","marks":"# + JSON(marks: marks).description + "}")
    }

    /// What somebody has marked an article with, and when each changed last, as `account export` writes it.
    init(record marks: ArticleMarks, of article: Article) {
        func mark(_ value: JSON, _ changed: Date?) -> JSON {
            ["value": value, "changed": JSON(changed.map { RFC3339.string(from: $0) })]
        }
        self = [
            "article": JSON(article.id), "slug": .string(article.slug),
            "source": .string(article.source.uid.description), "key": .string(article.key.text),
            "read": mark(.bool(marks.read.value), marks.read.changed),
            "starred": mark(.bool(marks.starred.value), marks.starred.changed),
            "later": mark(.bool(marks.later.value), marks.later.changed),
            "place": mark(marks.place.value.map { JSON($0) } ?? .null, marks.place.changed),
            "note": mark(JSON(marks.note.value), marks.note.changed),
            "tags": .array(marks.tags.map { mark(.string($0.value.name), $0.changed) }),
        ]
    }
}
