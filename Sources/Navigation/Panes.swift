/// The column of a wide window in which a place is shown.
public enum PaneRole: Int, Hashable, Sendable, Comparable {
    /// All columns. The place is shown alone, such as a form.
    case full
    /// The leftmost of three columns, such as the list of feeds.
    case sidebar
    /// The column beside the detail, such as the list of articles.
    case list
    /// The main column, such as an article.
    case detail

    /// Orders the columns from the sidebar to the detail. A place that is shown alone comes first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The number of columns for which a window has room.
public enum WidthClass: Hashable, Sendable, CaseIterable {
    /// A single pane, as on a phone.
    case compact
    /// A list and a detail.
    case medium
    /// A sidebar, a list, and a detail.
    case expanded
}

/// The visible content of a window: the frames of its columns, and the modal frame that covers them.
///
/// ``NavigationState/panes(for:)`` computes it. A column without a frame is empty, such as the detail before the user
/// has selected a row.
public struct Panes<R: Route>: Hashable, Sendable {
    /// The frame of the left column.
    public internal(set) var sidebar: NavigationState<R>.Frame?
    /// The frame of the column beside the detail.
    public internal(set) var list: NavigationState<R>.Frame?
    /// The frame of the main column.
    public internal(set) var detail: NavigationState<R>.Frame?
    /// The modal frame on top, or that of a question, which covers the columns.
    public internal(set) var modal: NavigationState<R>.Frame?

    /// The frames of the columns, from the left.
    public var columns: [NavigationState<R>.Frame] { [sidebar, list, detail].compactMap { $0 } }

    /// The frames whose screens may report events: the modal frame, or those of the columns.
    public var active: [NavigationState<R>.Frame] { modal.map { [$0] } ?? columns }

    /// The frame on top of the stack; nil if the stack is empty.
    public var top: NavigationState<R>.Frame? { modal ?? detail ?? list ?? sidebar }
}

extension NavigationState {
    /// Returns the visible content for a width. The state does not depend on the width, so a window that is resized or
    /// rotated changes only the result of this function.
    ///
    /// The column of a frame is its route's ``Route/paneRole``. The frame on top is always visible. To its left are the
    /// nearest frames beneath it whose columns are further left, down to a frame that needs all columns. Such a frame
    /// is visible only on top; then it is the detail. In a medium window, the sidebar is visible only without a list;
    /// then it takes the place of the list.
    public func panes(for width: WidthClass) -> Panes<R> {
        var panes = Panes<R>()
        let own = ownFrames
        if own.count < frames.count { panes.modal = top }
        for frame in own.reversed() {
            let role = frame.route.paneRole
            if let leftmost = panes.columns.first {
                if width == .compact || role == .full || leftmost.route.paneRole <= .sidebar { break }
                guard role < leftmost.route.paneRole else { continue }
            }
            switch role {
            case .sidebar: if width == .expanded || panes.list == nil { panes.sidebar = frame }
            case .list: panes.list = frame
            case .detail, .full: panes.detail = frame
            }
        }
        return panes
    }

    /// Returns the stacks of the columns for a width, from the left. The last frame of each stack is that of its pane, and
    /// going back in a column shows the frame beneath it. All stacks together are the stack of the section, without
    /// modal frames.
    public func columnStacks(for width: WidthClass) -> [[Frame]] {
        var stacks: [[Frame]] = []
        var rest = ownFrames
        for pane in panes(for: width).columns {
            guard let index = rest.firstIndex(of: pane) else { continue }
            stacks.append(Array(rest[...index]))
            rest = rest[(index + 1)...]
        }
        return stacks
    }

    /// Returns the place that was opened from a frame: the frame above it in the same section. It is the selected row
    /// of a list.
    public func selection(in frame: FrameID) -> R? {
        guard let index = frames.firstIndex(where: { $0.id == frame }), index + 1 < frames.endIndex,
            !frames[index + 1].isModal
        else { return nil }
        return frames[index + 1].route
    }

    /// Returns whether a frame is visible and not covered at a width.
    func isActive(_ frame: FrameID, at width: WidthClass) -> Bool {
        if top?.id == frame { return true }
        return width != .compact && panes(for: width).active.contains { $0.id == frame }
    }
}
