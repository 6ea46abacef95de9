internal import ArticleStore
internal import FlowCoordinators
internal import Navigation
internal import Text

extension ScreenPage {
    /// The search field. A search keeps the other filters of the list.
    func search(_ list: List) -> HTML? {
        let searched = if case .articles(let list) = place { AppRoute.articles(list.searched) } else { place }
        guard let text = list.search, let path = RoutePath(parsing: searched.path) else { return nil }
        let other = path.parameters.filter { !["search", "cursor"].contains($0.key) }.sorted { $0.key < $1.key }
            .map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" as HTML }
        return """
            <form class="search" role="search" action="\(RoutePath(path).text)">\(other)\
            <input type="search" name="search" value="\(text)" aria-label="Search" placeholder="Search" autocomplete="off" dir="auto">\
            <button title="Search">\(Icon.search.html)<span class="unseen">Search</span></button></form>

            """
    }

    /// Returns the head of a list: its title and size, the search, the settings with the selected values, and a menu of the rest.
    ///
    /// - Parameter isMain: whether the list is the main part of the page.
    func head(of list: List, isMain: Bool) -> HTML {
        let chosen = Set(list.settings.flatMap { $0.options.map(\.action.id) })
        let rest = screen.actions.filter { !chosen.contains($0.id) && !$0.isOnEveryPage }
        let tabs = list.settings.count > 1 ? list.settings.first.map(tabs) : nil
        return """
            <header class="head"><div class="line"><div>\(title(isMain: isMain))\(size(of: list, isMain: isMain))</div>\(search(list))</div>
            <div class="line">\(tabs)\(list.settings.last.map(choice))\
            <form class="toolbar" method="post" action="\(address.text)">\(frame.hiddenFields)\(menu(rest))</form></div></header>

            """
    }

    /// Returns the title of a list. The style limits it to two lines, so its tooltip has the whole title.
    private func title(isMain: Bool) -> HTML {
        let words: HTML = "\(Self.image(screen.icon))\(screen.title)"
        return isMain
            ? "<h1 dir=\"auto\" title=\"\(screen.title)\">\(words)</h1>"
            : "<p class=\"h1\" dir=\"auto\" title=\"\(screen.title)\">\(words)</p>"
    }

    /// Returns the number of articles in a list, as far as it is known. A list beside an article is not counted. A list
    /// without the number has room for it, so that its rows begin at the same height.
    private func size(of list: List, isMain: Bool) -> HTML {
        let isOpen = isMain && list.more != nil
        guard !list.rows.isEmpty, let number = list.total ?? (isOpen ? shownCount(of: list) : nil) else {
            return "<small>&nbsp;</small>"
        }
        let limit: HTML? = list.total == nil ? "More than " : nil
        return "<small>\(limit)\(number.quantity(of: "article"))</small>"
    }

    /// The number of articles up to the last one that is shown, as far as it is known.
    private func shownCount(of list: List) -> Int { (offset(of: list) ?? 0) + list.rows.count }

    /// Returns a setting whose values are all visible.
    private func tabs(_ setting: List.Setting) -> HTML {
        "<nav class=\"tabs\" aria-label=\"\(setting.title)\">\(setting.options.compactMap(option))</nav>"
    }

    /// Returns a setting of which only the selected value is visible, until the user opens it.
    private func choice(_ setting: List.Setting) -> HTML {
        let selected = setting.options.first(where: \.isSelected)?.action.label ?? setting.title
        return """
            <details class="menu"><summary title="\(setting.title): \(selected)">\(Icon.order.html)\
            <span class="unseen">\(setting.title): </span><span>\(selected)</span></summary>\
            <nav aria-label="\(setting.title)">\(setting.options.compactMap(option))</nav></details>
            """
    }

    private func option(_ option: List.Setting.Option) -> HTML? {
        guard let path = path(of: option.action.event) else { return nil }
        let current: HTML? = option.isSelected ? " aria-current=\"true\"" : nil
        return """
            <a href="\(path)"\(current)\(attribute: "data-key", option.action.purpose.name)>\(option.action.label)</a>
            """
    }

