import FlowCoordinators
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

/// The frames of the stack that the list pane and the article pane show.
enum PaneFrames: Hashable, Sendable {
    /// Only the frame on top: a form, a menu, or another list.
    case top
    /// The list on top, and a preview of its selected row.
    case listAndPreview
    /// The article on top, and the list at this index.
    case articleBesideList(Int)

    init(_ stack: [StackEntry]) {
        self = .top
        switch stack.last?.kind {
        case .list: self = .listAndPreview
        case .article:
            if let list = stack.lastIndex(where: { $0.kind != .article }), stack[list].kind == .list {
                self = .articleBesideList(list)
            }
        case .other, nil: break
        }
    }
}

/// The panes of a terminal and their columns.
struct PaneLayout: Hashable, Sendable {
    let frames: PaneFrames
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

    /// - Parameter isSplit: whether the user wants panes.
    init(_ stack: [StackEntry], width: Int, textWidth: TextWidth, isSplit: Bool, hasSidebar: Bool) {
        let frames = isSplit && width >= Self.widthForList ? PaneFrames(stack) : .top
        self.frames = frames
        var start = 0
        if isSplit, hasSidebar, width >= Self.widthForSidebar {
            sidebar = 0..<max(24, min(32, width / 7))
            start = (sidebar?.upperBound ?? 0) + 1
        }
        if frames != .top {
            let rest = width - start
            // The text of the article has its full width first. A list needs less than half of the space.
            let listWidth = max(
                Self.narrowestList, min(rest - 1 - textWidth.columns - Self.margins, rest * 9 / 20))
            list = start..<start + listWidth
            start += listWidth + 1
        }
        article = start..<width
    }

    /// The visible panes, from left to right.
    var panes: [Pane] { (sidebar == nil ? [] : [.sidebar]) + (list == nil ? [] : [.list]) + [.article] }

    /// The pane of the frame on top.
    var top: Pane { frames == .listAndPreview ? .list : .article }

    /// The index of the list in the stack, if it is beneath the article.
    var listBeneath: Int? { if case .articleBesideList(let index) = frames { index } else { nil } }

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
