import CGumbo
import Text

/// The main text of a page: the article without menus, advertisements, comments, and links to other articles.
///
/// The algorithm, its numbers, and its lists of words are those of Readability by Arc90 and Mozilla
/// (`readability-copyright.txt`), which scores the elements of a page:
///
/// 1. Elements are removed if they are hidden, empty, a `nav`, repeat the title, or have a class or an ID such as `sidebar`. A
///    `div` without blocks becomes a paragraph, and so does text between blocks.
/// 2. Each paragraph of 25 characters or more gives points to the five elements around it: one, one for each comma, and
///    one for each 100 characters, up to three. The element around the paragraph gets all points, the next one half, and
///    the others less. The kind, the class, and the ID of an element also count. Text in links reduces the points.
/// 3. The element with the most points is the article. Siblings belong to it if they have a fifth of its points, or if
///    they are paragraphs of text. If several elements have almost as many points, the element around them is used.
/// 4. In the article, forms, buttons, frames, and lists of links are removed, and tables, lists, and `div` elements that
///    consist mostly of links, pictures, or inputs.
/// 5. If fewer than 500 characters remain, the steps are repeated with milder rules. The longest result is used.
///
/// The steps take linear time, and the size of the page is limited. Unlike Readability, lazy pictures and relative links
/// stay as they are, because ``MarkupDocument`` reads them.
package struct MainText: Sendable {
    /// The main text as HTML. It may contain what a browser must not run, as every page.
    package let html: String
    /// The line with the author that is above the text; nil if there is none.
    package let byline: String?
    /// The number of characters of the text.
    package let length: Int

    /// Extracts the main text; nil if the page is without text, too large, or malicious.
    ///
    /// - Parameters:
    ///   - html: The page.
    ///   - title: The title of the article. A heading that repeats it is not part of the text.
    ///   - findsByline: Whether to remove the line with the author from the text.
    package init?(_ html: String, title: String, findsByline: Bool) {
        var html = html
        let found = html.withUTF8 { bytes -> MainText? in
            guard bytes.count <= HTMLReader.sizeLimit else { return nil }
            guard let renamed = HTMLSource.renamingNoscript(in: bytes) else {
                return Self.read(bytes, title, findsByline)
            }
            return renamed.withUnsafeBufferPointer { Self.read($0, title, findsByline) }
        }
        guard let found else { return nil }
        self = found
    }

    private static func read(
        _ html: UnsafeBufferPointer<UInt8>, _ title: String, _ findsByline: Bool
    ) -> MainText? {
        let tree = html.withMemoryRebound(to: CChar.self) { characters -> HTMLTree? in
            guard let start = characters.baseAddress, let page = cgumbo_read(start, characters.count) else {
                return nil
            }
            defer { cgumbo_free(page) }
            return HTMLTree(HTMLNode(cgumbo_document(page)))
        }
        guard let tree else { return nil }
        return MainText(tree, title, findsByline)
    }

    /// A text with fewer characters is probably not the article.
    private static let enough = 500

    private init?(_ tree: HTMLTree, _ title: String, _ findsByline: Bool) {
        var prepared = MainTextSearch(tree, title: title, findsByline: findsByline)
        prepared.prepare()
        var best: (search: MainTextSearch, text: HTMLTree.ID, length: Int)?
        for rules in MainTextSearch.Rules.attempts {
            var search = prepared
            let text = search.find(rules)
            MainTextCleaner.clean(&search.tree, text, rules)
            let length = search.tree.facts(of: text).length
            // The line with the author was found once, so that the next attempts do not look for it.
            prepared.byline = search.byline
            if length > best?.length ?? 0 { best = (search, text, length) }
            if length >= Self.enough { break }
        }
        guard let best else { return nil }
        html = best.search.tree.html(in: best.text)
        byline = prepared.byline
        length = best.length
    }
}
