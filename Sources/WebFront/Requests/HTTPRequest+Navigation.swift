internal import HTTPServer
internal import Text

/// The purpose of a request, by the Fetch Metadata fields that browsers send over TLS and to the machine itself.
/// Source: <https://www.w3.org/TR/fetch-metadata/>.
extension HTTPRequest {
    /// Whether the user goes to the page: by a link, an address, or a reload. Only such a request may mark an article
    /// as read.
    ///
    /// A picture in an article, a frame, a prefetch, or another site that leads here without a click does not.
    var isNavigation: Bool {
        guard method == .get, !isPrefetch else { return false }
        guard let mode = text(of: "sec-fetch-mode") else { return acceptsPage && !isFromElsewhere }
        guard mode == "navigate", text(of: "sec-fetch-dest") == "document" else { return false }
        return isFromThisSite || text(of: "sec-fetch-user") == "?1"
    }

    /// Whether the user opens the page in a pane, which a script of this site fills. Other sites cannot send the field without
    /// the permission of this one.
    var opensPane: Bool { method == .get && fields[WebFront.opens] != nil && !isFromElsewhere }

    /// The path of the list that the page of the script already shows, so that the response does not need it.
    var shownList: String? { text(of: WebFront.opens) }

    /// Whether the user sees the response: by navigation, with a program such as curl, or because a script of this site asks
    /// for it. Only such a request may use up a notice for the next page.
    var isSeen: Bool {
        isNavigation || method == .get && !isPrefetch && (isOfProgram && !isFromElsewhere || isOfScript)
    }

    /// Whether a program sends the request, and no page: it accepts whatever comes. Browsers name the types of pages and pictures.
    var isOfProgram: Bool {
        text(of: "sec-fetch-mode") == nil && ["*/*", nil].contains(text(of: "accept"))
            && fields[WebFront.leadsTo] == nil
    }

    private var isOfScript: Bool { text(of: "sec-fetch-dest") == "empty" && isFromThisSite }

    /// Whether the browser loads the page before the user opens it.
    private var isPrefetch: Bool {
        // The second and third fields are from older browsers.
        ["sec-purpose", "purpose", "x-moz"].contains { text(of: $0)?.hasPrefix("prefetch") ?? false }
    }

    private var isFromThisSite: Bool { ["same-origin", "none"].contains(text(of: "sec-fetch-site") ?? "") }

    /// Whether the request is for a page, as browsers ask for one; they ask for pictures with other types.
    private var acceptsPage: Bool { text(of: "accept")?.contains(bytesOf: "text/html") ?? false }

    /// Whether a page of another site leads here.
    private var isFromElsewhere: Bool {
        guard let referer = text(of: "referer"), let host else { return false }
        return referer.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first != host[...]
    }

    /// The path of the page of this site from which the request comes; nil if the browser does not name it.
    var referrerPath: String? {
        guard let referer = text(of: "referer"), host != nil, !isFromElsewhere else { return nil }
        let parts = referer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let path = "/" + parts[3]
        return path.hasPrefix(prefix + "/") ? String(path.dropFirst(prefix.count)) : path
    }

    private func text(of name: HTTPFieldName) -> String? { fields[name]?.text }
}

/// A browser's name in a few words, for the list of sessions.
enum UserAgent {
    /// Returns a name such as `Firefox on Linux`, or `a browser` if it is unknown.
    ///
    /// - Parameter text: the value of the field `User-Agent`.
    static func name(_ text: String) -> String {
        // Each browser also contains the names of the following ones.
        let browsers = [
            ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"),
            ("Chrome", "Chrome"), ("Safari", "Safari"),
        ]
        let systems = [
            ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
            ("Linux", "Linux"),
        ]
        func first(_ names: [(mark: String, name: String)]) -> String? { names.first { text.contains($0.mark) }?.name }
        let browser = first(browsers) ?? "a browser"
        return first(systems).map { "\(browser) on \($0)" } ?? browser
    }
}
