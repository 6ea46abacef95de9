public import Text

/// A position in a list, between two articles. It contains the sort key of the article before it.
///
/// It stays valid when articles are added or deleted, and reading a page takes the same time at any position. As text
/// it is base64url (RFC 4648, section 5), which clients must not interpret.
public struct Cursor: Sendable, Hashable, CustomStringConvertible {
    /// The sort key of an article: the value by which its list is ordered, and its number.
    public enum Position: Sendable, Hashable {
        /// A position in a list by date.
        case date(Date, id: Int64)
        /// A position in a list by title. The key is ``ArticleQuery/titleKey(_:)`` of the title.
        case title(key: String, id: Int64)
        /// A position in a list by relevance. Without a score, the score is the article's present score in the list.
        case score(Double?, id: Int64)
    }

    private let position: Position
    private let fingerprint: UInt64

    /// Creates the position after a sort key in a list.
    public init(after position: Position, in query: ArticleQuery) {
        self.position = position
        self.fingerprint = query.fingerprint
    }

    /// Creates the position after an article in a list. The article does not have to be in the list.
    public init(after article: ArticleSummary, in query: ArticleQuery) {
        let position: Position =
            switch query.order {
            case .relevance: .score(article.found?.score, id: article.id)
            case .newest, .oldest: .date(article.published, id: article.id)
            case .title: .title(key: ArticleQuery.titleKey(article.title), id: article.id)
            }
        self.init(after: position, in: query)
    }

    /// Reads a cursor from its text.
    /// - Throws: ``CursorError/malformed`` for any text that ``description`` did not make.
    public init(_ text: String) throws(CursorError) {
        guard text.utf8.count <= Self.longest, let bytes = Base64URL.decode(text) else { throw .malformed }
        var reader = Bytes(bytes)
        guard reader.byte() == Self.version, let kind = reader.byte(), let fingerprint = reader.integer(),
            let id = reader.integer().map(Int64.init(bitPattern:))
        else { throw .malformed }
        switch kind {
        case 0:
            guard let seconds = reader.integer().map(Int64.init(bitPattern:)), reader.rest.isEmpty,
                DateParser.seconds.contains(seconds)
            else { throw .malformed }
            position = .date(Date(timeIntervalSince1970: Double(seconds)), id: id)
        case 1:
            guard let key = String(validating: reader.rest, as: UTF8.self) else { throw .malformed }
            position = .title(key: key, id: id)
        case 2:
            guard let score = reader.integer().map(Double.init(bitPattern:)), reader.rest.isEmpty else {
                throw .malformed
            }
            position = .score(score.isNaN ? nil : score, id: id)
        default:
            throw .malformed
        }
        self.fingerprint = fingerprint
    }

    /// Returns the position in a list.
    /// - Throws: ``CursorError/ofAnotherQuery`` if the cursor was made for another list.
    public func position(in query: ArticleQuery) throws(CursorError) -> Position {
        guard fingerprint == query.fingerprint else { throw .ofAnotherQuery }
        switch (query.order, position) {
        case (.newest, .date), (.oldest, .date), (.title, .title), (.relevance, .score): return position
        default: throw .ofAnotherQuery
        }
    }

    /// The text of the cursor, in base64url.
    public var description: String {
        var bytes: [UInt8] = [Self.version]
        switch position {
        case .date(let date, let id):
            bytes.append(0)
            bytes.append(integer: fingerprint)
            bytes.append(integer: UInt64(bitPattern: id))
            bytes.append(integer: UInt64(bitPattern: date.wholeSeconds))
        case .title(let key, let id):
            bytes.append(1)
            bytes.append(integer: fingerprint)
            bytes.append(integer: UInt64(bitPattern: id))
            bytes.append(contentsOf: key.utf8)
        case .score(let score, let id):
            bytes.append(2)
            bytes.append(integer: fingerprint)
            bytes.append(integer: UInt64(bitPattern: id))
            bytes.append(integer: (score ?? .nan).bitPattern)
        }
        return Base64URL.encode(bytes)
    }

    private static let version: UInt8 = 1
    private static let longest = 1024
}

extension [UInt8] {
    fileprivate mutating func append(integer: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: integer >> shift)) }
    }
}

/// Reads big-endian integers from the start of bytes.
private struct Bytes {
    var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func integer() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
