public import Text

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

        package init(upTo: Int64, changed: Date) { (self.upTo, self.changed) = (upTo, changed) }
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
