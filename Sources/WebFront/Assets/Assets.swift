internal import AuthService
internal import HTTPServer

/// The files that every page loads. Their names contain a hash of their contents, so that browsers can cache them
/// forever.
struct Assets: Sendable {
    /// A file.
    struct Asset: Sendable {
        let path: String
        let bytes: [UInt8]
        let type: HTTPFieldValue

        fileprivate init(_ name: String, _ ending: String, _ bytes: [UInt8], type: HTTPFieldValue) {
            path = "/assets/\(name)-\(Sodium.digest(bytes).prefix(8)).\(ending)"
            self.bytes = bytes
            self.type = type
        }
    }

    static let style = Asset("style", "css", PackageResources.style_css.compactedStyle, type: "text/css; charset=utf-8")
    static let script = Asset(
        "script", "js", PackageResources.script_js.compacted, type: "text/javascript; charset=utf-8")
    static let app = Asset("app", "js", PackageResources.app_js.compacted, type: "text/javascript; charset=utf-8")
    static let icon = Asset("icon", "svg", PackageResources.icon_svg, type: "image/svg+xml")
    /// The icon for systems that cannot draw SVG.
    static let smallIcon = Asset("icon-192", "png", PackageResources.icon_192_png, type: "image/png")
    static let largeIcon = Asset("icon-512", "png", PackageResources.icon_512_png, type: "image/png")
    /// The icon of which a system may cut the corners.
    static let maskableIcon = Asset("icon-maskable", "png", PackageResources.icon_maskable_png, type: "image/png")

    /// The files without which a page cannot be shown.
    static let shell = [style, script, app, icon]

    private let byPath = Dictionary(
        uniqueKeysWithValues: (Self.shell + [Self.smallIcon, Self.largeIcon, Self.maskableIcon]).map { ($0.path, $0) })

    /// Returns the requested file; nil if the request is for something else.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard let asset = byPath[request.target.path] else { return nil }
        return HTTPResponse(
            fields: [
                .contentType: asset.type, .cacheControl: "public, max-age=31536000, immutable",
                "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'",
            ], body: .bytes(asset.bytes))
    }
}

extension [UInt8] {
    /// The text without indentation, empty lines, lines that are comments, and line breaks after `{`, `;`, `,`, and `(`. Browsers
    /// need none of these.
    ///
    /// A comment must begin on a line of its own, and a comment of a style sheet must end on the same line.
    var compacted: [UInt8] {
        split(separator: UInt8(ascii: "\n")).reduce(into: []) { text, line in
            let words = line.drop { $0 == UInt8(ascii: " ") }
            guard !words.isEmpty, !words.starts(with: "//".utf8), !words.starts(with: "/*".utf8) else { return }
            text += words
            if let last = words.last, !"{;,(".utf8.contains(last) { text.append(UInt8(ascii: "\n")) }
        }
    }

    /// The style sheet without comments, and without the spaces and semicolons that its punctuation makes superfluous.
    var compactedStyle: [UInt8] {
        let (space, newline, quote) = (UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\""))
        var style: [UInt8] = []
        var isQuoted = false
        var spaces = 0
        for byte in compacted {
            if !isQuoted, byte == space || byte == newline {
                spaces += 1
                continue
            }
            let separates = style.last.map { !"{};:,".utf8.contains($0) } ?? false
            if spaces > 0, separates, !"{}".utf8.contains(byte) { style.append(space) }
            spaces = 0
            if !isQuoted, byte == UInt8(ascii: "}"), style.last == UInt8(ascii: ";") { style.removeLast() }
            if byte == quote { isQuoted.toggle() }
            style.append(byte)
        }
        return style
    }
}
