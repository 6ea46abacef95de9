import ArticleStore
import AuthService
import LibraryServices
import HTTPServer

/// The articles that a client asks for: those of a stream that pass its filters.
struct Selection {
    /// The query for the articles; nil if the filters exclude all articles.
    var query: ArticleQuery?
    /// The title of the stream.
    let title: String
    /// Whether the stream is a single feed.
    let isFeed: Bool
    /// Whether the article that arrived first comes first.
    var isOldestFirst = false

    init(_ query: ArticleQuery, _ title: String, isFeed: Bool = false) {
        (self.query, self.title, self.isFeed) = (query, title, isFeed)
    }

    /// Keeps only the articles with this number or a higher one.
    mutating func begin(at number: Int64) { bound { max($0.lowerBound, number)..<max($0.upperBound, number) } }

    /// Keeps only the articles with a lower number.
    mutating func end(before number: Int64) { bound { min($0.lowerBound, number)..<min($0.upperBound, number) } }

    private mutating func bound(_ bounded: (Range<Int64>) -> Range<Int64>) {
        let numbers = bounded(query?.numbers ?? 0..<Int64.max)
        query = numbers.isEmpty ? nil : query
        query?.numbers = numbers
    }

    /// Keeps only the articles with this source, author, or tag.
    ///
    /// - Returns: false, and changes nothing, if the query already has such a condition.
    mutating func require(_ name: WritableKeyPath<ArticleQuery, String?>, _ value: String) -> Bool {
        guard query?[keyPath: name] == nil else { return false }
        query?[keyPath: name] = value
        return true
    }

    /// Keeps only the articles on which a mark is set, or those on which it is not set.
    mutating func require(_ mark: WritableKeyPath<MarkCondition, Bool?>, _ isSet: Bool) {
        if let said = query?.marks[keyPath: mark], said != isSet { query = nil }
        query?.marks[keyPath: mark] = isSet
    }
}

extension GoogleReader {
    /// The names of the parameters that filter a stream.
    static let filters: Set = ["s", "xt", "it", "ot", "nt", "r", "c", "n"]

    /// Returns the selection of all articles of a stream.
    func selection(_ id: String, of user: User) async throws(ReaderError) -> Selection {
        var marks = MarkCondition(userID: user.id)
        switch Stream(id, of: user) {
        case .feed(let number):
            guard let source = try await sources().first(where: { $0.id == number }) else { break }
            return Selection(ArticleQuery(source: source.name, marks: marks), source.name, isFeed: true)
        case .state(.readingList): return Selection(ArticleQuery(marks: marks), "All articles")
        case .state(.read):
            marks.isRead = true
            return Selection(ArticleQuery(marks: marks), "Read articles")
        case .state(.unread):
            marks.isRead = false
            return Selection(ArticleQuery(marks: marks), "Unread articles")
        case .state(.starred):
            marks.isStarred = true
            return Selection(ArticleQuery(marks: marks), "Starred articles")
        case .label(let name):
            if let folder = try await folder(name) {
                return Selection(ArticleQuery(sourceTag: folder.name, marks: marks), folder.name)
            }
            if let search = try await savedSearch(name, of: user) {
                return Selection(search.query(at: services.clock()).withMarks(ofUser: user.id), search.name.name)
            }
            marks.tag = name
            return Selection(ArticleQuery(marks: marks), name)
        case .state, nil: break
        }
        throw .badRequest("there is no stream \(id)")
    }

