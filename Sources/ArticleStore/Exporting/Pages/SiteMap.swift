import Text

/// What is to be in a folder of pages: the articles, each with what the lists say of it, and the tags, each with its articles.
struct SiteMap {
    /// An article, as lists have it.
    struct Entry {
        /// What is followed to its page, so never nothing.
        let title: String
        let author: String
        let language: String?
        let day: CivilDate
        let readingMinutes: Int
        /// Its page.
        let path: String
    }

    /// A tag, as the first article spells it.
    struct Tag {
        let name: String
        /// Its first page.
        let path: String
        /// Its articles, by their places among ``entries``.
        var entries: [Int]
    }

    private(set) var entries: [Entry] = []
    private(set) var tags: [Tag] = []
    private(set) var links = SiteLinks()
    var names = FileNames()
    private var places: [Article.ID: Int] = [:]
    private var tagPlaces: [String: Int] = [:]

    /// The place of an article among ``entries``, where it gets one if it has none yet.
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

    /// The first page of a tag.
    func path(ofTag name: String) -> String? { tagPlaces[FoldedKey.fold(name)].map { tags[$0].path } }

    /// The page of an article.
    func path(of article: Article) -> String? { places[article.id].map { entries[$0].path } }
}
