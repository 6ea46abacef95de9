import Database
public import Essentials

/// The changes of marks, for clients that keep a copy of them.
public protocol MarkLog: Sendable {
    /// Returns the marks that a user changed after a position.
    ///
    /// - Parameters:
    ///   - user: the ID of the user.
    ///   - position: ``MarkChanges/position`` of the previous result; 0 for all marks.
    ///   - limit: the maximum number of articles, limited to the range 1 to 1,000.
    func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges
}

/// The marks that a user changed, up to a position.
public struct MarkChanges: Sendable, Hashable {
    /// A mark on all articles up to a number as read. ``MarkChanges/marks`` takes precedence over it.
    public struct AllRead: Sendable, Hashable {
        /// The number of the last of these articles; 0 if everything was marked as unread.
        public let upTo: Int64
        /// The time when the user marked them.
        public let changed: Date
    }

    /// The marks of the articles whose marks have changed, by article number. They include the unchanged marks of these
    /// articles.
    public var marks: [Int64: ArticleMarks] = [:]
    /// The last time that the user marked all articles as read or unread; nil if that never happened.
    public var allRead: AllRead?
    /// The position up to which the changes were read.
    public var position: Int64
    /// Whether there are more changes after that position.
    public var goesOn = false

    /// Creates an empty list of changes.
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
