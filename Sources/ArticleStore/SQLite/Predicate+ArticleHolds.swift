import Text

package import Database

extension Predicate {
    /// `article_holds(words, title, authors, tags)`: whether each of ``SearchText/words(of:)`` is in the title, in an
    /// author or in a tag, which are as they are stored.
    package static let articleHolds = Predicate(name: "article_holds", argumentCount: 4) { arguments in
        let words = arguments.text(0)
        let (title, authors, tags) = (arguments.text(1), arguments.text(2), arguments.text(3))
        let capacity = SearchText.capacity(bytes: title.count + authors.count + tags.count, pieces: 3)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            guard let buffer = buffer.baseAddress else { return false }
            var text = SearchText(buffer)
            if text.append(title), text.append(jsonStrings: authors), text.append(jsonStrings: tags) {
                return text.contains(words: words)
            }
            let pieces = [String(decoding: title, as: UTF8.self)] + ArticleRow.names(authors) + ArticleRow.names(tags)
            var folded = SearchText.fold(pieces.joined(separator: "\n"))
            return folded.withUTF8 { SearchText.folded($0, contains: words) }
        }
    }
}
