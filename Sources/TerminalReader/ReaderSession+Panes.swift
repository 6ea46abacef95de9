import FlowCoordinators
import Terminal

/// A pane as it is drawn.
struct DrawnPane {
    let columns: Range<Int>
    /// Nil until it is loaded.
    let view: ReaderView?
    let state: ViewState
    let hasFocus: Bool
}

// The panes of a wide terminal. In a narrow one, the entry on top is the only pane.
extension ReaderSession {
    /// The sidebar of a wide terminal.
    struct SidebarLevel {
        let sidebar: Sidebar
        var view: ReaderView
        var state = ViewState()
    }

    var layout: PaneLayout { layout(isSplit: model.showsPreview, hasSidebar: sidebar != nil) }

    private func layout(isSplit: Bool, hasSidebar: Bool) -> PaneLayout {
        PaneLayout(
            model.state, width: terminal.size.columns, textWidth: model.textWidth, isSplit: isSplit,
            hasSidebar: hasSidebar)
    }

    /// Whether the terminal is wide enough for a sidebar, and the user wants panes.
    var hasRoomForSidebar: Bool { layout(isSplit: model.showsPreview, hasSidebar: true).sidebar != nil }

    var paneMode: PaneMode {
        // While the panes are off, it is unknown whether there is a sidebar.
        let divided = layout(isSplit: true, hasSidebar: sidebar != nil || !model.showsPreview)
        if divided.panes.count == 1 { return .unavailable }
        return model.showsPreview ? .on : .off
    }

    /// The pane with the focus.
    var focus: Pane {
        let layout = layout
        return chosenPane.flatMap { layout.panes.contains($0) ? $0 : nil } ?? layout.top
    }

    /// The pane whose view handles keys and draws the messages and the bar. The list does that for its preview.
    var active: Pane { layout.hasPreview && focus == .article ? .list : focus }

    /// The panes to draw; empty if there is only one.
    var drawnPanes: [DrawnPane] {
        let (layout, focus) = (layout, focus)
        return layout.panes.count == 1
            ? []
            : layout.panes.map { pane in
                let (view, state) = content(of: pane)
                return DrawnPane(
                    columns: layout.columns(of: pane), view: view, state: state, hasFocus: pane == focus)
            }
    }

    /// Returns the index in the stack of the entry that a pane shows; nil for the sidebar and for a preview.
    private func index(of pane: Pane) -> Int? {
        let layout = layout
        if pane == layout.top { return stack.indices.last }
        return pane == .list ? layout.listBeneath : nil
    }

    /// Returns the view of a pane, if it is loaded and fits the size, and its state.
    func content(of pane: Pane) -> (view: ReaderView?, state: ViewState) {
        var (view, state): (ReaderView?, ViewState)
        if let index = index(of: pane) {
            (view, state) = (stack[index].view, stack[index].state)
        } else if pane == .sidebar {
            (view, state) = (sidebar?.view, sidebar?.state ?? ViewState())
        } else if let top = stack.last, top.view?.previewedRow(top.state) != nil {
            // The preview of the previous row stays until the new one is loaded, to avoid flicker.
            (view, state) = (top.preview?.view, top.preview?.state ?? ViewState())
        } else {
            (view, state) = (nil, ViewState())
        }
        guard pane != layout.top, let shown = view else { return (view, state) }
        let fits = shown.columns == layout.columns(of: pane) && shown.size == terminal.size
        return (fits ? view : nil, state)
    }

    func changeState(of pane: Pane, _ change: (inout ViewState) -> Void) {
        if let index = index(of: pane) {
            change(&stack[index].state)
        } else if pane == .sidebar {
            if var state = sidebar?.state {
                change(&state)
                sidebar?.state = state
            }
        } else if let top = stack.indices.last, var preview = stack[top].preview {
            change(&preview.state)
            stack[top].preview = preview
        }
    }

    /// Passes an event to the pane that it is for. Returns the step that it leads to, and the index in the stack of the
    /// entry that requests it.
    func step(after event: InputEvent) -> (step: SessionStep, index: Int)? {
        guard let top = stack.indices.last else { return nil }
        let (view, state) = content(of: active)
        var pane = active
        if case .mouse(let mouse) = event, view?.isCovered(state) == false, mouse.row < terminal.size.rows - 2 {
            pane = layout.pane(at: mouse.column)
            if mouse.kind == .press {
                chosenPane = pane
                // The links of a preview do not work, because its article is not open.
                if pane != active, index(of: pane) == nil, pane == .article { return nil }
            }
        } else if focus != active, view?.scrolls(event, state) == true {
            pane = focus
        }
        let index = index(of: pane) ?? top
        let before = content(of: pane).state.selection
        guard let step = handle(event, in: pane) else { return nil }
        guard index < top, case .send(let request) = step, request.loadsRows else { return (step, index) }
        // Sending an event of the list closes the article, so load rows only if the user moves past the last one.
        let isWheel = if case .mouse = event { true } else { false }
        guard isWheel || content(of: pane).state.selection != before else { return (step, index) }
        changeState(of: pane) { $0.awaited = nil }
        return nil
    }

    private func handle(_ event: InputEvent, in pane: Pane) -> SessionStep? {
        guard let view = content(of: pane).view else { return nil }
        var step: SessionStep?
        changeState(of: pane) { step = view.handle(event, &$0) }
        return step
    }

    /// Shows a sidebar, or none.
    func show(_ new: Sidebar?) {
        let before = sidebar
        guard let new else {
            sidebar = nil
            return
        }
        guard let columns = layout(isSplit: true, hasSidebar: true).sidebar else { return }
        let view = ReaderView(
            new, size: terminal.size, theme: theme, keys: keys, isRoot: stack.count <= 1 && isInFirstSection,
            columns: columns)
        sidebar = SidebarLevel(
            sidebar: new, view: view, state: view.fitted(before?.state ?? ViewState(), from: before?.view))
        if focus != .sidebar, var state = sidebar?.state {
            view.comeBack(&state)
            sidebar?.state = state
        }
    }

    func loadSidebar() async {
        let isShown = sidebar != nil
        // Without it, the terminal shows the other panes.
        show(try? await model.sidebar())
        if isShown != (sidebar != nil), let screen = stack.last?.view?.screen { show(screen) }
    }

    /// Loads the list beneath the article.
    func loadListBeneath() async {
        guard let index = layout.listBeneath, let screen = try? await model.screen(at: index),
            index == layout.listBeneath, stack.indices.contains(index)
        else { return }
        layOut(screen, at: index)
        if listFollows { stack[index].view?.comeBack(&stack[index].state) }
        listFollows = false
    }

    func loadPreview(_ key: Preview.Key, of event: AppEvent) async {
        let screen = Preview.beginning(of: await model.preview(of: event))
        guard let top = stack.indices.last else { return }
        let before = stack[top].preview.flatMap { $0.key.row == key.row ? $0 : nil }
        let view = screen.map { screen in
            ReaderView(
                screen, size: terminal.size, theme: theme, keys: keys, textWidth: model.textWidth,
                columns: key.columns, reusing: before?.view)
        }
        let state = view?.fitted(before?.state ?? ViewState(), from: before?.view) ?? ViewState()
        stack[top].preview = Preview(key: key, view: view, state: state)
    }
}

extension AppEvent {
    /// Whether it loads further rows of a list.
    fileprivate var loadsRows: Bool {
        switch self {
        case .moreRowsWanted, .earlierRowsWanted, .firstRowsWanted, .lastRowsWanted: true
        default: false
        }
    }
}
