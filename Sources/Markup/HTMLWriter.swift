/// Options for ``MarkupDocument/html(_:)`` that go beyond HTML that is safe on every page.
public struct HTMLOptions: Sendable {
    /// Whether to keep addresses without a scheme, which lead to the site that shows the page. Otherwise they are
    /// removed.
    public var keepsRelativeAddresses: Bool
    /// Whether to mark the tokens of code in known languages with `span` elements of fixed classes: see
    /// ``CodeToken/Kind``.
    public var highlightsCode: Bool
    /// Whether elements that may be wider than the page can be scrolled with the keyboard: code and tables get a
    /// `tabindex` and an accessible name, and a table is in a `div` of the class `scrolls`. The checkboxes of tasks get
    /// a name too.
    public var reachesScrolled: Bool
    /// Whether the page has a title of its own. Then headings are moved down one level if one of them is an `h1`.
    public var isBeneathTitle: Bool
    /// Whether pictures keep addresses that contain the picture itself, which begin with `data:image/`.
    package var keepsEmbeddedPictures = false

    /// Creates options. The defaults are the strictest.
    public init(
        keepsRelativeAddresses: Bool = false, highlightsCode: Bool = false, reachesScrolled: Bool = false,
        isBeneathTitle: Bool = false
    ) {
        self.keepsRelativeAddresses = keepsRelativeAddresses
        self.highlightsCode = highlightsCode
        self.reachesScrolled = reachesScrolled
        self.isBeneathTitle = isBeneathTitle
    }
}

extension MarkupDocument {
    /// Returns the document as HTML that is safe within any page, even if the document is hostile. Put it into an
    /// element that may contain blocks.
    ///
    /// It is written from the tree, whose cases are the elements that a text may have; to allow another, add a case. It
    /// consists of these elements only: `p h1…h6 pre code span blockquote ul ol li input dl dt dd
    /// table thead tbody tr th td hr br em strong del sup sub a img div section`. Their attributes, always quoted, are
    /// `href`, `rel`, `src`, `alt`, `id`, `class`, `start`, `type`, `value`, `align`, and those of a disabled checkbox.
    /// Links lead to `http`, `https`, and `mailto`, and pictures come from `http` and `https`. Other links are replaced
    /// by their text, other pictures by their description. Classes are `language-` and a name of letters, digits, and
    /// `+#-_.`; `footnotes`; `footnote-back`; and those of ``CodeToken/Kind``. Each `id`, and each link to one, begins
    /// with `user-content-`, so that it cannot clash with an element of the surrounding page.
    ///
    /// If the HTML is read again, the result is this document without the removed addresses, provided that its white
    /// space is in the normal form of a document that was read. Plain text becomes paragraphs.
    public func html(_ options: HTMLOptions = HTMLOptions()) -> String {
        var writer = HTMLWriter(options: options)
        writer.write(self)
        return String(decoding: writer.output, as: UTF8.self)
    }

    /// The prefix of every `id` in the HTML, such as that of a heading.
    package static let namePrefix = HTMLWriter.prefix
}

/// Writes a tree as HTML.
struct HTMLWriter {
    /// The prefix of every `id` in a page.
    static let prefix = "user-content-"

    /// The source of a picture, or the language of code, that marks raw HTML from a Markdown text. It is read again
    /// before it is shown.
    static let raw = "\0"

    /// The restrictions of the output; nil for none, so that raw HTML is written too.
    private let options: HTMLOptions?
    private(set) var output: [UInt8] = []
    private var names = HeadingNames()
    private var isInNotes = false
    /// The number of references to each footnote so far.
    private var references: [Int: Int] = [:]
    private var noteCount = 0
    /// The number of levels by which headings are moved down.
    private var descent = 0

    init(options: HTMLOptions) { self.options = options }

    private init() { options = nil }

    /// Returns the document with raw HTML, to be read again.
    static func unsafe(_ document: MarkupDocument) -> [UInt8] {
        var writer = HTMLWriter()
        writer.write(document)
        return writer.output
    }

    mutating func write(_ document: MarkupDocument) {
        noteCount = document.footnotes.count
        if options?.isBeneathTitle == true {
            document.blocks.forEachHeading { level, _, _ in if level <= 1 { descent = 1 } }
        }
        write(document.blocks)
        guard noteCount > 0 else { return }
        isInNotes = true
        put("<section class=\"footnotes\">\n<ol>\n")
        for (index, note) in document.footnotes.enumerated() {
            put("<li id=\"\(Self.prefix)fn-\(index + 1)\">\n")
            write(note)
            put("<a href=\"#\(Self.prefix)fnref-\(index + 1)\" class=\"footnote-back\">↩</a>\n</li>\n")
        }
        put("</ol>\n</section>\n")
    }

