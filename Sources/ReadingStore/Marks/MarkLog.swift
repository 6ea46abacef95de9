import Database
public import Essentials

/// What has become of marks, for programs that keep a copy of them.
public protocol MarkLog: Sendable {
    /// What a reader has marked since somebody looked last.
    ///
    /// - Parameters:
    ///   - user: the number of the reader.
    ///   - position: ``MarkChanges/position`` of the answer before; 0 for everything that was ever marked.
    ///   - limit: how many articles there are at most, counted as one below 1 and as 1,000 above 1,000.
    func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges
}

/// What a reader has marked, up to a position.
public struct MarkChanges: Sendable, Hashable {
    /// That everything is read up to an article, but for what ``MarkChanges/marks`` say otherwise.
    public struct AllRead: Sendable, Hashable {
        /// The number of the last of them; 0 where nothing is.
        public let upTo: Int64
        /// When the reader said so.
        public let changed: Date
    }

    /// The articles whose marks have changed, and all that they are marked with, by their numbers.
    public var marks: [Int64: ArticleMarks] = [:]
    /// Up to which article everything is read; nil where the reader never said that.
    public var allRead: AllRead?
    /// Up to where this is.
    public var position: Int64
    /// Whether there is more behind that.
    public var goesOn = false

    /// Nothing was marked.
    public init(position: Int64) { self.position = position }
}

extension SQLiteMarkRepository: MarkLog {
    /// What a reader has marked since. See ``MarkLog/changes(of:after:limit:)``.
    /// - Throws: `DatabaseError`.
    public func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        let limit = min(max(limit, 1), 1000)
        return try database.read { snapshot in
            let rows = try snapshot.query(
                """
                SELECT sequence, article_id FROM mark_change WHERE user_id = ? AND sequence > ? ORDER BY sequence LIMIT ?
                """, [Value(user), Value(position), Value(limit + 1)]
            ) { (sequence: try $0.value(0) as Int64, article: try $0.value(1) as Int64) }
            let known = rows.prefix(limit)
            var changes = MarkChanges(position: known.last?.sequence ?? position)
            changes.marks = try MarkRow.marks(of: known.map(\.article), by: user, in: snapshot)
            changes.allRead = try Self.allRead(by: user, in: snapshot).map { .init(upTo: $0.upTo, changed: $0.changed) }
            changes.goesOn = rows.count > limit
            return changes
        }
    }
}