    /// Adds the list beside an article.
    ///
    /// The forms of its rows belong to the page of the article, so that the article stays when a mark is set.
    func addListPane(_ list: ArticleList, _ screen: Screen, to page: inout HTML) {
        guard case .list(let shown) = screen.content else { return }
        var frame = frame
        frame.screenName = AppRoute.articles(list).screenName
        let pane = ScreenPage(
            screen: screen, place: .articles(list), address: PlaceAddress(.articles(list)), frame: frame,
            images: images, pictures: [:], texts: texts, linksAreSafe: linksAreSafe, filled: FormValues(),
            beneath: PlaceAddress(.articles(list)).list(beneath: .articles(list))
                .map { PlaceAddress.parameter(above: $0) },
            canGoBack: false, now: now)
        page += """
            \(pane.head(of: shown, isMain: false))\
            <form class="list" method="post" action="\(address.text)">\(self.frame.hiddenFields)

            """ as HTML
        pane.addCards(shown, to: &page)
        page += "</form>\n\(pane.moves(shown))" as HTML
    }

    private func emptyLink(_ list: List) -> HTML? {
        guard let action = list.emptyAction, let path = path(of: action.event) else { return nil }
        return "<p><a href=\"\(path)\">\(action.label)</a></p>"
    }

    /// Adds the rows. If they have links or actions, they are listed below each other, otherwise in a table.
    func addRows(_ list: List, to page: inout HTML) {
        guard !list.rows.isEmpty else {
            page += """
                <div class="placeholder">\(Icon.article.html)<p>\(sentence: list.placeholder)</p>\(emptyLink(list))</div>

                """ as HTML
            return
        }
        if list.rows[0].section != nil { return addSections(list, to: &page) }
        page += "<form class=\"list\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)\n" as HTML
        if list.columns.contains(where: { $0.role == .estimate || $0.role == .labels }) {
            addCards(list, to: &page)
        } else {
            page += table(list)
        }
        page += "</form>\n\(count(list))            \(moves(list))" as HTML
    }

    private func count(_ list: List) -> HTML? {
        guard let total = list.total, let offset = offset(of: list), list.earlier != nil || list.more != nil,
            offset + list.rows.count <= total
        else { return nil }
        return "<p class=\"count\">\(offset + 1)–\(offset + list.rows.count) of \(total)</p>\n"
    }

    private func offset(of list: List) -> Int? { list.offset ?? address.offset }

    /// Adds the rows below each other.
    func addCards(_ list: List, to page: inout HTML) {
        let (names, marks) = (list.places(of: [.primary]).first, list.places(of: [.mark]).first)
        let facts = list.places(of: [.fact])
        // The source, the date, and the reading time have a place in every row, the rest if there is room.
        let others =
            list.places(of: [.origin]) + facts.filter { list.columns[$0].link == nil } + list.places(of: [.estimate])
            + facts.filter { list.columns[$0].link != nil } + list.places(of: [.labels])
        // The parts that are the same in all rows.
        let links = list.columns.map { column in column.link.map { "<bdi><a href=\"\($0.pathStart)" as HTML } }
        var buttons = RowButtons()
        // The ID of a row in the page.
        var id = HTML(capacity: 32)
        page += "<ol class=\"rows\" data-list=\"\(place.path)\">\n" as HTML
        for index in list.rows.indices {
            let row = list.rows[index]
            let name = row.webID(at: index)
            id.removeAll()
            id.add(text: name)
            let shown = row.marks(at: marks)
            page.add(shown.contains(.unread) ? "<li class=\"row unread\"" : "<li class=\"row\"")
            if let current = list.current, row.id == current { page.add(" aria-current=\"true\"") }
            page.add("><h2 dir=\"auto\" id=\"")
            page.add(Self.rowPrefix)
            page += id
            page.add("\">")
            addName(row.text(at: names) ?? "Untitled", of: row, id: name, to: &page)
            page.add("</h2><p class=\"facts\">")
            page += Self.signs[Int(shown.rawValue)]
            for place in others where row.cells.indices.contains(place) {
                addFact(row.cells[place], link: links[place], to: &page)
            }
            page.add("</p>")
            if let found = row.excerpt {
                page += excerpt(found)
            } else if let summary = row.summary {
                page.add("<p class=\"excerpt\" dir=\"auto\">")
                page.add(beginningOf: summary, upTo: Self.longestSummary)
                page.add("</p>")
            }
            if !row.actions.isEmpty {
                page.add("<p class=\"deeds\">")
                buttons.add(row.actions, row: id, to: &page)
                page.add("</p>")
            }
            page.add("</li>\n")
        }
        page.add("</ol>\n")
        if let last = list.rows.indices.last(where: { list.rows[$0].marks(at: marks).contains(.unread) }),
            let end = end(list.rows[last].actions, row: list.rows[last].webID(at: last))
        {
            page += end
        }
    }

