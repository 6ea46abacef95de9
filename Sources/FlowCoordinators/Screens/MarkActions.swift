internal import ArticleStore
internal import Text

extension Notice {
    /// Creates the message about a change of marks.
    ///
    /// - Parameter count: the number of articles that the change affected.
    init(_ change: MarkChange, count: Int) {
        self.init(count == 0 ? Notice.nothingChanged.text : change.words(about: count), count: count)
    }
}

extension MarkChange {
    /// The change of the marks of `count` articles, in words for the user.
    fileprivate func words(about count: Int) -> String {
        let articles = count.quantity(of: "article")
        return switch self {
        case .read(true): "Marked \(articles) as read."
        case .read(false): "Marked \(articles) as unread."
        case .starred(true): "Starred \(articles)."
        case .starred(false): "Removed the star from \(articles)."
        case .later(true): "Saved \(articles) for later."
        case .later(false): "Removed \(articles) from the later list."
        case .hidden(true): "Hid \(articles) from your lists."
        case .hidden(false): "Your lists contain \(articles) again."
        case .tag(let tag, true): "Added the tag “\(tag.name)” to \(articles)."
        case .tag(let tag, false): "Removed the tag “\(tag.name)” from \(articles)."
        case .note(nil): "Removed the note from \(articles)."
        case .note: "Saved the note on \(articles)."
        case .readingPosition: "Saved the reading position in \(articles)."
        }
    }
}

extension ArticleMarks {
    /// The marks that a list shows.
    var listed: List.Marks {
        var marks: List.Marks = read.value ? [] : .unread
        if starred.value { marks.insert(.starred) }
        if later.value { marks.insert(.later) }
        if note.value != nil { marks.insert(.noted) }
        return marks
    }

    /// The changes of the actions on an article, by the IDs of the actions.
    static let changes: [String: MarkChange] = [
        "read": .read(true), "unread": .read(false), "star": .starred(true), "unstar": .starred(false),
        "later": .later(true), "not-later": .later(false), "not-hidden": .hidden(false),
    ]

    /// The actions on an article with these marks, and another action after them.
    func actions(on reference: ArticleReference, keepsUnread: Bool = false, and other: Action? = nil) -> [Action] {
        let isRead = read.value || keepsUnread
        // The rows of a page have hundreds of actions, so each row has one array of each kind.
        let references = [reference]
        var actions: [Action] = []
        actions.reserveCapacity(5)
        actions.append(
            isRead
                ? Action(
                    keepsUnread ? "Keep unread" : "Mark as unread", .marked(.read(false), references), for: .unread)
                : Action("Mark as read", .marked(.read(true), references), for: .read))
        actions.append(
            starred.value
                ? Action("Unstar", .marked(.starred(false), references), for: .star, id: "unstar")
                : Action("Star", .marked(.starred(true), references), for: .star))
        actions.append(
            later.value
                ? Action("Not later", .marked(.later(false), references), for: .later, id: "not-later")
                : Action("Later", .marked(.later(true), references), for: .later))
        if hidden.value {
            actions.append(Action("Show in lists", .marked(.hidden(false), references), id: "not-hidden"))
        }
        if let other { actions.append(other) }
        return actions
    }
}
