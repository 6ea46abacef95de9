internal import ArticleStore
internal import FlowCoordinators
internal import Navigation

extension ScreenPage {
    /// What the list is searched for; it narrows this list, whatever else narrows it already.
    func search(_ list: List) -> HTML? {
        guard let text = list.search, let path = RoutePath(parsing: place.path) else { return nil }
        let other = path.parameters.filter { !["search", "cursor"].contains($0.key) }.sorted { $0.key < $1.key }
            .map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" as HTML }
        return """
            <form class="search" role="search" action="\(RoutePath(path).text)">\(other)\
            <input type="search" name="search" value="\(text)" aria-label="Search" placeholder="Search" autocomplete="off">\
            <button>Search</button></form>

            """
    }

    /// The rows: where they lead somewhere or something can be done with each, one beneath another; else a table.
    func rows(_ list: List) -> HTML {
        guard !list.rows.isEmpty else { return "<p class=\"placeholder\">\(list.placeholder)</p>\n" }
        let rows = list.columns.contains { $0.role == .estimate || $0.role == .labels } ? cards(list) : table(list)
        return """
            \(count(list))<form class="list" method="post" action="\(address.text)">\(frame.hiddenFields)
            \(rows)</form>
            \(moves(list))
            """
    }

    private func count(_ list: List) -> HTML? {
        guard let total = list.total, let offset = list.offset, list.earlier != nil || list.more != nil else {
            return nil
        }
        return "<p class=\"count\">\(offset + 1)–\(offset + list.rows.count) of \(total)</p>\n"
    }

    private func cards(_ list: List) -> HTML {
        let items = list.rows.enumerated().map { index, row -> HTML in
            let id = row.webID(at: index)
            let facts = cells(of: row, in: list, with: [.fact, .labels, .estimate]).map {
                "<span>\($0.text)</span>" as HTML
            }
            let signs = cells(of: row, in: list, with: [.mark]).first.map { self.signs($0.text) }
            let current: HTML? = row.id != nil && row.id == list.current ? " aria-current=\"true\"" : nil
            let classes =
                cells(of: row, in: list, with: [.mark]).first?.text.contains("•") == true ? "row unread" : "row"
            return """
                <li class="\(classes)"\(current)><h2>\(name(of: row, id: id, in: list))</h2><p class="facts">\(signs)\(facts)</p>\
                \(row.excerpt.map { excerpt($0) })\(actions(of: row, id: id))</li>

                """
        }
        return "<ol class=\"rows\">\n\(items)</ol>\n"
    }

    private func table(_ list: List) -> HTML {
        let columns = list.columns.enumerated().filter { $0.element.role != .identity && $0.element.role != .alias }
        let paths = list.rows.map { path(of: $0.event) }
        let hasActions = zip(list.rows, paths).contains { !$0.actions.isEmpty || $0.event != nil && $1 == nil }
        let head = columns.map { "<th scope=\"col\">\($0.element.title)</th>" as HTML }
        let body = zip(list.rows, paths).enumerated().map { index, pair -> HTML in
            let (row, path) = pair
            let id = row.webID(at: index)
            let cells = columns.map { place, column -> HTML in
                let text = row.cells.indices.contains(place) ? row.cells[place] : ""
                guard column.role == .primary else { return "<td>\(text)</td>" }
                return "<th scope=\"row\">\(link(of: row, text, to: path) ?? "\(text)")</th>"
            }
            let deed: HTML? =
                row.event != nil && path == nil
                ? "<button name=\"\(Submission.Name.deed)\" value=\"\(Submission.Deed.row(id).text)\">\(list.choice ?? "Choose")</button>"
                : nil
            let last: HTML? =
                hasActions ? "<td class=\"deeds\">\(deed)\(row.actions.map { button($0, row: id) })</td>" : nil
            return "<tr>\(cells)\(last)</tr>\n"
        }
        let last: HTML? = hasActions ? "<td></td>" : nil
        return
            "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"\(screen.title)\"><table><thead><tr>\(head)\(last)</tr></thead><tbody>\n\(body)</tbody></table></div>\n"
    }

    private func path(of event: AppEvent?) -> String? { event.flatMap { path(of: $0) } }

    private func link(of row: List.Row, _ text: String, to path: String?) -> HTML? {
        guard row.confirmation == nil, linksAreSafe, let path else { return nil }
        return "<a href=\"\(path)\">\(text)</a>"
    }

    /// What a person tells the row by, leading to where it leads.
    private func name(of row: List.Row, id: String, in list: List) -> HTML {
        let text = cells(of: row, in: list, with: [.primary]).first?.text ?? ""
        let words = text.isEmpty ? "Untitled" : text
        if let link = link(of: row, words, to: path(of: row.event)) { return link }
        guard row.event != nil else { return "\(words)" }
        return "<button name=\"\(Submission.Name.deed)\" value=\"\(Submission.Deed.row(id).text)\">\(words)</button>"
    }

    private func actions(of row: List.Row, id: String) -> HTML? {
        row.actions.isEmpty ? nil : "<p class=\"deeds\">\(row.actions.map { button($0, row: id) })</p>"
    }

    private func excerpt(_ text: MarkedText) -> HTML {
        "<p class=\"excerpt\">\(text.pieces.map { $0.isMarked ? "<mark>\($0.text)</mark>" : "\($0.text)" as HTML })</p>"
    }

    private func cells(of row: List.Row, in list: List, with roles: [List.Column.Role]) -> [(
        title: String, text: String
    )] {
        zip(list.columns, row.cells).filter { roles.contains($0.role) && !$1.isEmpty }.map { ($0.title, $1) }
    }

    /// Signs, with what they mean for who does not see them.
    private func signs(_ text: String) -> HTML {
        let words: [(Character, String)] = [
            ("•", "unread"), ("★", "starred"), ("◷", "for later"), ("✎", "with a note"),
        ]
        let present = words.filter { text.contains($0.0) }
        guard !present.isEmpty else { return "" }
        let signs = String(present.map(\.0))
        return """
            <span class="signs" role="img" aria-label="\(present.map(\.1).joined(separator: ", "))">\(signs)</span>
            """
    }

    /// Ways to the rows that are not here.
    private func moves(_ list: List) -> HTML? {
        guard list.earlier != nil || list.more != nil else { return nil }
        let places: [(String, AppEvent, AppRoute?)] =
            (list.earlier.map { [("First", $0.last, place.destination(of: $0.last)), ("Earlier", $0.some, $0.place)] }
                ?? [])
            + (list.more.map { [("More", $0.some, $0.place), ("Last", $0.last, nil)] } ?? [])
        let ways = places.map { label, event, destination -> HTML in
            let kind: HTML? = label == "More" ? " rel=\"next\"" : nil
            if let destination { return "<a class=\"button\" href=\"\(destination.path)\"\(kind)>\(label)</a>" }
            return button(Action(label, event))
        }
        return "<form class=\"moves\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)\(ways)</form>\n"
    }
}

extension RoutePath {
    /// The path without parameters.
    fileprivate init(_ path: RoutePath) { self = path.parameters.keys.reduce(path) { $0.adding($1, nil) } }
}