    /// Adds a fact about a row; nothing if it is empty.
    ///
    /// - Parameter link: the start of the links of the column's words, up to the word in the address.
    private func addFact(_ cell: List.Cell, link: HTML?, to page: inout HTML) {
        switch cell {
        case .links(let words):
            if words.allSatisfy(\.isEmpty), words.count < 2 { return }
            page.add("<span>")
            if let link { Self.addWords(words, startingWith: link, to: &page) } else { page.add(isolated: cell.text) }
        case .day(let date, let offset):
            page.add("<span>")
            DateWords(date, offset: offset, now: now).add(to: &page)
        default:
            let text = cell.text
            if text.isEmpty { return }
            page.add("<span>")
            page.add(isolated: text)
        }
        page.add("</span>")
    }

    /// Returns the button below the rows that marks all of them as read, by the actions of the last unread row. Rows show theirs only to a pointer and to the
    /// keyboard, and a phone has neither.
    private func end(_ actions: [Action], row: String) -> HTML? {
        guard let action = actions.first(where: { $0.purpose == .readAbove }) else { return nil }
        let command = Self.command(action, row: row)
        return """
            <p class="end"><button name="\(Submission.Name.command)" value="\(command.text)">\(action.label)</button></p>

            """
    }

    /// The maximum length of a summary in a row, which shows one line of it.
    private static let longestSummary = 200

    /// Adds words that link to the lists of all articles with the word.
    private static func addWords(_ words: [String], startingWith link: HTML, to page: inout HTML) {
        for (place, word) in words.enumerated() {
            if place > 0 { page.add(", ") }
            page += link
            page.addLinkEnd(word)
            page.add("</a></bdi>")
        }
    }

    private func table(_ list: List) -> HTML {
        let columns = list.columns.enumerated().filter { $0.element.role != .identity && $0.element.role != .alias }
        let paths = list.rows.map { path(of: $0.event) }
        let hasActions = zip(list.rows, paths).contains { !$0.actions.isEmpty || $0.event != nil && $1 == nil }
        let head = columns.map { "<th scope=\"col\">\($0.element.title)</th>" as HTML }
        var buttons = RowButtons()
        let body = zip(list.rows, paths).enumerated().map { index, pair -> HTML in
            let (row, path) = pair
            let id = row.webID(at: index)
            let name: HTML = "\(id)"
            let cells = columns.map { place, column -> HTML in
                let value = row.cells.indices.contains(place) ? row.cells[place] : .text("")
                guard column.role == .primary else {
                    let kind: HTML? = column.role == .detail ? " class=\"detail\"" : nil
                    return "<td\(kind) data-label=\"\(column.title)\">\(cell(value))</td>"
                }
                let words = link(of: row, value.text, to: path) ?? "\(isolated: value.text)"
                return "<th scope=\"row\">\(Self.image(row.icon))\(words)</th>"
            }
            let command: HTML? =
                row.event != nil && path == nil
                ? "<button name=\"\(Submission.Name.command)\" value=\"\(Submission.Command.row(id).text)\" aria-describedby=\"\(Self.rowPrefix)\(id)\">\(list.choice ?? "Choose")</button>"
                : nil
            var buttonsOfRow: HTML = ""
            buttons.add(row.actions.filter { self.path(of: $0.event) == nil }, row: name, to: &buttonsOfRow)
            let links = row.actions.compactMap { action in
                self.path(of: action.event).map { path -> HTML in
                    "<a class=\"button\" href=\"\(path)\" aria-describedby=\"\(Self.rowPrefix)\(id)\">\(action.label)</a>"
                }
            }
            let last: HTML? =
                hasActions ? "<td class=\"deeds\">\(command)\(buttonsOfRow)\(links)</td>" : nil
            return "<tr id=\"\(Self.rowPrefix)\(id)\">\(cells)\(last)</tr>\n"
        }
        let last: HTML? = hasActions ? "<td></td>" : nil
        return
            "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"\(sentence: screen.title)\"><table class=\"sheet\"><thead><tr>\(head)\(last)</tr></thead><tbody>\n\(body)</tbody></table></div>\n"
    }

