import ArticleStore
import Text

/// OPML 2.0: the sources that are feeds.
struct OPMLExport: ExportWriter {
    let export: Export
    let sink: ByteSink
    var takesArticles: Bool { false }

    func begin() throws {
        try sink.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head>
                <title>\(XMLText.escaped(export.options.title))</title>
              </head>
              <body>

            """)
        var folders: [TagName: [Source]] = [:]
        for source in export.feeds {
            if source.facts.tags.isEmpty { try write(source, behind: "    ") }
            for tag in source.facts.tags { folders[tag, default: []].append(source) }
        }
        // Readers take an outline inside an outline for a folder. A feed with several tags is listed in each of their
        // folders.
        for (tag, sources) in folders.sorted(by: { $0.key < $1.key }) {
            let name = XMLText.escaped(tag.name, isValue: true)
            try sink.write("    <outline text=\"\(name)\" title=\"\(name)\">\n")
            for source in sources { try write(source, behind: "      ") }
            try sink.write("    </outline>\n")
        }
        try sink.write("  </body>\n</opml>\n")
    }

    private func write(_ source: Source, behind space: String) throws {
        let name = XMLText.escaped(source.name, isValue: true)
        var outline = #"\#(space)<outline text="\#(name)" title="\#(name)""#
        if let address = source.facts.feedURL.flatMap(WebAddress.valid) {
            outline += #" type="rss" xmlUrl="\#(XMLText.escaped(address, isValue: true))""#
        }
        if let home = source.facts.home.flatMap(WebAddress.valid) {
            outline += #" htmlUrl="\#(XMLText.escaped(home, isValue: true))""#
        }
        try sink.write(outline + "/>\n")
    }

    func add(_ exported: ExportedArticle) {}

    func end(_ check: () throws -> Void) {}
}
