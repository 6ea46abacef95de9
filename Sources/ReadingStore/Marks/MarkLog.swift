import Database
public import Essentials

/// The changes of marks, for programs that keep a copy of them.
public protocol MarkLog: Sendable {
    /// Returns the marks that a user changed after a position.
    ///
    /// - Parameters:
    ///   - user: the number of the reader.
    ///   - position: ``MarkChanges/position`` of the previous result; 0 for all marks.
    ///   - limit: the maximum number of articles, clamped to 1...1,000.
    func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges
}

/// The marks that a user changed, up to a position.
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
    /// Returns the marks that a user changed. See ``MarkLog/changes(of:after:limit:)``.
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
