import CGumbo
import Text

/// The search for the element with the main text of a page. See ``MainText``.
struct MainTextSearch {
    /// Rules that an attempt may leave out.
    struct Rules: OptionSet {
        let rawValue: Int

        /// Remove elements whose names are those of a part around the text.
        static let dropsUnlikely = Rules(rawValue: 1)
        /// The class and the ID count.
        static let weighsNames = Rules(rawValue: 2)
        /// Remove elements that look suspicious in the text.
        static let cleans = Rules(rawValue: 4)

        /// The rules of the attempts, from the strictest one.
        static let attempts: [Rules] = [
            [.dropsUnlikely, .weighsNames, .cleans], [.weighsNames, .cleans], [.cleans], [],
        ]
    }

    var tree: HTMLTree
    /// The line with the author.
    var byline: String?

    private let title: Set<Substring>
    private let findsByline: Bool
    private var scores: [HTMLTree.ID: Double] = [:]
    /// The elements whose text counts.
    private var scored: [HTMLTree.ID] = []
    private var rules: Rules = []

    init(_ tree: HTMLTree, title: String, findsByline: Bool) {
        (self.tree, self.findsByline) = (tree, findsByline)
        self.title = Set(Self.words(title.lowercased()))
    }

    /// Finds the main text, and moves it to an element of its own, which is not in the page.
    mutating func find(_ rules: Rules) -> HTMLTree.ID {
        self.rules = rules
        removeOthers()
        let candidates = candidates()
        let article = article(of: candidates)
        return collect(around: article)
    }
}

// MARK: - Preparation

extension MainTextSearch {
    /// Makes the tree uniform, before the first attempt.
    mutating func prepare() {
        for image in tree.elements(in: HTMLTree.root, [GUMBO_TAG_IMG]) where !tree[image].hasPicture {
            tree.remove(image)
        }
        for lineBreak in tree.elements(in: HTMLTree.root, [GUMBO_TAG_BR]) { replaceBreaks(lineBreak) }
        for font in tree.elements(in: HTMLTree.root, [GUMBO_TAG_FONT]) { tree.rename(font, to: GUMBO_TAG_SPAN, "span") }
    }

    /// Replaces two or more line breaks with a paragraph of the text after them.
    private mutating func replaceBreaks(_ lineBreak: HTMLTree.ID) {
        guard let parent = tree[lineBreak].parent else { return }
        var isChain = false
        while let next = nextNonblank(tree[lineBreak].next), tree[next].tag == GUMBO_TAG_BR {
            isChain = true
            while let between = tree[lineBreak].next, between != next { tree.remove(between) }
            tree.remove(next)
        }
        guard isChain else { return }
        let paragraph = tree.addElement(GUMBO_TAG_P, "p")
        tree.replace(lineBreak, with: paragraph)
        while let next = tree[paragraph].next, isPhrasing(next) {
            let after = tree[next].tag == GUMBO_TAG_BR ? nextNonblank(tree[next].next) : nil
            if let after, tree[after].tag == GUMBO_TAG_BR { break }
            tree.append(next, to: paragraph)
        }
        while let last = tree[paragraph].last, isBlank(last) { tree.remove(last) }
        if tree[parent].tag == GUMBO_TAG_P { tree.rename(parent, to: GUMBO_TAG_DIV, "div") }
    }

    /// Returns the first of the next siblings that is not white space.
    private func nextNonblank(_ id: HTMLTree.ID?) -> HTMLTree.ID? {
        var id = id
        while let node = id, tree[node].tag == nil, isBlank(node) { id = tree[node].next }
        return id
    }

    /// Whether a node is white space or a line break.
    private func isBlank(_ id: HTMLTree.ID) -> Bool {
        guard let tag = tree[id].tag else { return tree[id].text.collapsed.isEmpty }
        return tag == GUMBO_TAG_BR
    }

    /// Whether a node is text or belongs into a line of text.
    private func isPhrasing(_ id: HTMLTree.ID) -> Bool {
        guard let tag = tree[id].tag else { return true }
        if Self.phrasing.contains(tag) { return true }
        return Self.transparent.contains(tag) && tree.children(of: id).allSatisfy { isPhrasing($0) }
    }

