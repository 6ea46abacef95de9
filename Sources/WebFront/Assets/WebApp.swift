internal import AuthService
internal import HTTPServer
internal import Text

/// The parts that make the pages an app: the manifest, and the worker that shows articles while the server cannot be reached.
///
/// Their addresses are relative, so they also work below the path of a proxy. The worker may see all pages of the server,
/// because it lies beside them.
struct WebApp: Sendable {
    /// The page that the worker shows for other addresses.
    static let offlinePath = "/offline"
    /// The comment in that page at which the worker adds the articles.
    static let copiesMark: HTML = "<!--copies-->"
    /// The field that tells the worker to whom a page belongs.
    static let accountField: HTTPFieldName = "x-account"
    /// The account of pages for nobody. The worker removes all copies when it sees one.
    static let nobody = "none"
    /// The account of a page that says nothing about the user.
    static let unknown = "unknown"

    private let manifest: [UInt8]

    /// - Parameter name: the name of the library.
    init(name: String) {
        func icon(_ asset: Assets.Asset, _ sizes: String, _ type: String, purpose: String = "any") -> JSON {
            [
                "src": .string(String(asset.path.dropFirst())), "sizes": .string(sizes), "type": .string(type),
                "purpose": .string(purpose),
            ]
        }
        let json: JSON = [
            "name": .string(name), "short_name": .string(name), "start_url": "./", "scope": "./",
            "display": "standalone", "background_color": "#fdfcfa", "theme_color": "#1d4ed8",
            "icons": [
                icon(Assets.icon, "any", "image/svg+xml"), icon(Assets.smallIcon, "192x192", "image/png"),
                icon(Assets.largeIcon, "512x512", "image/png"),
                icon(Assets.maskableIcon, "512x512", "image/png", purpose: "maskable"),
            ],
            // Another app opens a form, which the user confirms, so sharing alone changes nothing.
            "share_target": [
                "action": "add", "method": "GET", "enctype": "application/x-www-form-urlencoded",
                "params": ["title": "title", "text": "text", "url": "url"],
            ],
        ]
        manifest = Array(json.description.utf8)
    }

    /// Returns the manifest or the worker; nil if the request is for something else.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        let (bytes, type, policy): ([UInt8], HTTPFieldValue, HTTPFieldValue)
        switch request.target.path {
        case "/manifest.webmanifest":
            (bytes, type, policy) = (manifest, "application/manifest+json", "default-src 'none'")
        case "/worker.js":
            (bytes, type, policy) = (
                Self.worker(below: request.prefix), "text/javascript; charset=utf-8",
                "default-src 'none'; connect-src 'self'"
            )
        default: return nil
        }
        return HTTPResponse(
            fields: [
                .contentType: type, .cacheControl: "no-cache", "x-content-type-options": "nosniff",
                "content-security-policy": policy,
            ], body: .bytes(bytes))
    }

    private static let worker = PackageResources.worker_js.compacted

    private static func worker(below prefix: String) -> [UInt8] {
        let assets = JSON.array(Assets.shell.map { .string(prefix + $0.path) })
        return Array("\"use strict\";\nconst assets = \(assets);\n".utf8) + worker
    }

    /// The elements of the head of a page that belong to the app.
    static func head(account: String) -> HTML {
        """
        <link rel="manifest" href="/manifest.webmanifest"><link rel="apple-touch-icon" href="\(Assets.smallIcon.path)">\
        <meta name="theme-color" content="#1d4ed8"><meta name="account" content="\(account)">
        """
    }

    /// Returns a name for the user of a session that reveals nothing, but differs between users.
    static func account(of session: Session?) -> String {
        guard let user = session?.user.id else { return nobody }
        return Base64URL.encode(Array(Sodium.key("account", from: Array(String(user).utf8)).prefix(9)))
    }
}