    private mutating func put(_ markup: String) { output.append(contentsOf: markup.utf8) }

    /// Writes a text escaped for an element or a quoted attribute.
    private mutating func putText(_ text: String) {
        output.append(escaping: text) { $0 == UInt8(ascii: "\r") ? "&#13;" : "\u{FFFD}" }
    }

    private mutating func put(_ name: String, _ value: String) {
        put(" \(name)=\"")
        putText(value)
        put("\"")
    }
}

// MARK: - Blocks

extension HTMLWriter {
    private mutating func write(_ blocks: [MarkupBlock]) {
        for block in blocks { write(block) }
    }

    private mutating func write(_ block: MarkupBlock) {
        switch block {
        case .paragraph(let inlines) where inlines.isAnchors:
            write(inlines)
            put("\n")
        case .paragraph(let inlines): write(inlines, in: "p")
        case .heading(let level, let id, let inlines):
            let level = min(max(level + descent, options?.isBeneathTitle == true ? 2 : 1), 6)
            put("<h\(level)")
            if options == nil {
                if let id { put("id", id) }
            } else if !isInNotes {
                put("id", Self.prefix + names.name(of: inlines, id: id))
            }
            put(">")
            write(inlines)
            put("</h\(level)>\n")
        case .code(let language, let code):
            if options == nil, language == Self.raw {
                put(code)
            } else {
                write(code: code, language)
            }
        case .preformatted(let inlines):
            // HTML ignores a line feed directly after the tag.
            put("<pre\(reach("Text"))>")
            if inlines.text.utf8.first == UInt8(ascii: "\n") { put("\n") }
            write(inlines)
            put("\n</pre>\n")
        case .lines(let text):
            for case .paragraph(let inlines) in text.paragraphs { write(inlines, in: "p") }
        case .quote(let blocks):
            put("<blockquote>\n")
            write(blocks)
            put("</blockquote>\n")
        case .list(let start, let style, let isTight, let items):
            put(start == nil ? "<ul>\n" : "<ol")
            if let start {
                if start != 1 { put(" start=\"\(start)\"") }
                if style != .decimal { put(" type=\"\(style.rawValue)\"") }
                put(">\n")
            }
            for item in items { write(item, isTight: isTight) }
            put(start == nil ? "</ul>\n" : "</ol>\n")
        case .definitionList(let definitions):
            put("<dl>\n")
            for definition in definitions {
                for term in definition.terms { write(term, in: "dt") }
                for blocks in definition.definitions {
                    put("<dd>\n")
                    write(blocks)
                    put("</dd>\n")
                }
            }
            put("</dl>\n")
        case .table(let alignments, let header, let rows):
            let isReached = options?.reachesScrolled == true
            if isReached { put("<div class=\"scrolls\"\(reach("Table"))>\n") }
            put("<table>\n<thead>\n")
            write(row: header, "th", alignments)
            put("</thead>\n")
            if !rows.isEmpty {
                put("<tbody>\n")
                for row in rows { write(row: row, "td", alignments) }
                put("</tbody>\n")
            }
            put("</table>\n")
            if isReached { put("</div>\n") }
        case .thematicBreak: put("<hr>\n")
        }
    }

    /// Attributes that make an element reachable with the keyboard and name it for screen readers.
    private func reach(_ name: String) -> String {
        options?.reachesScrolled == true ? " tabindex=\"0\" role=\"group\" aria-label=\"\(name)\"" : ""
    }

    private mutating func write(_ inlines: [MarkupInline], in element: String) {
        put("<\(element)>")
        write(inlines)
        put("</\(element)>\n")
    }

    private mutating func write(_ item: MarkupBlock.Item, isTight: Bool) {
        put(item.number.map { "<li value=\"\($0)\">" } ?? "<li>")
        if let isDone = item.isDone {
            let name = options?.reachesScrolled == true ? " aria-label=\"\(isDone ? "Done" : "To do")\"" : ""
            put("<input type=\"checkbox\" disabled=\"\"\(isDone ? " checked=\"\"" : "")\(name)> ")
        }
        var followsParagraph = false
        for block in item.blocks {
            guard isTight, case .paragraph(let inlines) = block else {
                followsParagraph = false
                put("\n")
                write(block)
                continue
            }
            if followsParagraph {
                write(inlines, in: "div")
            } else {
                write(inlines)
            }
            followsParagraph = true
        }
        put("</li>\n")
    }