    private static let phrasing: HTMLTagSet = [
        GUMBO_TAG_ABBR, GUMBO_TAG_AUDIO, GUMBO_TAG_B, GUMBO_TAG_BDO, GUMBO_TAG_BR, GUMBO_TAG_BUTTON, GUMBO_TAG_CITE,
        GUMBO_TAG_CODE, GUMBO_TAG_DATA, GUMBO_TAG_DATALIST, GUMBO_TAG_DFN, GUMBO_TAG_EM, GUMBO_TAG_EMBED, GUMBO_TAG_I,
        GUMBO_TAG_IMG, GUMBO_TAG_INPUT, GUMBO_TAG_KBD, GUMBO_TAG_LABEL, GUMBO_TAG_MARK, GUMBO_TAG_MATH,
        GUMBO_TAG_METER, GUMBO_TAG_NOFRAMES, GUMBO_TAG_OBJECT, GUMBO_TAG_OUTPUT, GUMBO_TAG_PROGRESS, GUMBO_TAG_Q,
        GUMBO_TAG_RUBY, GUMBO_TAG_SAMP, GUMBO_TAG_SELECT, GUMBO_TAG_SMALL, GUMBO_TAG_SPAN, GUMBO_TAG_STRONG,
        GUMBO_TAG_SUB, GUMBO_TAG_SUP, GUMBO_TAG_TEXTAREA, GUMBO_TAG_TIME, GUMBO_TAG_VAR, GUMBO_TAG_WBR,
    ]
    private static let transparent: HTMLTagSet = [GUMBO_TAG_A, GUMBO_TAG_DEL, GUMBO_TAG_INS]
}

// MARK: - Removal of other parts

extension MainTextSearch {
    /// Removes elements that do not belong to the text, makes paragraphs, and finds the elements whose text counts.
    private mutating func removeOthers() {
        var seeksTitle = true
        var next = tree.firstElement(in: HTMLTree.root)
        while let id = next {
            let node = tree[id]
            guard !isOther(id, node), !(seeksTitle && removesTitle(id, node, &seeksTitle)) else {
                next = tree.element(after: id, skippingContent: true)
                tree.remove(id)
                continue
            }
            if node.isIn(Self.scoredTags) { scored.append(id) }
            let place = node.tag == GUMBO_TAG_DIV ? makeParagraphs(in: id) : id
            next = tree.element(after: place)
        }
    }

    private static let scoredTags: HTMLTagSet = [
        GUMBO_TAG_SECTION, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6, GUMBO_TAG_P,
        GUMBO_TAG_TD, GUMBO_TAG_PRE,
    ]

    /// Whether an element does not belong to the text.
    private mutating func isOther(_ id: HTMLTree.ID, _ node: HTMLTree.Node) -> Bool {
        if !node.attributes.isEmpty {
            let role = node.value("role")
            if node.isHidden || role == "dialog" && node.value("aria-modal") == "true" { return true }
            if findsByline, byline == nil, let author = author(id, node) {
                byline = author
                return true
            }
            if rules.contains(.dropsUnlikely) {
                if node.hints.contains(.unlikely), !node.hints.contains(.maybe), node.tag != GUMBO_TAG_A,
                    !tree.isInside(id, depth: 4, where: { $0.tag == GUMBO_TAG_TABLE || $0.tag == GUMBO_TAG_CODE })
                {
                    return true
                }
                if let role, Self.unlikelyRoles.contains(role) { return true }
            }
        }
        if node.tag == GUMBO_TAG_NAV { return true }
        guard node.isIn(Self.emptyTags) else { return false }
        let facts = tree.facts(of: id)
        return facts.length == 0 && facts.elements == facts.breaks
    }

    private static let unlikelyRoles: Set = [
        "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
    ]
    private static let emptyTags: HTMLTagSet = [
        GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_HEADER, GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4,
        GUMBO_TAG_H5, GUMBO_TAG_H6,
    ]

    /// Returns the line with the author if the element is marked as such.
    private mutating func author(_ id: HTMLTree.ID, _ node: HTMLTree.Node) -> String? {
        let isAuthor =
            node.hints.contains(.author) || node.value("rel") == "author"
            || node.value("itemprop")?.contains("author") == true
        guard isAuthor, (1..<100).contains(tree.facts(of: id).length) else { return nil }
        let end = tree.element(after: id, skippingContent: true)
        var next = tree.element(after: id)
        while let inner = next, inner != end {
            if tree[inner].value("itemprop")?.contains("name") == true { return tree.text(of: inner) }
            next = tree.element(after: inner)
        }
        return tree.text(of: id)
    }

