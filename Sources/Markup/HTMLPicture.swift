import CGumbo
import Text

/// A picture of a page: its address and its description.
struct HTMLPicture {
    /// The address; empty if the picture is embedded in the page.
    let source: String
    let alternative: String

    /// Returns nil for a picture without an address and a description, and for a tracking pixel.
    init?(_ node: HTMLNode) {
        // A picture of one pixel counts visitors.
        if let width = node.attribute("width"), let height = node.attribute("height"), ["0", "1"].contains(width),
            ["0", "1"].contains(height)
        {
            return nil
        }
        alternative = (node.value("alt") ?? node.value("title") ?? "").collapsed
        source = Self.source(of: node) ?? ""
        if source.isEmpty, alternative.isEmpty { return nil }
    }

    /// Returns the pictures in the text of a `noscript`, where pages repeat pictures that a script loads.
    static func all(inFallback html: UnsafeBufferPointer<UInt8>) -> [HTMLPicture] {
        guard html.count <= fallbackLimit, let start = html.baseAddress else { return [] }
        return start.withMemoryRebound(to: CChar.self, capacity: html.count) { start in
            guard let page = cgumbo_read(start, html.count) else { return [] }
            defer { cgumbo_free(page) }
            var pictures: [HTMLPicture] = []
            HTMLNode(cgumbo_document(page)).forEachNode { node in
                if node.element == .image, let picture = HTMLPicture(node), !picture.source.isEmpty {
                    pictures.append(picture)
                }
                return true
            }
            return pictures
        }
    }

    /// Longer `noscript` texts contain more than pictures.
    private static let fallbackLimit = 64 << 10

    /// Returns the address, even if a script sets it later. Then `src` is missing or contains a placeholder.
    private static func source(of image: HTMLNode) -> String? {
        if let source = source(
            ["data-src", "data-original", "data-lazy-src"], ["data-srcset", "data-lazy-srcset"], image)
            ?? source(["src"], ["srcset"], image)
        {
            return source
        }
        guard let picture = image.parent, picture.isPicture else { return nil }
        // Limit the siblings: otherwise many pictures in one element would take quadratic time.
        for child in picture.children.prefix(32) where child.isElement && child.tag == GUMBO_TAG_SOURCE {
            if let source = source(["data-src"], ["data-srcset", "data-lazy-srcset", "srcset"], child) {
                return source
            }
        }
        return nil
    }

    private static func source(_ addresses: [String], _ sets: [String], _ node: HTMLNode) -> String? {
        addresses.lazy.compactMap { node.value($0).map(HTMLReader.address) }.first(where: isOutside)
            ?? sets.lazy.compactMap { node.value($0).flatMap(best(of:)) }.first
    }

    /// Whether an address leads out of the page and is not a template for a script.
    static func isOutside(_ address: String) -> Bool {
        let start = address.prefix(6).lowercased()
        return !address.isEmpty && !["data:", "blob:", "about:"].contains { start.hasPrefix($0) }
            && address.utf8.first != UInt8(ascii: "{")
    }

    /// Returns the address in `srcset` of the largest picture that is not wider than usual pages.
    private static func best(of set: String) -> String? {
        var best: (address: String, size: Double)?
        var rest = set.utf8[...]
        while true {
            rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return best?.address }
            var address = rest.prefix { !$0.isHTMLSpace }
            rest = rest[address.endIndex...]
            var size = 1.0
            if address.last == UInt8(ascii: ",") {
                while address.last == UInt8(ascii: ",") { address.removeLast() }
            } else {
                let descriptor = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[descriptor.endIndex...]
                let number = String(Substring(descriptor)).trimmed
                size = Double(number.dropLast()) ?? 1
                if number.hasSuffix("x") { size *= pixelsOfDensity }
            }
            let text = HTMLReader.address(String(Substring(address)))
            guard isOutside(text) else { continue }
            // Of pictures that are too large, prefer the smallest.
            let isBetter =
                best.map { best in
                    size <= sizeLimit ? size > best.size || best.size > sizeLimit : size < best.size
                } ?? true
            if isBetter { best = (text, size) }
        }
    }

    private static let sizeLimit = 1600.0
    /// The width that density 1x stands for. 2x is wide enough, and 3x is wider than necessary.
    private static let pixelsOfDensity = 800.0
}

extension HTMLNode {
    fileprivate var isPicture: Bool { isElement && tag == GUMBO_TAG_UNKNOWN && name == "picture" }
}
