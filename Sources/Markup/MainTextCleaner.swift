import CGumbo
import Text

/// Removes from the main text of a page what does not belong to it. See ``MainText``.
enum MainTextCleaner {
    static func clean(_ tree: inout HTMLTree, _ text: HTMLTree.ID, _ rules: MainTextSearch.Rules) {
        for table in tree.elements(in: text, [GUMBO_TAG_TABLE]) where isData(&tree, table) { tree.markDataTable(table) }
        let data = elementsInDataTables(tree, text)
        func removeSuspicious(_ tag: GumboTag) {
            guard rules.contains(.cleans) else { return }
            // From the last one to the first: what is inside is removed first.
            for id in tree.elements(in: text, [tag]).reversed()
            where !data.contains(id) && isSuspicious(&tree, id, tag, rules) {
                tree.remove(id)
            }
        }
        func remove(_ tags: HTMLTagSet) {
            for id in tree.elements(in: text, tags) where !tree[id].isVideo { tree.remove(id) }
        }
        removeSuspicious(GUMBO_TAG_FORM)
        removeSuspicious(GUMBO_TAG_FIELDSET)
        remove([GUMBO_TAG_OBJECT, GUMBO_TAG_EMBED])
        for id in tree.elements(in: text, [GUMBO_TAG_FOOTER, GUMBO_TAG_ASIDE]) { tree.remove(id) }
        removeShareButtons(&tree, text)
        remove([GUMBO_TAG_IFRAME])
        let inputs: HTMLTagSet = [GUMBO_TAG_INPUT, GUMBO_TAG_TEXTAREA, GUMBO_TAG_SELECT, GUMBO_TAG_BUTTON]
        for id in tree.elements(in: text, inputs) { tree.remove(id) }
        for id in tree.elements(in: text, [GUMBO_TAG_H1, GUMBO_TAG_H2])
        where rules.contains(.weighsNames) && tree[id].hints.weight < 0 {
            tree.remove(id)
        }
        removeSuspicious(GUMBO_TAG_TABLE)
        removeSuspicious(GUMBO_TAG_UL)
        removeSuspicious(GUMBO_TAG_DIV)
        // The title of the article is the only heading of level 1.
        for id in tree.elements(in: text, [GUMBO_TAG_H1]) { tree.rename(id, to: GUMBO_TAG_H2, "h2") }
        for id in tree.elements(in: text, [GUMBO_TAG_P]).reversed() {
            let facts = tree.facts(of: id)
            if facts.length == 0, facts.pictures + facts.embeds + facts.fallbacks == 0 { tree.remove(id) }
        }
    }

    /// Returns the elements inside tables with data. This takes linear time: a look at everything around each element would
    /// take minutes for a page of 400 KB with nested tables.
    private static func elementsInDataTables(_ tree: HTMLTree, _ text: HTMLTree.ID) -> Set<HTMLTree.ID> {
        var found: Set<HTMLTree.ID> = []
        let end = tree.element(after: text, skippingContent: true)
        var next = tree.element(after: text)
        while let id = next, id != end {
            if let parent = tree[id].parent, tree[parent].isDataTable || found.contains(parent) { found.insert(id) }
            next = tree.element(after: id)
        }
        return found
    }

    private static func removeShareButtons(_ tree: inout HTMLTree, _ text: HTMLTree.ID) {
        var part = tree.firstElement(in: text)
        while let id = part {
            let end = tree.element(after: id, skippingContent: true)
            var next = tree.element(after: id)
            while let element = next, element != end {
                let isShare = tree[element].hints.contains(.share) && tree.facts(of: element).length < 500
                next = tree.element(after: element, skippingContent: isShare)
                if isShare { tree.remove(element) }
            }
            part = tree.nextElement(id)
        }
    }

    /// Whether a table contains data. Others are used for layout.
    private static func isData(_ tree: inout HTMLTree, _ table: HTMLTree.ID) -> Bool {
        let node = tree[table]
        if node.value("role") == "presentation" || node.value("datatable") == "0" { return false }
        if node.value("summary")?.isEmpty == false { return true }
        let first = tree.firstElement(in: table)
        if let first, tree[first].tag == GUMBO_TAG_CAPTION, tree[first].first != nil { return true }
        let facts = tree.facts(of: table)
        if facts.tableParts > 0 { return true }
        if facts.tables > 0 { return false }
        var (rows, columns) = (0, 0)
        for row in tree.elements(in: table, [GUMBO_TAG_TR]) {
            rows += tree[row].span("rowspan")
            let cells = tree.elements(in: row, [GUMBO_TAG_TD])
            columns = max(columns, cells.reduce(0) { $0 + tree[$1].span("colspan") })
        }
        if columns == 1 || rows == 1 { return false }
        return rows >= 10 || columns > 4 || rows * columns > 10
    }

    /// Whether an element of the text is probably a part of the page that does not belong to the article.
    private static func isSuspicious(
        _ tree: inout HTMLTree, _ id: HTMLTree.ID, _ tag: GumboTag, _ rules: MainTextSearch.Rules
    ) -> Bool {
        let node = tree[id]
        let facts = tree.facts(of: id)
        let isList = tag == GUMBO_TAG_UL || facts.length > 0 && Double(facts.listLength) / Double(facts.length) > 0.9
        if node.isDataTable || facts.dataTables > 0
            || tree.isInside(id, depth: 4, where: { $0.tag == GUMBO_TAG_CODE })
        {
            return false
        }
        let weight = rules.contains(.weighsNames) ? node.hints.weight : 0
        if weight < 0 { return true }
        // Sentences have commas.
        if facts.plainCommas >= 10 || facts.videos > 0 { return false }
        if facts.length <= 20, fillers.contains(tree.text(of: id).lowercased()) { return true }
        let isInFigure = tree.isInside(id, depth: 4) { $0.tag == GUMBO_TAG_FIGURE }
        guard isUnlike(facts, weight: weight, isList: isList, isInFigure: isInFigure) else { return false }
        // A list of pictures stays.
        guard isList, facts.pictures == facts.items else { return true }
        return tree.children(of: id).contains { child in
            tree.firstElement(in: child).map { tree.nextElement($0) != nil } ?? false
        }
    }

    /// Whether the content is not like text.
    private static func isUnlike(_ facts: HTMLTree.Facts, weight: Double, isList: Bool, isInFigure: Bool) -> Bool {
        if !isInFigure, facts.pictures > 1, 2 * facts.paragraphs < facts.pictures { return true }
        if !isList, facts.items - 100 > facts.paragraphs { return true }
        if facts.inputs > facts.paragraphs / 3 { return true }
        if !isList, !isInFigure, facts.headingDensity < 0.9, facts.length < 25,
            facts.pictures == 0 || facts.pictures > 2, facts.linkDensity > 0
        {
            return true
        }
        if !isList, weight < 25, facts.linkDensity > 0.2 { return true }
        if weight >= 25, facts.linkDensity > 0.5 { return true }
        if facts.embeds == 1 && facts.length < 75 || facts.embeds > 1 { return true }
        return facts.pictures == 0 && !facts.hasText
    }

    /// The words that stand in the place of an advertisement or of a part that a script loads.
    private static let fillers: Set<String> = Set(
        ["ad", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама", "anuncio"]
            + ["loading", "正在加载", "загрузка", "chargement", "cargando"].flatMap { [$0, $0 + "…", $0 + "..."] })
}

extension HTMLTree.Node {
    /// The number of rows or columns that a part of a table spans.
    fileprivate func span(_ name: String) -> Int { min(max(value(name).flatMap { Int($0) } ?? 1, 1), 1_000) }
}
