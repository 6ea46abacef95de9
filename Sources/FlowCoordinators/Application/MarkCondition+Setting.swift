internal import ArticleStore

// The conditions on marks in the settings of a list.
extension MarkCondition {
    var isUnread: Bool {
        get { isRead == false }
        set { isRead = newValue ? false : nil }
    }

    var isKnown: Bool {
        get { isRead == true }
        set { isRead = newValue ? true : nil }
    }

    var hasStar: Bool {
        get { isStarred == true }
        set { isStarred = newValue ? true : nil }
    }

    var isAside: Bool {
        get { isLater == true }
        set { isLater = newValue ? true : nil }
    }

    var hasNote: Bool {
        get { isNoted == true }
        set { isNoted = newValue ? true : nil }
    }
}

extension ArticleQuery {
    /// The prefix that distinguishes a user's own tag from a tag of the articles.
    private static let own = "mine:"

    /// A tag of the articles, or with the prefix `mine:` one of the user's own tags.
    var anyTag: String? {
        get { marks.tag.map { Self.own + $0 } ?? tag }
        set {
            let isOwn = newValue?.hasPrefix(Self.own) == true
            tag = isOwn ? nil : newValue
            marks.tag = isOwn ? newValue.map { String($0.dropFirst(Self.own.count)) } : nil
        }
    }
}