    /// Whether an element is a heading that repeats the title.
    private mutating func removesTitle(_ id: HTMLTree.ID, _ node: HTMLTree.Node, _ seeksTitle: inout Bool) -> Bool {
        guard node.tag == GUMBO_TAG_H1 || node.tag == GUMBO_TAG_H2, tree.facts(of: id).length < 1_000 else {
            return false
        }
        let words = Self.words(tree.text(of: id).lowercased())
        let count = words.reduce(words.count - 1) { $0 + $1.count }
        guard count > 0, !title.isEmpty else { return false }
        let others = words.filter { !title.contains($0) }
        let otherCount = others.isEmpty ? 0 : others.reduce(others.count - 1) { $0 + $1.count }
        guard Double(otherCount) / Double(count) < 0.25 else { return false }
        seeksTitle = false
        return true
    }

    private static func words(_ text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }

    /// Puts the text in a `div` into paragraphs, and makes the `div` itself one if it is only that.
    ///
    /// - Returns: The element in its place.
    private mutating func makeParagraphs(in id: HTMLTree.ID) -> HTMLTree.ID {
        var next = tree[id].first
        while let child = next {
            next = tree[child].next
            guard isPhrasing(child) else { continue }
            var phrase = [child]
            while let more = next, isPhrasing(more) {
                phrase.append(more)
                next = tree[more].next
            }
            let blanks = phrase.prefix(while: isBlank)
            phrase.removeFirst(blanks.count)
            blanks.forEach { tree.remove($0) }
            while let last = phrase.last, isBlank(last) {
                tree.remove(last)
                phrase.removeLast()
            }
            guard let first = phrase.first else { continue }
            let paragraph = tree.addElement(GUMBO_TAG_P, "p")
            tree.insert(paragraph, before: first)
            phrase.forEach { tree.append($0, to: paragraph) }
        }
        if let only = tree.onlyElement(in: id), tree[only].tag == GUMBO_TAG_P,
            tree.children(of: id).allSatisfy({ $0 == only || isBlank($0) }), tree.facts(of: id).linkDensity < 0.25
        {
            tree.replace(id, with: only)
            scored.append(only)
            return only
        }
        if tree.facts(of: id).blocks == 0 {
            tree.rename(id, to: GUMBO_TAG_P, "p")
            scored.append(id)
        }
        return id
    }
}

// MARK: - Scores

extension MainTextSearch {
    /// Gives points to the elements around the text, and returns the five with the most points, the best first.
    private mutating func candidates() -> [HTMLTree.ID] {
        var order: [HTMLTree.ID] = []
        for id in scored where tree[id].parent != nil {
            let facts = tree.facts(of: id)
            guard facts.length >= 25 else { continue }
            let points = Double(2 + facts.commas + min(facts.length / 100, 3))
            for (level, around) in tree.ancestors(of: id, upTo: 5).enumerated() {
                // The page itself gets points too, but it is used only without a better element.
                if scores[around] == nil {
                    scores[around] = startingScore(of: around)
                    order.append(around)
                }
                scores[around, default: 0] += points / Double(level < 2 ? level + 1 : level * 3)
            }
        }
        var best: [HTMLTree.ID] = []
        for id in order {
            let score = score(of: id) * (1 - tree.facts(of: id).linkDensity)
            scores[id] = score
            let index = best.firstIndex { score > self.score(of: $0) } ?? best.count
            best.insert(id, at: index)
            if best.count > 5 { best.removeLast() }
        }
        return best
    }

    private func score(of id: HTMLTree.ID) -> Double { scores[id] ?? 0 }

    private func startingScore(of id: HTMLTree.ID) -> Double {
        let node = tree[id]
        let kind: Double =
            switch node.tag {
            case GUMBO_TAG_DIV: 5
            case GUMBO_TAG_PRE, GUMBO_TAG_TD, GUMBO_TAG_BLOCKQUOTE: 3
            case GUMBO_TAG_ADDRESS, GUMBO_TAG_OL, GUMBO_TAG_UL, GUMBO_TAG_DL, GUMBO_TAG_DD, GUMBO_TAG_DT, GUMBO_TAG_LI,
                GUMBO_TAG_FORM:
                -3
            case GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6, GUMBO_TAG_TH: -5
            default: 0
            }
        return kind + (rules.contains(.weighsNames) ? node.hints.weight : 0)
    }