    private func cell(_ value: List.Cell) -> HTML {
        switch value {
        // A narrow page does not show cells without content.
        case .text(""): ""
        case .day(let date, let offset): DateWords(date, offset: offset, now: now).html()
        case .time(let date): DateWords(date, now: now).html()
        case .state(let state, let date): "\(state) \(DateWords(date, now: now).html(isWithin: true))"
        default: "\(isolated: value.text)"
        }
    }

    private func path(of event: AppEvent?) -> String? { event.flatMap { path(of: $0) } }

    private func link(of row: List.Row, _ text: String, to path: String?) -> HTML? {
        guard row.confirmation == nil, linksAreSafe, let path else { return nil }
        return "<bdi><a href=\"\(path)\">\(text)</a></bdi>"
    }

    /// Adds the name of the row as a link to its place.
    private func addName(_ words: String, of row: List.Row, id: String, to page: inout HTML) {
        if row.confirmation == nil, linksAreSafe, let destination = row.event.flatMap({ place.destination(of: $0) }) {
            // The heading isolates the name, and has the direction of its first letter.
            page.add("<a href=\"")
            addPath(of: destination, to: &page)
            page.add("\">")
            page.add(text: words)
            page.add("</a>")
        } else if row.event != nil {
            page +=
                "<button name=\"\(Submission.Name.command)\" value=\"\(Submission.Command.row(id).text)\">\(isolated: words)</button>"
        } else {
            page.add(isolated: words)
        }
    }

    private func excerpt(_ text: MarkedText) -> HTML {
        "<p class=\"excerpt\" dir=\"auto\">\(text.pieces.map { $0.isMarked ? "<mark>\($0.text)</mark>" : "\($0.text)" as HTML })</p>"
    }

    /// The marks for screen readers, for each combination. Others see them on the buttons of the row, except for the note.
    private static let signs = (UInt8(0)..<16).map { bits -> HTML in
        let marks = List.Marks(rawValue: bits)
        guard !marks.isEmpty else { return "" }
        let isNoted = marks.contains(.noted)
        let meanings = List.Marks.all.filter { marks.contains($0.mark) }.map(\.meaning).joined(separator: ", ")
        return """
            <span class="\(isNoted ? "signs" : "unseen")" role="img" aria-label="\(meanings)">\(isNoted ? Icon.note.html : nil)</span>
            """
    }

