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
        let (names, marks) = (list.places(of: [.primary]), list.places(of: [.mark]))
        let others = list.places(of: [.fact, .labels, .estimate])
        let items = list.rows.enumerated().html { index, row in
            let id = row.webID(at: index)
            let title = name(row.texts(at: names).first ?? "Untitled", of: row, id: id)
            let facts = row.texts(at: others).html { "<span>\($0)</span>" }
            let mark = row.texts(at: marks).first ?? ""
            let current: HTML? = row.id != nil && row.id == list.current ? " aria-current=\"true\"" : nil
            let isUnread: HTML? = mark.unicodeScalars.contains("•") ? " unread" : nil
            return """
                <li class="row\(isUnread)"\(current)><h2 id="\(Self.rowID(id))">\(title)</h2><p class="facts">\(signs(mark))\(facts)</p>\
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
                guard column.role == .primary else { return "<td>\(cell(text))</td>" }
                return "<th scope=\"row\">\(link(of: row, text, to: path) ?? "\(text)")</th>"
            }
            let deed: HTML? =
                row.event != nil && path == nil
                ? "<button name=\"\(Submission.Name.deed)\" value=\"\(Submission.Deed.row(id).text)\" aria-describedby=\"\(Self.rowID(id))\">\(list.choice ?? "Choose")</button>"
                : nil
            let last: HTML? =
                hasActions ? "<td class=\"deeds\">\(deed)\(row.actions.map { Self.button($0, row: id) })</td>" : nil
            return "<tr id=\"\(Self.rowID(id))\">\(cells)\(last)</tr>\n"
        }
        let last: HTML? = hasActions ? "<td></td>" : nil
        return
            "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"\(screen.title)\"><table><thead><tr>\(head)\(last)</tr></thead><tbody>\n\(body)</tbody></table></div>\n"
    }

    /// A date stays in one line.
    private func cell(_ text: String) -> HTML {
        let bytes = Array(text.utf8.prefix(18))
        let isDate = [10, 17].contains(bytes.count) && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
        return isDate ? "<time>\(text)</time>" : "\(text)"
    }

    private func path(of event: AppEvent?) -> String? { event.flatMap { path(of: $0) } }

    private func link(of row: List.Row, _ text: String, to path: String?) -> HTML? {
        guard row.confirmation == nil, linksAreSafe, let path else { return nil }
        return "<a href=\"\(path)\">\(text)</a>"
    }

    /// What a person tells the row by, leading to where it leads.
    private func name(_ words: String, of row: List.Row, id: String) -> HTML {
        if let link = link(of: row, words, to: path(of: row.event)) { return link }
        guard row.event != nil else { return "\(words)" }
        return "<button name=\"\(Submission.Name.deed)\" value=\"\(Submission.Deed.row(id).text)\">\(words)</button>"
    }

    private func actions(of row: List.Row, id: String) -> HTML? {
        row.actions.isEmpty ? nil : "<p class=\"deeds\">\(row.actions.html { Self.button($0, row: id) })</p>"
    }

    private func excerpt(_ text: MarkedText) -> HTML {
        "<p class=\"excerpt\">\(text.pieces.map { $0.isMarked ? "<mark>\($0.text)</mark>" : "\($0.text)" as HTML })</p>"
    }

    private static let meanings: [(sign: Unicode.Scalar, words: String)] = [
        ("•", "unread"), ("★", "starred"), ("◷", "for later"), ("✎", "with a note"),
    ]

    /// Signs, with what they mean for who does not see them.
    private func signs(_ text: String) -> HTML? {
        let present = Self.meanings.filter { text.unicodeScalars.contains($0.sign) }
        guard !present.isEmpty else { return nil }
        let signs = present.map { String($0.sign) }.joined()
        return """
            <span class="signs" role="img" aria-label="\(present.map(\.words).joined(separator: ", "))">\(signs)</span>
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
            return Self.button(Action(label, event))
        }
        return "<form class=\"moves\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)\(ways)</form>\n"
    }
}

extension List {
    /// Where in a row the columns of these roles are.
    fileprivate func places(of roles: [Column.Role]) -> [Int] {
        columns.indices.filter { roles.contains(columns[$0].role) }
    }
}

extension List.Row {
    /// What is said at these places, where something is.
    fileprivate func texts(at places: [Int]) -> [String] {
        places.compactMap { cells.indices.contains($0) && !cells[$0].isEmpty ? cells[$0] : nil }
    }
}

extension RoutePath {
    /// The path without parameters.
    fileprivate init(_ path: RoutePath) { self = path.parameters.keys.reduce(path) { $0.adding($1, nil) } }
}
