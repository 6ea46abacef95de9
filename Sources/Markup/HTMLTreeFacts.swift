import CGumbo
import Text

extension HTMLTree {
    /// The facts about the content of a node: sums over the nodes inside it, without the node itself.
    struct Facts {
        /// The number of characters. White space counts as one character.
        private var characters = 0
        private var beginsBlank = false
        private var endsBlank = false
        /// The number of commas of any script.
        private(set) var commas = 0
        /// The number of ASCII commas.
        private(set) var plainCommas = 0
        /// The number of characters in links. Those in links within the page count less.
        private(set) var linkLength = 0.0
        /// The number of characters in headings.
        private(set) var headingLength = 0
        /// The number of characters in lists; those in nested lists count again.
        private(set) var listLength = 0
        private(set) var elements = 0
        private(set) var paragraphs = 0
        private(set) var pictures = 0
        private(set) var items = 0
        private(set) var inputs = 0
        private(set) var embeds = 0
        /// The number of embedded videos of well-known sites.
        private(set) var videos = 0
        /// The number of `noscript` elements with a picture.
        private(set) var fallbacks = 0
        /// The number of line breaks and rules.
        private(set) var breaks = 0
        /// The number of elements that make the element around them a block.
        private(set) var blocks = 0
        private(set) var tables = 0
        private(set) var dataTables = 0
        /// The number of parts that only a table with data has.
        private(set) var tableParts = 0
        /// Whether there is text in an element that usually contains text.
        private(set) var hasText = false

        init() {}

        /// The facts about a text.
        init(text: UnsafeBufferPointer<UInt8>) {
            var isBlank = false
            var index = 0
            while index < text.count {
                let byte = text[index]
                let next = index + 1 < text.count ? text[index + 1] : 0
                if byte.isHTMLSpace || byte == 0x0B || byte == 0xC2 && next == 0xA0 {
                    if index == 0 { beginsBlank = true }
                    if !isBlank { characters += 1 }
                    isBlank = true
                    index += byte == 0xC2 ? 2 : 1
                    continue
                }
                isBlank = false
                if byte & 0xC0 != 0x80 { characters += 1 }
                if byte == UInt8(ascii: ",") {
                    (commas, plainCommas) = (commas + 1, plainCommas + 1)
                } else if byte >= 0xD8, Self.isComma(text[index...].prefix(3)) {
                    commas += 1
                }
                index += 1
            }
            endsBlank = isBlank
        }

        /// The number of characters without white space at the ends.
        var length: Int { max(characters - (beginsBlank ? 1 : 0) - (endsBlank ? 1 : 0), 0) }

        /// The share of the text that is in links.
        var linkDensity: Double { length == 0 ? 0 : linkLength / Double(length) }

        /// The share of the text that is in headings.
        var headingDensity: Double { length == 0 ? 0 : Double(headingLength) / Double(length) }

        /// Adds a child and the facts about its content.
        mutating func add(_ node: Node, _ inner: Facts) {
            if inner.characters > 0 {
                if characters == 0 { beginsBlank = inner.beginsBlank }
                characters += inner.characters - (characters > 0 && endsBlank && inner.beginsBlank ? 1 : 0)
                endsBlank = inner.endsBlank
            }
            commas += inner.commas
            plainCommas += inner.plainCommas
            linkLength += inner.linkLength
            headingLength += inner.headingLength
            listLength += inner.listLength
            elements += inner.elements
            paragraphs += inner.paragraphs
            pictures += inner.pictures
            items += inner.items
            inputs += inner.inputs
            embeds += inner.embeds
            videos += inner.videos
            fallbacks += inner.fallbacks
            breaks += inner.breaks
            blocks += inner.blocks
            tables += inner.tables
            dataTables += inner.dataTables
            tableParts += inner.tableParts
            hasText = hasText || inner.hasText
            if let tag = node.tag { count(node, tag, length: inner.length) }
        }

        private mutating func count(_ node: Node, _ tag: GumboTag, length: Int) {
            elements += 1
            if Self.blockTags.contains(tag) { blocks += 1 }
            if Self.textTags.contains(tag), length > 0 { hasText = true }
            switch tag {
            case GUMBO_TAG_A:
                // Links within the page are footnotes and tables of contents.
                let isInside = node.value("href").map { $0.hasPrefix("#") && $0.utf8.count > 1 } ?? false
                linkLength += Double(length) * (isInside ? 0.3 : 1)
            case GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6:
                headingLength += length
            case GUMBO_TAG_UL, GUMBO_TAG_OL: listLength += length
            case GUMBO_TAG_P: paragraphs += 1
            case GUMBO_TAG_IMG: pictures += 1
            case GUMBO_TAG_LI: items += 1
            case GUMBO_TAG_INPUT: inputs += 1
            case GUMBO_TAG_OBJECT, GUMBO_TAG_EMBED, GUMBO_TAG_IFRAME:
                embeds += 1
                if node.isVideo { videos += 1 }
            case GUMBO_TAG_NOFRAMES: fallbacks += 1
            case GUMBO_TAG_BR, GUMBO_TAG_HR: breaks += 1
            case GUMBO_TAG_TABLE:
                tables += 1
                if node.isDataTable { dataTables += 1 }
            case GUMBO_TAG_COL, GUMBO_TAG_COLGROUP, GUMBO_TAG_TFOOT, GUMBO_TAG_THEAD, GUMBO_TAG_TH: tableParts += 1
            default: break
            }
        }

        private static let blockTags: HTMLTagSet = [
            GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_DL, GUMBO_TAG_DIV, GUMBO_TAG_IMG, GUMBO_TAG_OL, GUMBO_TAG_P, GUMBO_TAG_PRE,
            GUMBO_TAG_TABLE, GUMBO_TAG_UL,
        ]
        private static let textTags: HTMLTagSet = [
            GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_DL, GUMBO_TAG_DIV, GUMBO_TAG_OL, GUMBO_TAG_P, GUMBO_TAG_PRE,
            GUMBO_TAG_TABLE, GUMBO_TAG_UL, GUMBO_TAG_SPAN, GUMBO_TAG_LI, GUMBO_TAG_TD,
        ]

        /// Whether bytes begin with one of the commas of other scripts
        /// (<https://en.wikipedia.org/wiki/Comma#Comma_variants>).
        private static func isComma(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            moreCommas.contains { bytes.starts(with: $0.utf8) }
        }

        private static let moreCommas = [
            "\u{060C}", "\u{FE50}", "\u{FE10}", "\u{FE11}", "\u{2E41}", "\u{2E34}", "\u{2E32}", "\u{FF0C}",
        ]
    }
}

extension HTMLTree.Node {
    /// Whether it embeds a video of a well-known site.
    var isVideo: Bool {
        attributes.contains { attribute in
            guard attribute.value.contains(bytesOf: "//") else { return false }
            let value = attribute.value.prefix(2_000).lowercased()
            return Self.videoSites.contains { value.contains("//" + $0) || value.contains("//www." + $0) }
        }
    }

    private static let videoSites = [
        "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com",
        "live.bilibili.com", "archive.org", "upload.wikimedia.org", "player.twitch.tv",
    ]
}
