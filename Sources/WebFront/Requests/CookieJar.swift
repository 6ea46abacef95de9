internal import AuthService
internal import FlowCoordinators
internal import HTTPServer
internal import Text

/// The cookies of this server in a browser: those of a request, and the changes for the response.
///
/// The flows store the session token here. Scripts cannot read the cookies (`HttpOnly`), and other sites cannot send
/// forms with them (`SameSite=Lax`). Over TLS, no other site or path can set them (`__Host-`), unless a proxy shows the
/// server below a path (`__Secure-`).
final class CookieJar {
    private enum Name {
        static let session = "session"
        static let browser = "browser"
        static let notice = "notice"
        static let filled = "filled"

        static func device(of user: Username) -> String {
            "device-" + Base64URL.encode(Array(Sodium.key("device", from: Array(user.text.utf8)).prefix(8)))
        }
    }

    private struct Change {
        let name: String
        /// Nil to remove the cookie.
        let value: String?
        /// The lifetime in seconds.
        let age: Int
    }

    /// The maximum lifetime of a cookie in browsers, in seconds. The service decides how long a session lasts.
    private static let long = 400 * 24 * 3_600
    /// The lifetime, in seconds, of cookies for the next page.
    private static let short = 60

    private let isSecure: Bool
    /// The path of the cookies: the prefix under which a proxy serves this server.
    private let path: String
    /// The cookies in order. If a name occurs twice, the last one counts.
    private var values: [(name: String, value: String)] = []
    private var changes: [Change] = []
    /// Whether a session was opened or ended since the request.
    private(set) var hasOtherSession = false

    /// Reads the cookies of a request.
    init(_ request: HTTPRequest) {
        isSecure = request.isSecure
        path = request.prefix.isEmpty ? "/" : request.prefix
        for field in request.fields.values(of: .cookie) {
            var rest = field.text.utf8[...]
            while !rest.isEmpty {
                let pair = rest.prefix { $0 != UInt8(ascii: ";") }
                rest = rest[pair.endIndex...].dropFirst()
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = pair[..<equals].drop { $0 == UInt8(ascii: " ") }
                values.append((String(Substring(name)), String(Substring(pair[equals...].dropFirst()))))
            }
        }
        browser = self[Name.browser].flatMap { BrowserKey($0) }
    }

    /// The key of the browser; nil at its first request.
    var browser: BrowserKey? {
        didSet { set(Name.browser, browser?.text, for: Self.long) }
    }

    /// An encrypted notice for the next page.
    var notice: String? {
        get { self[Name.notice] }
        set { if newValue != nil || self[Name.notice] != nil { set(Name.notice, newValue, for: Self.short) } }
    }

    /// The encrypted values of the form on the next page.
    var filled: String? {
        get { self[Name.filled] }
        set { if newValue != nil || self[Name.filled] != nil { set(Name.filled, newValue, for: Self.short) } }
    }

    /// The token of the session; nil if there is none.
    var session: String? { self[Name.session] }

    /// Writes the changed cookies into the fields of a response.
    func write(to fields: inout HTTPFields) {
        for change in changes {
            let text =
                "\(prefix)\(change.name)=\(change.value ?? ""); Path=\(path); Max-Age=\(change.value == nil ? 0 : change.age)"
                + "; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
            if let value = try? HTTPFieldValue(text) { fields.append(value, for: .setCookie) }
        }
        changes = []
    }

    /// Browsers accept `__Host-` only with the path `/`.
    private var prefix: String { isSecure ? path == "/" ? "__Host-" : "__Secure-" : "" }

    private subscript(name: String) -> String? {
        let name = prefix + name
        return values.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    private func set(_ name: String, _ value: String?, for age: Int) {
        values.removeAll { $0.name == prefix + name }
        if let value { values.append((prefix + name, value)) }
        changes.removeAll { $0.name == name }
        changes.append(Change(name: name, value: value, age: age))
    }
}

extension CookieJar: TokenStore {
    func load() -> String? { session }

    func save(_ token: String) {
        set(Name.session, token, for: Self.long)
        hasOtherSession = true
    }

    func remove() {
        guard session != nil else { return }
        set(Name.session, nil, for: 0)
        hasOtherSession = true
    }

    func device(of user: Username) -> DeviceToken? { self[Name.device(of: user)].flatMap { DeviceToken($0) } }

    func save(_ device: DeviceToken, of user: Username) { set(Name.device(of: user), device.text, for: Self.long) }
}
