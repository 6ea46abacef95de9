internal import ArticleStore
internal import Navigation
internal import Text

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
        /// The number of its unread articles; nil if it is unknown.
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

    /// - Parameters:
    ///   - stack: the places of the selected section.
    ///   - selected: the selected section.
    init(
        _ outline: ReadingOutline, on stack: [AppRoute], in selected: SectionID?, of sections: AppSections,
        at time: Date
    ) {
        let counts: [AppSection: Int] = [.unread: outline.unread, .starred: outline.unreadStarred]
        let sections = AppSection.allCases.map { each in
            Entry(each.title, at: sections.place(of: each), count: counts[each], isSelected: each.id == selected)
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

extension ApplicationCoordinator {
    /// Returns the sidebar for the present place; nil if nobody is signed in or marks are not stored.
    ///
    /// - Throws: the errors of the repository.
    public func sidebar() async throws -> Sidebar? {
        try await environment.outline(sources: Sidebar.mostSources).map { sidebar($0) }
    }

    func sidebar(_ outline: ReadingOutline) -> Sidebar {
        Sidebar(
            outline, on: environment.stack(), in: navigator.state.section, of: sections, at: environment.clock())
    }
}