    /// Returns the element with the article.
    private mutating func article(of candidates: [HTMLTree.ID]) -> HTMLTree.ID {
        guard var article = candidates.first, article != HTMLTree.root else {
            let whole = tree.addElement(GUMBO_TAG_DIV, "div")
            for child in Array(tree.children(of: HTMLTree.root)) { tree.append(child, to: whole) }
            tree.append(whole, to: HTMLTree.root)
            scores[whole] = startingScore(of: whole)
            return whole
        }
        func parent(of id: HTMLTree.ID) -> HTMLTree.ID? { tree[id].parent.flatMap { $0 == HTMLTree.root ? nil : $0 } }

        // If three other elements have almost as many points, use the element around them.
        let others = candidates.dropFirst().filter { score(of: $0) / score(of: article) >= 0.75 }
            .map { tree.ancestors(of: $0) }
        if others.count >= 3 {
            var around = parent(of: article)
            while let id = around {
                if others.count(where: { $0.contains(id) }) >= 3 {
                    article = id
                    break
                }
                around = parent(of: id)
            }
        }
        if scores[article] == nil { scores[article] = startingScore(of: article) }

        // If the points rise outwards, the article is in several parts.
        var last = score(of: article)
        let least = last / 3
        var around = parent(of: article)
        while let id = around {
            around = parent(of: id)
            guard let score = scores[id] else { continue }
            if score < least { break }
            if score > last {
                article = id
                break
            }
            last = score
        }
        // A single child is without siblings, but its parent may have some.
        while let id = parent(of: article), tree.onlyElement(in: id) != nil { article = id }
        if scores[article] == nil { scores[article] = startingScore(of: article) }
        return article
    }

    /// Moves the article, and the siblings that belong to it, to a new element.
    private mutating func collect(around article: HTMLTree.ID) -> HTMLTree.ID {
        let text = tree.addElement(GUMBO_TAG_DIV, "div")
        let least = max(10, score(of: article) * 0.2)
        let bonus = score(of: article) * 0.2
        let name = tree[article].value("class") ?? ""
        var next = tree[article].parent.flatMap { tree.firstElement(in: $0) }
        while let id = next {
            next = tree.nextElement(id)
            let isSimilar = !name.isEmpty && tree[id].value("class") == name
            let hasPoints = scores[id].map { $0 + (isSimilar ? bonus : 0) >= least } ?? false
            guard id == article || hasPoints || isText(id) else { continue }
            if !tree[id].isIn(Self.keptTags) { tree.rename(id, to: GUMBO_TAG_DIV, "div") }
            tree.append(id, to: text)
        }
        return text
    }

    private static let keptTags: HTMLTagSet = [
        GUMBO_TAG_DIV, GUMBO_TAG_ARTICLE, GUMBO_TAG_SECTION, GUMBO_TAG_P, GUMBO_TAG_OL, GUMBO_TAG_UL,
    ]

    /// Whether an element is a paragraph of text: a long one with few links, or a sentence without links.
    private mutating func isText(_ id: HTMLTree.ID) -> Bool {
        guard tree[id].tag == GUMBO_TAG_P else { return false }
        let facts = tree.facts(of: id)
        if facts.length > 80 { return facts.linkDensity < 0.25 }
        guard facts.length > 0, facts.length < 80, facts.linkDensity == 0 else { return false }
        let text = tree.text(of: id)
        return text.hasSuffix(".") || text.contains(". ")
    }
}

extension HTMLTree.Node {
    /// Whether readers do not see the element.
    fileprivate var isHidden: Bool {
        if value("hidden") != nil { return true }
        if value("aria-hidden") == "true", value("class")?.contains("fallback-image") != true { return true }
        guard let style = value("style")?.lowercased() else { return false }
        return style.split(separator: ";").contains { rule in
            let parts = rule.split(separator: ":", maxSplits: 1).map(\.trimmed)
            guard parts.count == 2 else { return false }
            let value = parts[1].prefix { $0 != "!" && $0 != " " }
            return parts[0] == "display" && value == "none" || parts[0] == "visibility" && value == "hidden"
        }
    }

    /// Whether a picture has an address, or will have one by a script.
    fileprivate var hasPicture: Bool {
        attributes.contains { attribute in
            ["src", "srcset", "data-src", "data-srcset"].contains(attribute.name)
                || [".jpg", ".jpeg", ".png", ".webp"].contains { attribute.value.lowercased().contains($0) }
        }
    }
}