    /// The links and buttons to other rows of the list.
    private func moves(_ list: List) -> HTML? {
        guard list.earlier != nil || list.more != nil else { return nil }
        let places: [(String, AppEvent, AppRoute?)] =
            (list.earlier.map { [("First", $0.last, place.destination(of: $0.last)), ("Earlier", $0.some, $0.place)] }
                ?? [])
            + (list.more.map { [("More", $0.some, $0.place), ("Last", $0.last, nil)] } ?? [])
        let ways = places.map { label, event, destination -> HTML in
            let kind: HTML? =
                label == "More" ? " rel=\"next\"" : label == "Earlier" ? " rel=\"prev\" data-key=\"earlier\"" : nil
            if let destination {
                let after = label != "More" || list.total == nil ? nil : offset(of: list).map { $0 + list.rows.count }
                let path = PlaceAddress(destination, after: after).text
                return "<a class=\"button\" href=\"\(path)\"\(kind)>\(label)</a>"
            }
            // A script finds this button by its `data-key`.
            guard label == "Earlier" else { return Self.button(Action(label, event)) }
            return """
                <button name="\(Submission.Name.command)" value="\(Submission.Command.earlier.text)" data-key="earlier">\(label)</button>
                """
        }
        return "<form class=\"moves\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)\(ways)</form>\n"
    }
}

extension List {
    /// Returns the indices of the columns with these roles.
    fileprivate func places(of roles: [Column.Role]) -> [Int] {
        columns.indices.filter { roles.contains(columns[$0].role) }
    }
}

extension List.Row {
    /// Returns the text at an index; nil if it is empty.
    fileprivate func text(at place: Int?) -> String? {
        guard let place, cells.indices.contains(place) else { return nil }
        let text = cells[place].text
        return text.isEmpty ? nil : text
    }

    /// Returns the marks at an index.
    fileprivate func marks(at place: Int?) -> List.Marks {
        guard let place, cells.indices.contains(place), case .marks(let marks) = cells[place] else { return [] }
        return marks
    }
}

extension RoutePath {
    /// The path without parameters.
    fileprivate init(_ path: RoutePath) { self = path.parameters.keys.reduce(path) { $0.adding($1, nil) } }
}

/// The buttons on the rows of a list. Buttons of the same action differ only by the row, so the other parts are built
/// once. A page can have hundreds of rows.
struct RowButtons {
    private struct Made {
        let id: String
        let label: String
        /// The parts before, between, and after the two occurrences of the row's name.
        let parts: (Range<Int>, Range<Int>, Range<Int>)
    }

    private var made: [Made] = []
    /// The parts of all buttons.
    private var markup = HTML(capacity: 2_000)

    /// Adds the buttons of the actions on a row.
    mutating func add(_ actions: [Action], row id: HTML, to page: inout HTML) {
        // Use indices, because copying an action is slower than reading it.
        for place in actions.indices {
            let index =
                made.firstIndex { $0.id == actions[place].id && $0.label == actions[place].label }
                ?? make(actions[place])
            let parts = made[index].parts
            page.add(parts.0, of: markup)
            page += id
            page.add(parts.1, of: markup)
            page += id
            page.add(parts.2, of: markup)
        }
    }

    private mutating func make(_ action: Action) -> Int {
        let command = Submission.Command.action(action.id, row: "").text
        let icon = Icon(action.purpose)
        let label: HTML = icon == nil ? "\(action.label)" : "<span class=\"unseen\">\(action.label)</span>"
        let kind: HTML? = icon == nil ? nil : action.isOn ? " class=\"mark on\"" : " class=\"mark\""
        let end = action.lastNumber.map { Submission.Command.end(upTo: $0) } ?? ""
        let parts = (
            added("<button\(kind) name=\"\(Submission.Name.command)\" value=\"\(command)"),
            added("\(end)\"\(attribute: "data-key", action.purpose.name) aria-describedby=\"\(ScreenPage.rowPrefix)"),
            added("\"\(attribute: "title", icon == nil ? nil : action.label)>\(icon?.html)\(label)</button>")
        )
        made.append(Made(id: action.id, label: action.label, parts: parts))
        return made.count - 1
    }

    /// Adds a part, and returns its place in the markup.
    private mutating func added(_ part: HTML) -> Range<Int> {
        let start = markup.size
        markup += part
        return start..<markup.size
    }
}