    /// Returns the articles of a stream that pass the filters of a request: `it` includes, `xt` excludes, and `ot` and
    /// `nt` limit the time.
    func selection(_ id: String, _ parameters: Parameters, of user: User) async throws(ReaderError) -> Selection {
        var selection = try await selection(id, of: user)
        for (name, isIncluded) in [("it", true), ("xt", false)] {
            for text in parameters.values(of: name) where text != "" {
                switch Stream(text, of: user) {
                case .state(.read): selection.require(\.isRead, isIncluded)
                case .state(.unread): selection.require(\.isRead, !isIncluded)
                case .state(.starred): selection.require(\.isStarred, isIncluded)
                case .state(.readingList) where isIncluded: break
                case .label(let label) where isIncluded:
                    guard try await savedSearch(label, of: user) == nil else {
                        throw ReaderError.badRequest("\(text) is a saved search, which cannot be a filter for \(name)")
                    }
                    let isLeft =
                        if let folder = try await folder(label) {
                            selection.require(\.sourceTag, folder.name)
                        } else {
                            selection.require(\.marks.tag, label)
                        }
                    if !isLeft { throw ReaderError.badRequest("\(text) is not a valid filter for \(name)") }
                default: throw .badRequest("\(text) is not a valid filter for \(name)")
                }
            }
        }
        switch parameters["r"] ?? "" {
        case "", "n", "d", "a": break
        case "o": selection.isOldestFirst = true
        default: throw .badRequest("r must be n (newest first) or o (oldest first)")
        }
        if let time = try parameters.time("ot") {
            selection.begin(at: try await firstArticle(since: Self.start(of: time)))
        }
        if let time = try parameters.time("nt") { selection.end(before: try await firstArticle(after: time)) }
        return selection
    }

    /// Returns the first arrival time for the time that a client sends as `ot`. A time in microseconds is the exact
    /// time of an article, and each later article has a later time. Other times come from a clock, for example that of
    /// the previous response. An article with such a time may have become visible a little later, so two seconds are
    /// subtracted.
    private static func start(of time: ClosedRange<Arrival>) -> Arrival {
        let isExact = time.lowerBound == time.upperBound
        return Arrival(microseconds: time.lowerBound.microseconds - (isExact ? 0 : 2_000_000))
    }

    /// Returns the lowest number that an article may have which arrived after a time.
    func firstArticle(after time: ClosedRange<Arrival>) async throws(ReaderError) -> Int64 {
        try await firstArticle(since: Arrival(microseconds: time.upperBound.microseconds + 1))
    }

    private func firstArticle(since time: Arrival) async throws(ReaderError) -> Int64 {
        try await ReaderError.catching { try await services.articleLog.firstArticle(since: time) }
    }
}

extension Parameters {
    /// Returns a time, from its first to its last microsecond. Clients send seconds (also with a fraction),
    /// milliseconds, or microseconds. The number of digits tells the unit.
    func time(_ name: String) throws(ReaderError) -> ClosedRange<Arrival>? {
        guard let text = self[name], !text.isEmpty else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard areDigits, let whole = Int64(parts[0]), parts.count == 1 || parts[0].utf8.count <= 11 else {
            throw .badRequest("\(name) must be a time in seconds since 1970")
        }
        let fraction = parts.count == 1 ? "" : parts[1].prefix(6)
        switch parts[0].utf8.count {
        case ...11:
            let unit = (fraction.count..<6).reduce(1) { unit, _ in unit * 10 } as Int64
            return Self.time(whole * (1_000_000 / unit) + (Int64(fraction) ?? 0), in: unit)
        case 12...15: return Self.time(whole, in: 1_000)
        case 16...17: return Self.time(whole, in: 1)
        default: throw .badRequest("\(name) must be a time in seconds since 1970")
        }
    }

    private static func time(_ count: Int64, in microseconds: Int64) -> ClosedRange<Arrival> {
        let first = count * microseconds
        return Arrival(microseconds: first)...Arrival(microseconds: first + microseconds - 1)
    }

    /// Returns the number of articles that the client asks for, at most `most`. The default is 20.
    func count(upTo most: Int) throws(ReaderError) -> Int {
        guard let text = self["n"], !text.isEmpty else { return 20 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.contains(where: { $0 != "0" }) else {
            throw .badRequest("n must be a positive number of articles")
        }
        return min(Int(text) ?? most, most)
    }
}
