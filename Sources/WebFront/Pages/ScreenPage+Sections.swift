internal import FlowCoordinators
internal import Text

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
