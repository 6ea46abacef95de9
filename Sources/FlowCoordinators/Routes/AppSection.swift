internal import ArticleStore
public import Navigation

/// The sections of the application. Each has its own stack. A front shows them together, so that the user can go to each
/// from everywhere, and finds it as they left it.
public enum AppSection: String, Hashable, Sendable, CaseIterable {
    /// The unread articles, the first section.
    case unread
    /// The sources, tags, and saved searches.
    case library
    /// The starred articles.
    case starred
    /// The user's account.
    case account

    /// The title.
    public var title: String {
        switch self {
        case .unread: "Unread"
        case .library: "Library"
        case .starred: "Starred"
        case .account: "Account"
        }
    }

    /// The lowest place of the section.
    public var place: AppRoute {
        switch self {
        case .unread: .articles(ArticleList(query: ArticleQuery(marks: .unread)))
        case .library: .library()
        case .starred: .articles(ArticleList(query: ArticleQuery(marks: MarkCondition(isStarred: true))))
        case .account: .account
        }
    }

    /// The name of the section in navigation states.
    public var id: SectionID { SectionID(rawValue) }

    /// The section with a name in navigation states; nil for another name.
    init?(_ id: SectionID) { self.init(rawValue: id.name) }

    /// The section of a place that lies beneath all others, as the table of places says; nil for a place that no section
    /// shows.
    ///
    /// The unread and the starred articles may be searched and in any order. A list with further filters is in the
    /// library.
    init?(lowest place: AppRoute) {
        switch place {
        case .articles(let list):
            let query = list.query.unsearched
            self = [.unread, .starred].first { $0.place.list?.query == query } ?? .library
        case .library: self = .library
        case .account: self = .account
        default: return nil
        }
    }
}

/// The sections that an application declares, and the stack that leads to a place.
struct AppSections: Sendable {
    /// The sections for the gate. The one of the start is the first.
    let declared: [NavigationSection<AppRoute>]
    /// The place of a start without a target.
    private let home: AppRoute

    /// - Parameters:
    ///   - home: the place of a start without a target.
    ///   - hasMarks: whether marks are stored. Without them, no article is unread or starred.
    init(home: AppRoute, hasMarks: Bool) {
        self.home = home
        let first = Self.section(ofHome: home)
        let others = AppSection.allCases.filter { $0 != first && (hasMarks || [.library, .account].contains($0)) }
        let start = first == .library ? [.library(), home] : [home]
        declared =
            [NavigationSection(first.id, home: start)] + others.map { NavigationSection($0.id, home: [$0.place]) }
    }

    /// Returns the section of a start, which may have further filters.
    private static func section(ofHome home: AppRoute) -> AppSection {
        let marks = home.list?.query.marks
        return [.unread, .starred].first { $0.place.list?.query.marks == marks } ?? .library
    }

    /// Returns the lowest place of a section.
    func place(of section: AppSection) -> AppRoute {
        declared.first { $0.id == section.id }?.home.first ?? section.place
    }

    /// Returns the section whose lowest place this is; nil if the place is above that of its section.
    func section(rootedAt place: AppRoute) -> AppSection? {
        AppSection.allCases.first { section in
            declares(section) && (self.place(of: section) == place || section.place == place)
        }
    }

    /// Returns the section of the topmost place of a stack. The section of an article is that of the list beneath it. Nil
    /// for a place that no section shows, such as the login.
    func section(of stack: [AppRoute]) -> AppSection? {
        guard let place = stack.last(where: { !$0.isAboutArticle }) ?? stack.last else { return nil }
        return section(ofLowest: place.ancestors.first ?? place)
    }

    private func section(ofLowest place: AppRoute) -> AppSection? {
        if place == home { return Self.section(ofHome: home) }
        guard let section = AppSection(lowest: place) else { return nil }
        return declares(section) ? section : .library
    }

    /// Returns the target that a link to a place leads to: the place, with those beneath it, in its section.
    ///
    /// - Parameter list: the list beneath an article or a form about it; nil for the whole library.
    func target(to place: AppRoute, above list: ArticleList? = nil) -> Target<AppRoute> {
        var stack = place.ancestors + [place]
        if let list, place.isAboutArticle { stack[0] = .articles(list) }
        guard let section = section(ofLowest: stack[0]) else { return Target(stack) }
        if section == .library, stack[0] != section.place { stack.insert(section.place, at: 0) }
        return Target(stack).in(section.id)
    }

    private func declares(_ section: AppSection) -> Bool { declared.contains { $0.id == section.id } }
}

extension ArticleQuery {
    /// The query without its search, in the usual order.
    fileprivate var unsearched: ArticleQuery {
        var query = self
        (query.search, query.sort) = (nil, .newest)
        return query
    }
}

extension MarkCondition {
    /// The articles that the user has not read.
    static let unread = MarkCondition(isRead: false)
}
