internal import ArticleStore
internal import FlowCoordinators
internal import Markup
internal import Navigation
internal import Text

/// A screen as a page: title, message, content, and actions.
struct ScreenPage {
    let screen: Screen
    /// The place of the screen. If a login comes before the requested place, it is the login.
    let place: AppRoute
    /// The address of the page, to which its forms are sent.
    let address: PlaceAddress
    let frame: PageFrame
    let images: WebFrontSettings.Images
    /// The paths of the pictures that the library contains, by their addresses in the text.
    let pictures: [String: String]
    let texts: RenderedTexts
    /// Whether the page may contain plain links. If not, leaving the page would lose a form or place that waits behind
    /// the login.
    let linksAreSafe: Bool
    let filled: FormValues
    /// The list to which articles belong that are opened from here, as the parameter of their addresses; nil for the whole
    /// library.
    let beneath: String?
    /// Whether there is a screen below.
    let canGoBack: Bool

    /// The list below an article; nil without one.
    var listBelow: ArticleList?
    /// The screen of that list; nil if the browser shows it already.
    var listPane: Screen?
    /// The present time, for dates in words.
    var now = Date()

    /// The page.
    var html: HTML { frame.html(title: screen.title, panes: layout, addMain: addMain) }

    private var layout: PageFrame.Panes {
        switch place.paneRole {
        case .list: .list
        case .full, .sidebar: .one
        case .detail:
            if let listBelow, let listPane {
                .article { addListPane(listBelow, listPane, to: &$0) }
            } else {
                .article(addList: nil)
            }
        }
    }

    /// Adds the content. Large parts of it are added directly to the page, because copying them takes time.
    private func addMain(to page: inout HTML) {
        switch screen.content {
        case .menu(let text):
            page += "\(heading)\(notice)<p class=\"lead\">\(sentence: text)</p>\n\(toolbar(screen.actions))" as HTML
        case .form(let form): page += "\(heading)\(notice)\(self.form(form))\(toolbar(screen.actions))" as HTML
        case .list(let list):
            page +=
                list.settings.isEmpty
                ? "\(heading)\(notice)\(search(list))\(toolbar(screen.actions))"
                : "\(head(of: list, isMain: true))\(notice)" as HTML
            addRows(list, to: &page)
        case .document(let document): add(document, to: &page)
        }
    }

    var heading: HTML { "<h1 dir=\"auto\">\(Self.image(screen.icon))\(screen.title)</h1>\n" }

    /// Returns an icon, which screen readers skip.
    static func image(_ path: String?) -> HTML? {
        path.map { "<img class=\"icon\" src=\"\($0)\" alt=\"\" width=\"16\" height=\"16\" loading=\"lazy\"> " as HTML }
    }

    var notice: HTML? {
        screen.notice.map { notice -> HTML in
            notice.error == nil
                ? "<p class=\"notice\" role=\"status\">\(sentence: notice.text)</p>\n"
                : "<p class=\"notice error\" role=\"alert\">\(sentence: notice.text.asSentence)</p>\n"
        }
    }

    // MARK: - Actions

    /// The actions, without those at the top of every page.
    func toolbar(_ actions: [Action]) -> HTML? {
        let copies = copies
        let hasBack = canGoBack && (isForm || !copies.isEmpty)
        let shown = actions.filter { !$0.isOnEveryPage }
        guard hasBack || !copies.isEmpty || !shown.isEmpty else { return nil }
        if shown.contains(where: { $0.section != nil }) { return sections(of: shown) }
        let kind: HTML = shown.count > Self.mostButtons ? "toolbar tiles" : "toolbar"
        var bar: HTML =
            "<form class=\"\(kind)\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)\(kept)"
        for copy in copies { bar += Self.copying(copy) }
        for action in shown { bar += control(action) }
        if hasBack {
            let label = copies.isEmpty ? "Back" : "Done"
            bar +=
                "<button name=\"\(Submission.Name.command)\" value=\"\(Submission.Command.back.text)\">\(label)</button>"
        }
        bar.add("</form>\n")
        return bar
    }

    /// Returns actions below their headings.
    private func sections(of actions: [Action]) -> HTML {
        let titles = actions.map(\.section)
        let firsts = titles.indices.filter { $0 == 0 || titles[$0] != titles[$0 - 1] }
        let sections = zip(firsts, firsts.dropFirst() + [actions.count]).html { first, end in
            let title = titles[first].map { "<h2>\($0)</h2>" as HTML }
            return "\(title)<div class=\"toolbar tiles\">\(actions[first..<end].map(control))</div>\n"
        }
        return """
            <form class="sectioned" method="post" action="\(address.text)">\(frame.hiddenFields)\(kept)
            \(sections)</form>

            """
    }

    /// The maximum number of actions that are shown as buttons in a row. More become tiles, or move to a menu.
    static let mostButtons = 5

    /// Returns the actions on a text: the frequent ones as icons, the rest in a menu.
    func documentBar(_ actions: [Action]) -> HTML? {
        let shown = actions.filter { !$0.isOnEveryPage }
        guard !shown.isEmpty else { return nil }
        let frequent = shown.filter { $0.purpose.isFrequent }
        return """
            <form class="toolbar bar" method="post" action="\(address.text)">\(frame.hiddenFields)\(kept)\
            \(backLink)\(frequent.map(iconButton))\(menu(shown.filter { !$0.purpose.isFrequent }))</form>

            """
    }

    /// The link from an article to its list, for a window that shows one pane.
    private var backLink: HTML? {
        guard let listBelow else { return nil }
        return """
            <a class="back" href="\(AppRoute.articles(listBelow).path)">\(Icon.back.html)\
            <span dir="auto">\(listBelow.title)</span></a>
            """
    }

