import Text

/// The contents of a folder of pages: the articles with the data for lists, and the tags with their articles.
struct SiteMap {
    /// The data of an article for lists.
    struct Entry {
        /// The text of the link to the article's page, so it is never empty.
        let title: String
        let author: String
        let language: String?
        let day: CivilDate
        let readingMinutes: Int
        /// The path of its page.
        let path: String
    }

    /// A tag, in the spelling of the first article that has it.
    struct Tag {
        let name: String
        /// The path of its first page.
        let path: String
        /// The articles with this tag, as indexes in ``entries``.
        var entries: [Int]
    }

    private(set) var entries: [Entry] = []
    private(set) var tags: [Tag] = []
    private(set) var links = SiteLinks()
    var names = FileNames()
    private var places: [Article.ID: Int] = [:]
    private var tagPlaces: [String: Int] = [:]

    /// Returns the index of an article in ``entries``, and adds the article if it is new.
    @discardableResult
    mutating func place(of article: Article) -> Int {
        if let place = places[article.id] { return place }
        let place = entries.count
        places[article.id] = place
        let file = "articles/" + FileNames.safe(article.slug) + ".html"
        entries.append(
            Entry(
                title: article.title.utf8.allSatisfy { $0 <= 0x20 } ? "(no title)" : article.title,
                author: article.author, language: article.language,
                day: CivilDate(article.published, offset: article.publishedOffset),
                readingMinutes: article.readingMinutes,
                path: names.take(file: file, key: "\(article.source.uid) \(article.key)")))
        links.note(article, index: place)
        for key in Set(article.tags.map(FoldedKey.fold)) where !key.isEmpty { add(place, to: key, article.tags) }
        return place
    }

    private mutating func add(_ entry: Int, to key: String, _ names: [String]) {
        if let place = tagPlaces[key] { return tags[place].entries.append(entry) }
        tagPlaces[key] = tags.count
        let name = names.first { FoldedKey.fold($0) == key } ?? key
        let path = self.names.take(file: "tags/" + FileNames.safe(name) + ".html", key: key)
        tags.append(Tag(name: name, path: path, entries: [entry]))
    }

    /// Returns the first page of a tag.
    func path(ofTag name: String) -> String? { tagPlaces[FoldedKey.fold(name)].map { tags[$0].path } }

    /// Returns the page of an article.
    func path(of article: Article) -> String? { places[article.id].map { entries[$0].path } }
}
