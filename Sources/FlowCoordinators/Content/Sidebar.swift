internal import ArticleStore
internal import Text

/// The sections of the application. A front shows them together, so that the user can go to each from everywhere.
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

    /// Returns the section to which a stack belongs: that of its topmost list, and otherwise the account or the
    /// library.
    public init(of stack: [AppRoute]) {
        let flow = stack.last?.flow
        if flow == .account || flow == .operating {
            self = .account
        } else if stack.last == .library() {
            self = .library
        } else if let marks = stack.topmostList?.query.marks {
            self = [.unread, .starred].first { $0.place.list?.query.marks == marks } ?? .library
        } else {
            self = .library
        }
    }
}

/// The lists that a wide front shows beside the content: the sections, the saved searches, and the sources.
public struct Sidebar: Hashable, Sendable {
    /// A place to go to.
    public struct Entry: Hashable, Sendable, Identifiable {
        /// The path of the place, which differs from those of all other entries of the group.
        public let id: String
        /// The title.
        public let title: String
        /// The place.
        public let place: AppRoute
        /// The number of its articles that are unread (starred in the section of these); nil if it is unknown.
        public let count: Int?
        /// Whether the user is at this place, or above it.
        public let isSelected: Bool

        /// Creates an entry.
        package init(id: String, title: String, place: AppRoute, count: Int?, isSelected: Bool) {
            self.id = id
            self.title = title
            self.place = place
            self.count = count
            self.isSelected = isSelected
        }
    }

    /// Entries that belong together.
    public struct Group: Hashable, Sendable {
        /// The title; nil for the sections.
        public let title: String?
        /// The entries.
        public let entries: [Entry]

        /// Creates a group.
        package init(title: String?, entries: [Entry]) {
            self.title = title
            self.entries = entries
        }
    }

    /// The groups that have entries, in the order in which they are shown.
    public let groups: [Group]

    /// The maximum number of sources. The library has all of them.
    static let mostSources = 50

    /// Creates a sidebar.
    package init(groups: [Group]) { self.groups = groups }

    /// The sidebar for a page that is not a place.
    package var withoutSelection: Sidebar {
        Sidebar(
            groups: groups.map { group in
                Group(
                    title: group.title,
                    entries: group.entries.map { Entry($0.title, at: $0.place, count: $0.count, isSelected: false) })
            })
    }

    /// - Parameter home: the start of the application, which is the first section if it is a list of unread articles.
    init(_ outline: ReadingOutline, on stack: [AppRoute], home: AppRoute, at time: Date) {
        let section = AppSection(of: stack)
        let counts: [AppSection: Int] = [.unread: outline.unread, .starred: outline.starred]
        let sections = AppSection.allCases.map { each in
            let place = each == .unread && home.list?.query.marks == .unread ? home : each.place
            return Entry(each.title, at: place, count: counts[each], isSelected: each == section)
        }
        // The filters of the topmost list, in any order and at any page of it.
        let shown = stack.topmostList?.query.unsorted
        func entry(_ title: String, _ query: ArticleQuery, _ count: Int? = nil) -> Entry {
            Entry(
                title, at: .articles(ArticleList(query: query)), count: count,
                isSelected: shown == query.unsorted)
        }
        let searches = outline.searches.map { entry($0.name.name, $0.query(at: time)) }
        let sources = outline.sources.map { entry($0.name, ArticleQuery(source: $0.name), $0.unread) }
        groups = [
            Group(title: nil, entries: sections), Group(title: "Saved searches", entries: searches),
            Group(title: "Sources", entries: sources),
        ].filter { !$0.entries.isEmpty }
    }
}

extension Sidebar.Entry {
    fileprivate init(_ title: String, at place: AppRoute, count: Int?, isSelected: Bool) {
        self.init(id: place.path, title: title, place: place, count: count, isSelected: isSelected)
    }
}

extension ArticleQuery {
    fileprivate var unsorted: ArticleQuery {
        var query = self
        query.sort = .newest
        return query
    }
}

extension MarkCondition {
    /// The articles that the user has not read.
    static let unread = MarkCondition(isRead: false)
}

extension ApplicationCoordinator {
    /// Returns the sidebar for the present place; nil if nobody is signed in or marks are not stored.
    ///
    /// - Throws: the errors of the repository.
    public func sidebar() async throws -> Sidebar? {
        try await environment.outline(sources: Sidebar.mostSources).map { sidebar($0) }
    }

    func sidebar(_ outline: ReadingOutline) -> Sidebar {
        Sidebar(outline, on: environment.stack(), home: home, at: environment.clock())
    }
}
