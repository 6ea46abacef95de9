import ArticleStore
import FlowCoordinators
import Markup
import ReadingStore
import Text

/// An article as its reader has marked it.
struct Item {
    let article: Article
    let marks: ArticleMarks
    let arrival: Arrival
    /// Where the server is; nil where the client did not say it.
    let site: String?

    /// The address of the original, or else of the page that the server has of it; nil where neither is known.
    var address: String? {
        article.webAddress
            ?? site.map { $0 + AppRoute.article(ArticleReference(to: ArticleSummary(article))).path }
    }

    /// What it is among, by their ids.
    var categories: [String] {
        [Stream.State.readingList.id] + states.map(\.id) + marks.tags.map { Stream.labelID($0.value.name) }
    }

    /// Clients look for `fresh`, and some take what has neither it nor `read` for read.
    var states: [Stream.State] { [marks.read.value ? .read : .fresh] + (marks.starred.value ? [.starred] : []) }

    /// As clients read it.
    var json: JSON {
        let address = address ?? ""
        return [
            "id": .string(ItemID(article.id).long), "crawlTimeMsec": .string(arrival.milliseconds),
            "timestampUsec": .string(arrival.text), "published": JSON(article.published.wholeSeconds),
            "updated": JSON(article.updated.wholeSeconds), "title": .string(article.title),
            "author": .string(article.author), "canonical": [["href": .string(address)]],
            "alternate": [["href": .string(address), "type": "text/html"]], "categories": JSON(categories),
            "origin": [
                "streamId": .string("feed/\(article.source.id)"), "title": .string(article.source.name),
                "htmlUrl": .string(article.source.pageAddress(at: site)),
            ],
            "summary": ["direction": "ltr", "content": .string(article.resolvedDocument.html())],
        ]
    }
}

extension Arrival {
    /// In microseconds since 1970.
    var text: String { String(microseconds) }
    /// In milliseconds since 1970.
    var milliseconds: String { String(microseconds / 1_000) }
}

extension GoogleReader {
    /// Articles by their numbers, as a reader has marked them; those that are gone are left out.
    ///
    /// - Parameter site: where the server is, for the addresses of articles without an original.
    func items(_ numbers: some Sequence<Int64>, of user: Int64, at site: String?) async throws -> [Item] {
        var articles: [Article] = []
        for number in numbers {
            if let article = try await services.articles.article(id: number) { articles.append(article) }
        }
        let marks = try await services.marks.marks(of: articles.map(\.id), by: user)
        let arrivals = try await services.articleLog.arrivals(of: articles.map(\.id))
        return articles.map {
            Item(
                article: $0, marks: marks[$0.id] ?? ArticleMarks(),
                arrival: arrivals[$0.id] ?? Arrival($0.published), site: site)
        }
    }
}

/// Articles in JSON, written some at a time while they are sent: a client may ask for thousands, and they are not all held.
struct ItemStream: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    /// What stands before the articles, and behind them.
    let head: String
    let tail: String
    let numbers: [Int64]
    let reader: GoogleReader
    let user: Int64
    let site: String?

    private static let batch = 50

    struct AsyncIterator: AsyncIteratorProtocol {
        let stream: ItemStream
        var rest: ArraySlice<Int64>
        var begun = false
        var isFirst = true
        var ended = false

        mutating func next() async throws -> [UInt8]? {
            guard !ended else { return nil }
            var text = begun ? "" : stream.head
            begun = true
            let batch = rest.prefix(ItemStream.batch)
            rest = rest.dropFirst(ItemStream.batch)
            for item in try await stream.reader.items(batch, of: stream.user, at: stream.site) {
                if !isFirst { text += "," }
                isFirst = false
                text += item.json.description
            }
            if rest.isEmpty {
                ended = true
                text += stream.tail
            }
            // Nothing would end the answer: a batch of which all are gone.
            return text.isEmpty ? try await next() : Array(text.utf8)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self, rest: numbers[...]) }
}