    private mutating func write(
        row cells: [[MarkupInline]], _ element: String, _ alignments: [MarkupBlock.Alignment]
    ) {
        put("<tr>\n")
        for (index, cell) in cells.enumerated() {
            put("<\(element)")
            switch index < alignments.count ? alignments[index] : .left {
            case .left: break
            case .center: put(" align=\"center\"")
            case .right: put(" align=\"right\"")
            }
            put(">")
            write(cell)
            put("</\(element)>\n")
        }
        put("</tr>\n")
    }

    private mutating func write(code: String, _ language: String?) {
        put("<pre\(reach("Code"))><code")
        if let language, LanguageName.isName(language) { put("class", "language-\(language)") }
        put(">")
        if options?.highlightsCode == true, let language = language.flatMap(CodeLanguage.init(named:)) {
            for token in language.tokens(in: code) {
                guard let name = token.kind.htmlClass else {
                    putText(String(token.text))
                    continue
                }
                put("<span class=\"\(name)\">")
                putText(String(token.text))
                put("</span>")
            }
        } else {
            putText(code)
        }
        put("\n</code></pre>\n")
    }
}

// MARK: - Inlines

extension HTMLWriter {
    private mutating func write(_ inlines: [MarkupInline]) {
        for inline in inlines { write(inline) }
    }

    private mutating func write(_ inline: MarkupInline) {
        switch inline {
        case .text(let text): putText(text)
        case .lineBreak: put("<br>\n")
        case .emphasis(let inlines): write(inlines, span: "em")
        case .strong(let inlines): write(inlines, span: "strong")
        case .strikethrough(let inlines): write(inlines, span: "del")
        case .superscript(let inlines): write(inlines, span: "sup")
        case .subscript(let inlines): write(inlines, span: "sub")
        case .code(let text):
            put("<code>")
            putText(text)
            put("</code>")
        case .link(let destination, let inlines):
            guard let address = address(of: destination, isLink: true) else {
                write(inlines)
                return
            }
            put("<a")
            put("href", address)
            if options != nil { put("rel", "nofollow noopener noreferrer") }
            put(">")
            write(inlines)
            put("</a>")
        case .image(let source, let alternative):
            if options == nil, source == Self.raw {
                put(alternative)
                return
            }
            put("<img")
            if let address = address(of: source, isLink: false) { put("src", address) }
            put("alt", alternative)
            put(">")
        case .anchor(let name):
            put("<span")
            put("id", options == nil ? name : Self.prefix + name)
            put("></span>")
        case .footnote(let number):
            guard (1...max(noteCount, 1)).contains(number), noteCount > 0 else { return }
            let count = references[number, default: 0] + 1
            references[number] = count
            let id = "\(Self.prefix)fnref-\(number)" + (count == 1 ? "" : "-\(count)")
            put("<sup><a href=\"#\(Self.prefix)fn-\(number)\" id=\"\(id)\">\(number)</a></sup>")
        }
    }

    private mutating func write(_ inlines: [MarkupInline], span element: String) {
        put("<\(element)>")
        write(inlines)
        put("</\(element)>")
    }

    /// Returns the address if it may be written; else nil.
    private func address(of text: String, isLink: Bool) -> String? {
        guard let options else { return text.isEmpty ? nil : text }
        if text.utf8.first == UInt8(ascii: "#") {
            return isLink && text.utf8.count > 1 ? "#" + Self.prefix + text.dropFirst() : nil
        }
        // Browsers ignore control characters and spaces before a scheme, and line breaks and tabs within it.
        guard !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), text.utf8.first != 0x20 else {
            return nil
        }
        guard let scheme = URLReference(text).scheme else {
            // If there is a colon before the path, a browser could see a scheme where this parser does not.
            let hasColon = text.utf8.prefix { !"/?#".utf8.contains($0) }.contains(UInt8(ascii: ":"))
            return options.keepsRelativeAddresses && !hasColon ? text : nil
        }
        if !isLink, options.keepsEmbeddedPictures, text.hasPrefix("data:image/") { return text }
        guard ["http", "https"].contains(scheme.lowercased()) else {
            return isLink && scheme.lowercased() == "mailto" ? text : nil
        }
        // Without two slashes, a browser resolves the address against the site of the page if that has the same scheme.
        let isWhole = text.utf8.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8)
        return isWhole || options.keepsRelativeAddresses ? text : nil
    }
}

extension [MarkupInline] {
    /// Whether it contains only link targets.
    fileprivate var isAnchors: Bool { !isEmpty && allSatisfy { if case .anchor = $0 { true } else { false } } }
}

extension String {
    /// Plain text as paragraphs, with line breaks and spaces kept.
    fileprivate var paragraphs: [MarkupBlock] {
        var builder = TreeBuilder()
        builder.whiteSpace = .kept
        builder.add(self)
        return builder.finish()
    }
}
