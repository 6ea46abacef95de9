import FlowCoordinators
import Navigation
import Terminal

/// A part of a wide terminal, from left to right.
enum Pane: Int, Hashable, Comparable, Sendable {
    /// The sections, saved searches, and sources.
    case sidebar
    /// The list of articles.
    case list
    /// The article, the preview of the selected row, or any other screen.
    case article

    static func < (left: Pane, right: Pane) -> Bool { left.rawValue < right.rawValue }
}

/// The panes of a terminal and their columns.
struct PaneLayout: Hashable, Sendable {
    /// Whether a preview of the selected row is beside the list on top.
    let hasPreview: Bool
    /// The index in the stack of the list beside the article; nil if there is none.
    let listBeneath: Int?
    private(set) var sidebar: Range<Int>?
    /// Nil if the frame on top uses all columns beside the sidebar.
    private(set) var list: Range<Int>?
    let article: Range<Int>

    /// The minimum width for a list and an article.
    static let widthForList = 120
    /// The minimum width for a sidebar too.
    static let widthForSidebar = 160

    private static let narrowestList = 48
    /// A space to the left and right of the text, so that it does not touch the edges.
    private static let margins = 4

    /// - Parameters:
    ///   - isSplit: whether the user wants panes.
    ///   - hasSidebar: whether there is something to show in a sidebar.
    init(_ state: NavigationState<AppRoute>, width: Int, textWidth: TextWidth, isSplit: Bool, hasSidebar: Bool) {
        let widthClass = Self.widthClass(width, isSplit: isSplit, hasSidebar: hasSidebar)
        let panes = state.panes(for: widthClass)
        let listFrame = widthClass == .compact || panes.modal != nil ? nil : panes.list
        hasPreview = listFrame != nil && panes.detail == nil
        listBeneath = hasPreview ? nil : listFrame.flatMap { state.frames.firstIndex(of: $0) }
        var start = 0
        if widthClass == .expanded {
            sidebar = 0..<max(24, min(32, width / 7))
            start = (sidebar?.upperBound ?? 0) + 1
        }
        if listFrame != nil {
            let rest = width - start
            // The text of the article has its full width first. A list needs less than half of the space.
            let listWidth = max(
                Self.narrowestList, min(rest - 1 - textWidth.columns - Self.margins, rest * 9 / 20))
            list = start..<start + listWidth
            start += listWidth + 1
        }
        article = start..<width
    }

    private static func widthClass(_ width: Int, isSplit: Bool, hasSidebar: Bool) -> WidthClass {
        guard isSplit, width >= widthForList else { return .compact }
        return hasSidebar && width >= widthForSidebar ? .expanded : .medium
    }

    /// The visible panes, from left to right.
    var panes: [Pane] { (sidebar == nil ? [] : [.sidebar]) + (list == nil ? [] : [.list]) + [.article] }

    /// The pane of the frame on top.
    var top: Pane { hasPreview ? .list : .article }

    /// The columns of the frame on top.
    var topColumns: Range<Int> { columns(of: top) }

    func columns(of pane: Pane) -> Range<Int> {
        switch pane {
        case .sidebar: sidebar ?? 0..<0
        case .list: list ?? 0..<0
        case .article: article
        }
    }

    /// Returns the pane at a column. The edge to the right of a pane belongs to it.
    func pane(at column: Int) -> Pane { panes.last { columns(of: $0).lowerBound <= column } ?? top }

    /// Returns the next pane, or the previous one, and begins again after the last.
    func pane(after pane: Pane, isBackward: Bool) -> Pane {
        let panes = panes
        guard let index = panes.firstIndex(of: pane) else { return top }
        return panes[(index + (isBackward ? panes.count - 1 : 1)) % panes.count]
    }
}

/// Whether a screen is divided into panes, which determines the keys for them.
enum PaneMode: Hashable, Sendable {
    /// The terminal is too narrow.
    case unavailable
    /// The user switched them off.
    case off
    /// There are several panes.
    case on
}
