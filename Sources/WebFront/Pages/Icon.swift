internal import FlowCoordinators

/// An icon. Each page contains the outlines once, and a use of an icon refers to its outline. Screen readers skip icons,
/// so a label must stand next to them.
enum Icon: String, CaseIterable {
    case star, later, unread, next, more, search, library, account, order, back, note, article, closed

    /// The reference to the outline.
    var html: HTML { "<svg class=\"ic i-\(rawValue)\" aria-hidden=\"true\"><use href=\"#i-\(rawValue)\"/></svg>" }

    /// The icon of an action; nil if it has none.
    init?(_ purpose: Action.Purpose) {
        switch purpose {
        case .star, .onlyStarred: self = .star
        case .later, .onlyLater: self = .later
        case .read, .unread, .onlyUnread: self = .unread
        case .next: self = .next
        case .library: self = .library
        case .account: self = .account
        default: return nil
        }
    }

    /// The icon of a section.
    init(_ section: AppSection) {
        switch section {
        case .unread: self = .article
        case .starred: self = .star
        case .library: self = .library
        case .account: self = .account
        }
    }

    /// The outlines of all icons, on a square of 24 units.
    static let outlines: HTML = """
        <svg hidden>\(allCases.html { "<symbol id=\"i-\($0.rawValue)\" viewBox=\"0 0 24 24\">\($0.outline)</symbol>" })</svg>

        """

    private var outline: HTML {
        switch self {
        case .star: "<path d=\"m12 3.4 2.7 5.5 6 .9-4.4 4.2 1.1 6-5.4-2.8L6.6 20l1.1-6-4.4-4.2 6-.9z\"/>"
        case .later: "<circle cx=\"12\" cy=\"12\" r=\"8.5\"/><path d=\"M12 7v5.3l3.4 2\"/>"
        case .unread: "<circle cx=\"12\" cy=\"12\" r=\"5\"/>"
        case .next: "<path d=\"M5 12h14m-6-6 6 6-6 6\"/>"
        case .back: "<path d=\"m14.5 5-7 7 7 7\"/>"
        case .more:
            "<g class=\"full\"><circle cx=\"5\" cy=\"12\" r=\"1.7\"/><circle cx=\"12\" cy=\"12\" r=\"1.7\"/><circle cx=\"19\" cy=\"12\" r=\"1.7\"/></g>"
        case .search: "<circle cx=\"10.5\" cy=\"10.5\" r=\"6.5\"/><path d=\"m15.5 15.5 5 5\"/>"
        case .library: "<path d=\"M5 4v16M10 4v16M14.2 4.6l4.9 15\"/>"
        case .account: "<circle cx=\"12\" cy=\"8\" r=\"4\"/><path d=\"M4.5 20.5c.8-4 3.9-6 7.5-6s6.7 2 7.5 6\"/>"
        case .order: "<path d=\"M8 4.5v15m0 0-3.5-3.5M8 19.5l3.5-3.5M14 6h6.5M14 11h5M14 16h3\"/>"
        case .note: "<path d=\"m4.5 19.5.8-4L16 4.8l3.2 3.2L8.5 18.7zM13.7 7.1l3.2 3.2\"/>"
        case .article: "<path d=\"M6 3.5h8.5L19 8v12.5H6zM9 12h7M9 16h5\"/>"
        case .closed: "<path d=\"m6 6 12 12M18 6 6 18\"/>"
        }
    }
}