    private func iconButton(_ action: Action) -> HTML {
        guard let icon = Icon(action.purpose) else { return Self.button(action) }
        let kind: HTML = action.isOn ? "mark on" : "mark"
        return """
            <button class="\(kind)" name="\(Submission.Name.command)" value="\(Self.command(action).text)"\
            \(attribute: "data-key", action.purpose.name) title="\(action.label)">\(icon.html)\
            <span class="unseen">\(action.label)</span></button>
            """
    }

    /// Returns a menu of actions, which opens without a script; nil without actions.
    func menu(_ actions: [Action]) -> HTML? {
        guard !actions.isEmpty else { return nil }
        return """
            <details class="menu"><summary title="More actions">\(Icon.more.html)<span class="unseen">More actions</span></summary>\
            <div>\(actions.map(control))</div></details>
            """
    }

    /// Returns the link or button of an action.
    private func control(_ action: Action) -> HTML { link(to: action) ?? Self.button(action) }

    private var copies: [Document.Copy] {
        if case .document(let document) = screen.content { document.copies } else { [] }
    }

    /// The button is hidden until a script shows it.
    private static func copying(_ copy: Document.Copy) -> HTML {
        "<button type=\"button\" data-copy=\"\(copy.text)\" hidden>\(copy.label)</button>"
    }

    private var isForm: Bool { if case .form = screen.content { true } else { false } }

    private func link(to action: Action) -> HTML? {
        if action.purpose == .original, case .document(let document) = screen.content, let original = document.address {
            return """
                <a class="button" href="\(original)" rel="noopener noreferrer"\
                \(attribute: "data-key", action.purpose.name)>\(action.label)</a>
                """
        }
        guard action.confirmation == nil, linksAreSafe, let path = path(of: action.event) else { return nil }
        return """
            <a class="button" href="\(path)"\(attribute: "data-key", action.purpose.name)>\(action.label)</a>
            """
    }

    static func command(_ action: Action, row: String? = nil) -> Submission.Command {
        action.lastNumber.map { .listAction(action.id, row: row, upTo: $0) } ?? .action(action.id, row: row)
    }

    static func button(_ action: Action) -> HTML {
        let kind: HTML? = action.purpose == .deletion ? " class=\"danger\"" : nil
        return """
            <button\(kind) name="\(Submission.Name.command)" value="\(command(action).text)"\
            \(attribute: "data-key", action.purpose.name)>\(action.label)</button>
            """
    }

    /// The prefix of a row's ID in the page, which distinguishes buttons with the same label.
    static let rowPrefix: StaticString = "row-"

    /// Returns the address that an event opens; nil if the event does more.
    func path(of event: AppEvent) -> String? {
        guard let destination = place.destination(of: event) else { return nil }
        return parameter(of: destination).map { destination.path + "?" + $0 } ?? destination.path
    }

    /// Adds the address of a place to an attribute, as ``path(of:)`` returns it. A page has hundreds of them.
    func addPath(of destination: AppRoute, to page: inout HTML) {
        destination.writePath { page.add(text: $0) }
        guard let parameter = parameter(of: destination) else { return }
        page.add("?")
        page.add(text: parameter)
    }

    /// Returns the parameter that an address about an article has for its list, the only one that it can have; nil without one.
    private func parameter(of destination: AppRoute) -> String? {
        guard let beneath, destination.isAboutArticle else { return nil }
        return beneath
    }
}

extension Action {
    /// Whether every page has the action at the top.
    var isOnEveryPage: Bool {
        switch purpose {
        case .logOut, .account, .library: true
        default: false
        }
    }

    /// Whether the article has the mark that the action changes.
    var isOn: Bool { ["read", "unstar", "not-later"].contains(id) }
}

extension Action.Purpose {
    /// Whether users need the action on many articles, so that it stands outside of the menu.
    fileprivate var isFrequent: Bool {
        switch self {
        case .next, .read, .unread, .star, .later: true
        default: false
        }
    }

    /// The name by which the script finds the element for a key.
    var name: String? { self == .other ? nil : rawValue }
}

extension ScreenPage {
    /// Adds rows below headings: the name of each as a link, its numbers, and links to its other places.
    func addSections(_ list: List, to page: inout HTML) {
        guard let names = list.columns.firstIndex(where: { $0.role == .primary }) else { return }
        var section: String?
        for row in list.rows {
            if row.section != section {
                if section != nil { page.add("</ul>\n") }
                section = row.section
                page += "<h2>\(isolated: row.section ?? "")</h2><ul class=\"places\">\n" as HTML
            }
            let name = row.cells[names].text
            let path = linksAreSafe ? row.event.flatMap { self.path(of: $0) } : nil
            page += path.map { "<li><a href=\"\($0)\" dir=\"auto\">\(name)</a>" } ?? "<li>\(isolated: name)"
            let numbers = zip(list.columns, row.cells).compactMap { column, cell -> String? in
                guard case .number(let number) = cell, number > 0 else { return nil }
                return column.title == "Articles"
                    ? number.quantity(of: "article") : "\(number) \(column.title.lowercased())"
            }
            if !numbers.isEmpty { page += " <span>\(numbers.joined(separator: ", "))</span>" as HTML }
            for action in row.actions {
                guard linksAreSafe, let path = self.path(of: action.event) else { continue }
                page += " <a href=\"\(path)\" aria-label=\"\(action.label): \(name)\">\(action.label)</a>" as HTML
            }
            page.add("</li>\n")
        }
        page.add("</ul>\n")
    }
}
