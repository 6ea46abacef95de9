import ArticleStore
import HTTPServer
import LibraryServices
import Markup
import Text

/// An article with the marks of a user.
struct Item {
    let article: Article
    let marks: ArticleMarks
    let arrival: Arrival
    /// The server's own address; nil if the request did not name its host.
    let site: String?
    /// The pictures that this server shows.
    let pictures: ArticlePictures

    /// The text as HTML. Pictures that the library contains have addresses of this server.
    var html: String {
        let addresses = site.map { site in pictures.mapValues { site + $0.uid.path } } ?? [:]
        return article.resolvedDocument.replacingPictures(addresses).html()
    }

    /// The address of the original, or of the page of the article on this server; nil if neither is known.
    var address: String? {
        article.webAddress
            ?? site.map { $0 + ArticleReference(to: ArticleSummary(article)).pagePath }
    }

    /// The IDs of the streams that contain the item.
    var categories: [String] {
        [Stream.State.readingList.id] + states.map(\.id) + marks.tags.map { Stream.labelID($0.value.name) }
    }

    /// The states of the item. An unread item gets `fresh`, because some clients take an item with neither `fresh` nor
    /// `read` as read.
    var states: [Stream.State] { [marks.read.value ? .read : .fresh] + (marks.starred.value ? [.starred] : []) }

    /// The item as JSON for clients.
    var json: JSON {
        let address = address ?? ""
        let enclosures = article.attachments.map { file -> JSON in
            .object(
                [JSON.Member("href", .string(file.address))]
                    + (file.type.map { [JSON.Member("type", .string($0))] } ?? [])
                    + (file.size.map { [JSON.Member("length", JSON($0))] } ?? []))
        }
        let item: JSON = [
            "id": .string(ItemID(article.id).long), "crawlTimeMsec": .string(arrival.milliseconds),
            "timestampUsec": .string(arrival.text), "published": JSON(article.published.wholeSeconds),
            "updated": JSON(article.updated.wholeSeconds), "title": .string(article.title),
            "author": .string(article.author), "canonical": [["href": .string(address)]],
            "alternate": [["href": .string(address), "type": "text/html"]], "categories": JSON(categories),
            "origin": [
                "streamId": .string("feed/\(article.source.id)"), "title": .string(article.source.name),
                "htmlUrl": .string(article.source.pageAddress(at: site)),
            ],
            "summary": ["direction": "ltr", "content": .string(html)],
        ]
        guard !enclosures.isEmpty, let members = item.members else { return item }
        return .object(members + [JSON.Member("enclosure", .array(enclosures))])
    }
}

extension Arrival {
    /// The time in microseconds since 1970.
    var text: String { String(microseconds) }
    /// The time in milliseconds since 1970.
    var milliseconds: String { String(microseconds / 1_000) }
}

/// Articles as text. They are loaded and written in batches while the response is sent, because a client may ask for
/// thousands and all of them would take too much memory.
struct ItemStream: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    /// The text before the first article.
    let head: String
    /// The text after the last article.
    let tail: String
    /// The text between two articles.
    let separator: String
    /// The IDs of the articles. Articles that were deleted are skipped.
    let numbers: [Int64]
    let reader: GoogleReader
    let user: Int64
    /// The server's own address, used for articles without an original.
    let site: String?
    let text: @Sendable (Item) -> String

    /// The maximum number of articles that are loaded at once.
    private static let batch = 1_000
    /// The size of the bodies, in bytes, with which a load ends. A slow client holds so much memory.
    private static let loadSize = 512 << 10
    /// A piece ends after the article with which it reaches this size, in bytes.
    private static let pieceSize = 64 << 10

    /// The state of the writing: the articles that remain, and which parts were written.
    private struct Position: Sendable {
        /// The articles that are not loaded yet.
        var rest: ArraySlice<Int64>
        /// The loaded articles that are not written yet.
        var loaded: ArraySlice<Item> = []
        var hasBegun = false
        var hasItem = false
        var hasEnded = false
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: ItemStream
        private var position: Position

        fileprivate init(_ stream: ItemStream) {
            self.stream = stream
            position = Position(rest: stream.numbers[...])
        }

        mutating func next() async throws -> [UInt8]? {
            guard !position.hasEnded else { return nil }
            let (stream, start) = (stream, position)
            let piece: [UInt8]
            (piece, position) = try await stream.reader.work.runAdmitted(for: String(stream.user)) {
                try await stream.piece(after: start)
            }
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    private func piece(after start: Position) async throws -> (piece: [UInt8], position: Position) {
        var position = start
        var piece = Array((position.hasBegun ? "" : head).utf8)
        position.hasBegun = true
        while piece.count < Self.pieceSize {
            if position.loaded.isEmpty { try await load(&position) }
            guard let item = position.loaded.popFirst() else { break }
            if position.hasItem { piece += separator.utf8 }
            position.hasItem = true
            piece += text(item).utf8
        }
        if position.loaded.isEmpty, position.rest.isEmpty {
            position.hasEnded = true
            piece += tail.utf8
        }
        return (piece, position)
    }

    /// Loads the next articles that exist, if there are any.
    private func load(_ position: inout Position) async throws {
        while position.loaded.isEmpty, !position.rest.isEmpty {
            let batch = position.rest.prefix(Self.batch)
            let found = try await reader.services.articles.articles(ids: Array(batch), upTo: Self.loadSize)
            let marks = try await reader.services.marks.marks(of: found.map(\.article.id), by: user)
            let pictures = try await reader.services.pictures?.pictures(of: found.map(\.article.id)) ?? [:]
            position.loaded =
                found.map { found in
                    Item(
                        article: found.article, marks: marks[found.article.id] ?? ArticleMarks(),
                        arrival: found.arrival ?? Arrival(found.article.published), site: site,
                        pictures: pictures[found.article.id] ?? [:])
                }[...]
            // The rest of the batch may not have been loaded, because the articles before are large.
            let size = found.reduce(0) { $0 + $1.article.body.utf8.count }
            let last = size >= Self.loadSize ? found.last.flatMap { batch.firstIndex(of: $0.article.id) } : nil
            position.rest = position.rest[(last.map { $0 + 1 } ?? batch.endIndex)...]
        }
    }
}

/// The ID of an item: the number of an article.
struct ItemID: Hashable, Sendable {
    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// Reads the forms that clients send: the long form with or without padding, up to sixteen hexadecimal digits, or a
    /// decimal number, which may be negative. Text that could be decimal or hexadecimal is read as decimal, except if
    /// it has sixteen digits and begins with a zero.
    init?(_ text: String) {
        if text.hasPrefix(Self.prefix) {
            self.init(hexadecimal: text.dropFirst(Self.prefix.count))
        } else if !text.hasPrefix("+"), !(text.utf8.count == 16 && text.hasPrefix("0")), let number = Int64(text) {
            self.init(number)
        } else {
            self.init(hexadecimal: text[...])
        }
    }

    private init?(hexadecimal digits: Substring) {
        guard (1...16).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let bits = UInt64(digits, radix: 16)
        else { return nil }
        self.init(Int64(bitPattern: bits))
    }

    /// The ID in the long form.
    var long: String {
        let digits = String(UInt64(bitPattern: number), radix: 16)
        return Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let prefix = "tag:google.com,2005:reader/item/"
}
