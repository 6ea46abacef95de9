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
