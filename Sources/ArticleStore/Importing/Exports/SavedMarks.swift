import Text

/// A user's marks in the export of another program. Only marks that are set count: an entry that is unread there may
/// have been read here.
struct SavedMarks {
    var isRead = false
    var isStarred = false
    var isForLater = false
    /// The reading position in thousandths of the text.
    var place: Int?

    /// Sets the marks that are set in another value.
    mutating func merge(_ other: SavedMarks) {
        isRead = isRead || other.isRead
        isStarred = isStarred || other.isStarred
        isForLater = isForLater || other.isForLater
        place = place ?? other.place
    }

    /// The marks in the form of a library record; `nil` if none is set.
    var json: JSON? {
        var marks: [JSON.Member] = []
        if isRead { marks.append(.init("read", .bool(true))) }
        if isStarred { marks.append(.init("starred", .bool(true))) }
        if isForLater { marks.append(.init("later", .bool(true))) }
        if let place, (1...999).contains(place) { marks.append(.init("place", JSON(place))) }
        return marks.isEmpty ? nil : .object(marks)
    }
}

extension JSON {
    /// Whether it means yes in one of the usual forms: `true`, `1`, `"1"`, `"yes"`.
    var isYes: Bool { self == .bool(true) || text.map { Self.yes.contains($0.lowercased()) } ?? false }

    private static let yes: Set<String> = ["1", "true", "yes"]
}
