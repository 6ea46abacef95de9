import Database
import Essentials
import Text

/// The slugs that an article may be given, the best first: what it is called, and then that with what tells it from others of
/// that name: its language, its day, the folders it is in, its source, and at last a hash of what it is known by.
///
/// They follow from the article alone, so that the same articles in the same order are called the same in every library.
struct SlugChoice {
    private let draft: ArticleDraft
    private let source: String
    private let name: String

    /// - Parameter mayBeNumber: whether a slug that reads as a number stays one, as an export has it. Such a name could be meant
    ///   for the number of another article: 1984 is called `article-1984`.
    init(_ draft: ArticleDraft, source: String, mayBeNumber: Bool = false) {
        self.draft = draft
        self.source = source
        name = mayBeNumber || Int64(draft.slug) == nil ? draft.slug : "article-" + draft.slug
    }

    /// The first that is free.
    func first(where isFree: (String) throws -> Bool) rethrows -> String {
        if try isFree(name) { return name }
        for addition in additions {
            let slug = Slug.make(from: name + "-" + addition)
            if slug != name, try isFree(slug) { return slug }
        }
        var number = 2
        while true {
            let slug = "\(name)-\(Fingerprint("\(source)\n\(draft.key)"))-\(number)"
            if try isFree(slug) { return slug }
            number += 1
        }
    }

    private var additions: [String] {
        var additions: [String] = []
        if let language = draft.language { additions.append(language) }
        if let published = draft.published {
            additions.append(RFC3339.day(of: published, offset: draft.publishedOffset))
        }
        // The folder that the file is in, then that with the one above, and so on.
        let folders = draft.key.text.split(separator: "/").dropLast().suffix(4)
        for count in folders.indices.reversed() { additions.append(folders[count...].joined(separator: "-")) }
        additions += [source, String(Fingerprint("\(source)\n\(draft.key)").description.prefix(8))]
        return additions
    }
}
