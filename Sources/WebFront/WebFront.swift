package import LibraryServices
internal import ArticleStore
package import AuthService
internal import FlowCoordinators
package import HTTPServer
internal import Navigation

/// The front for browsers: each place of the application is an address, and each screen is a page.
///
/// It draws menus, forms, lists, and documents, and does not depend on specific screens. Places are links. Actions are
/// forms, which redirect to the address of their result. The front stores nothing for a browser that only reads.
///
/// - The address of a place also contains the list that led to it, so back, reload, bookmarks, and several tabs need no
///   state in the server.
/// - The login form is shown at the requested place and submitted there, so no form carries an address to return to.
/// - A form sends the ID of its action. The server looks it up on the current screen. If the screen does not have it any
///   more, such as after another tab did the same, the page says so.
/// - The database keeps a visit only between steps that belong together, such as the steps of a registration. Any server
///   of the library can handle the next step.
/// - A random key in a cookie identifies the browser, and the token of its forms is derived from it. It changes with
///   every login and logout.
package struct WebFront: Sendable {
    private let services: Services
    private let settings: WebFrontSettings
    private let pages: Pages
    private let assets = Assets()
    private let app: WebApp

    /// Creates a front.
    ///
    /// - Parameters:
    ///   - services: the accounts, the library, and the data of users.
    ///   - visits: the visits of browsers, which all servers of the library share.
    ///   - settings: the operator's settings.
    ///   - work: the thread pool for expensive requests.
    package init(
        services: Services, visits: any VisitRepository, settings: WebFrontSettings = WebFrontSettings(),
        work: ExpensiveWork = ExpensiveWork()
    ) {
        self.init(
            services: services, visits: visits, settings: settings, work: work,
            randomBytes: { Sodium.randomBytes($0) })
    }

    package init(
        services: Services, visits: any VisitRepository, settings: WebFrontSettings = WebFrontSettings(),
        work: ExpensiveWork = ExpensiveWork(), randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.services = services
        self.settings = settings
        app = WebApp(name: settings.name)
        pages = Pages(
            settings: settings, pictures: services.pictures, visits: Visits(visits), work: work,
            clock: services.clock, randomBytes: randomBytes)
    }

    /// Responds to a request of a browser.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var response = await answered(request)
        if !request.prefix.isEmpty { response = response.below(request.prefix) }
        if request.isSecure { response.fields["strict-transport-security"] = "max-age=31536000" }
        return response
    }

    private func answered(_ request: HTTPRequest) async -> HTTPResponse {
        switch request.method {
        case .get, .head: await page(request)
        case .post: await command(request)
        default: HTTPResponse(.methodNotAllowed, fields: [.allow: "GET, HEAD, POST"])
        }
    }

    /// A field with which a script asks for the target of a redirect, and with which the response states it. The notice
    /// for the next page is then left for the request of that page.
    static let leadsTo: HTTPFieldName = "x-leads-to"

    /// A field with which a script opens a page in a pane. Its value is the path of the list that stays beside it, or `pane`.
    static let opens: HTTPFieldName = "x-opens"

    private func page(_ request: HTTPRequest) async -> HTTPResponse {
        if let asset = assets.response(to: request) { return asset }
        if let part = app.response(to: request) { return part }
        if request.target.path == WebApp.offlinePath { return pages.offline }
        if let source = Source.uid(inIconPath: request.target.path) { return await icon(of: source, for: request) }
        if let picture = PictureUID(path: request.target.path) { return await self.picture(picture, for: request) }
        if let (address, link) = PlaceAddress.link(request.target) {
            return await visit(request).follow(link, in: address, for: request).response
        }
        guard let address = PlaceAddress(request.target) else {
            return await missing(request)
        }
        return await respond(at: address, for: request) { await $0.show($1, for: request) }
    }

    /// Returns the icon of a source. It needs no login: see ``Source/iconPath``.
    private func icon(of source: SourceUID, for request: HTTPRequest) async -> HTTPResponse {
        do {
            guard let icon = try await services.subscriptions.icon(of: source) else { return pages.missing() }
            return try image(icon.bytes, type: icon.type, cached: "private, max-age=86400", for: request)
        } catch {
            return pages.failure(error)
        }
    }

    /// Returns a picture of an article. It needs no login: see ``PictureUID``.
    private func picture(_ uid: PictureUID, for request: HTTPRequest) async -> HTTPResponse {
        do {
            guard let picture = try await services.pictures?.picture(uid) else { return pages.missing() }
            return try image(
                picture.bytes, type: picture.type.rawValue, cached: "private, max-age=31536000, immutable",
                for: request)
        } catch {
            return pages.failure(error)
        }
    }

    private func image(
        _ bytes: [UInt8], type: String, cached: HTTPFieldValue, for request: HTTPRequest
    ) throws -> HTTPResponse {
        let tag = "\"\(Sodium.digest(bytes))\""
        var fields: HTTPFields = [
            .cacheControl: cached, "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'",
            // Apps that show the image may run in a browser, on another site.
            "cross-origin-resource-policy": "cross-origin",
        ]
        (fields[.contentType], fields[.eTag]) = (try HTTPFieldValue(type), try HTTPFieldValue(tag))
        if request.hasCopy(tagged: tag) {
            return HTTPResponse(.notModified, fields: fields)
        }
        return HTTPResponse(fields: fields, body: .bytes(bytes))
    }

    private func command(_ request: HTTPRequest) async -> HTTPResponse {
        guard let address = PlaceAddress(request.target) else { return await missing(request) }
        // Check this before reading the body, which may be long.
        guard request.isFromHere else { return foreignForm }
        guard let submission = Submission(request) else {
            return await explain(to: request) { [pages] in
                pages.message(
                    "Bad request", "The request is not a form of this site.", status: .badRequest, in: $0)
            }
        }
        let isKnown = CookieJar(request).browser?.recognises(submission.formToken) ?? false
        let response = await respond(at: address, for: request) {
            await isKnown
                ? $0.submit(submission, at: $1, for: request) : $0.showAgain(submission, at: $1, for: request)
        }
        return request.fields[Self.leadsTo] == nil ? response : response.withRedirectInHeader
    }

    private func missing(_ request: HTTPRequest) async -> HTTPResponse {
        await explain(to: request) { [pages] in pages.missing(in: $0) }
    }

    /// Returns a page about an error. If the browser has a session, the page has the sections of its user.
    private func explain(
        to request: HTTPRequest, _ page: @escaping @Sendable (PageFrame?) -> HTTPResponse
    ) async -> HTTPResponse {
        // Without a session, the plain page is enough and costs nothing.
        if CookieJar(request).session == nil { return page(nil) }
        return await visit(request).explain(to: request) { page($0) }.response
    }

    /// The page for a form from another site. It does not read the session, which that site could do without limit.
    private var foreignForm: HTTPResponse {
        pages.message(
            "Form from another site", "Another site sent this form. Open the page here, and submit its form.",
            status: .forbidden)
    }

    /// Calls a new visit, which continues the one in the address if there is one, and keeps it if necessary.
    private func respond(
        at address: PlaceAddress, for request: HTTPRequest,
        _ ask: @escaping @Sendable (Visit, PlaceAddress) async -> Visit.Result
    ) async -> HTTPResponse {
        do {
            guard let id = address.visit else {
                return try await respond(at: address, for: request, by: visit(request), since: nil, ask).response
            }
            return try await pages.visits.inTurn(id) {
                for _ in 0..<Self.attempts {
                    let visit = visit(request)
                    guard let kept = try await resume(id, in: visit, for: request) else { break }
                    let (response, isSaved) = try await respond(at: address, for: request, by: visit, since: kept, ask)
                    // If another server has changed the visit, the page may show something that is not kept.
                    if isSaved || request.method == .post { return response }
                }
                var address = address
                address.visit = nil
                return try await respond(at: address, for: request, by: visit(request), since: nil, ask).response
            }
        } catch {
            return await explain(to: request) { [pages] in pages.failure(error, in: $0) }
        }
    }

    /// The number of times that a page is made if another server changes its visit at the same time.
    private static let attempts = 3

    private func respond(
        at address: PlaceAddress, for request: HTTPRequest, by visit: Visit, since kept: Visits.Kept?,
        _ ask: @escaping @Sendable (Visit, PlaceAddress) async -> Visit.Result
    ) async throws -> (response: HTTPResponse, isSaved: Bool) {
        let result = try await callVisit(at: address, for: request) { await ask(visit, $0) }
        var isSaved = true
        if let state = result.kept {
            isSaved = try await pages.visits.save(
                state.content, as: state.id, since: kept, for: state.owner, of: state.user, from: request.peer.origin,
                at: services.clock())
        } else if let kept {
            // The effect of its last step cannot be undone. If this fails, the visit expires later.
            try? await pages.visits.remove(kept)
        }
        return (result.response, isSaved)
    }

    /// Calls a visit. For places that take long to show, it runs as expensive work.
    private func callVisit(
        at address: PlaceAddress, for request: HTTPRequest,
        _ ask: @escaping @Sendable (PlaceAddress) async -> Visit.Result
    ) async throws -> Visit.Result {
        // Without a session, the place is the login.
        guard address.place.isExpensive, let user = await session(of: CookieJar(request))?.user.id else {
            return await ask(address)
        }
        return try await pages.work.run(for: String(user)) { await ask(address) }
    }

    private func session(of jar: CookieJar) async -> Session? {
        guard let token = jar.session.flatMap({ SessionToken($0) }) else { return nil }
        return try? await services.auth.currentSession(token: token)
    }

    /// Continues the kept visit with this ID in `visit`, if it belongs to this browser and its session is still open.
    ///
    /// - Returns: the kept visit; nil if there is none.
    private func resume(_ id: Visits.ID, in visit: Visit, for request: HTTPRequest) async throws -> Visits.Kept? {
        let jar = CookieJar(request)
        guard let browser = jar.browser else { return nil }
        let session = jar.session.flatMap { SessionToken($0) }?.sessionID
        // The cookie of a session that has ended may still be there.
        let owners = [session, nil].map { Visits.Owner(browser: browser, session: $0) }
        guard let kept = try await pages.visits.find(id, of: owners, at: services.clock()),
            try await visit.resume(kept)
        else { return nil }
        return kept
    }

    private func visit(_ request: HTTPRequest) -> Visit {
        let services = services
        // Only `POST` can open a session, which needs the name of the browser.
        let client = request.method == .post ? UserAgent.name(request.fields[.userAgent]?.text ?? "") : ""
        let origin: Origin =
            switch request.peer {
            case .internet(let host, _): Origin(address: host)
            case .local: Origin("local")
            }
        return Visit(
            application: { jar in
                ApplicationCoordinator(
                    auth: services.auth, articles: services.articles, tokens: jar, client: client, origin: origin,
                    reading: services.reading, marks: services.marks,
                    subscriptions: Subscriptions(services.subscriptions, feeds: services.feeds), clock: services.clock)
            }, request: request, pages: pages)
    }
}

extension HTTPResponse {
    /// Returns the response for a server that a proxy shows below a path: all addresses of this server get the path as
    /// a prefix. In a page, these are the attributes that begin with a slash. Text cannot be confused with them,
    /// because its quotation marks are escaped.
    fileprivate func below(_ prefix: String) -> HTTPResponse {
        var response = self
        for name in [HTTPFieldName.location, WebFront.leadsTo] {
            guard let path = fields[name]?.text, path.hasPrefix("/"), !path.hasPrefix("//") else { continue }
            response.fields[name] = try? HTTPFieldValue(prefix + path)
        }
        guard fields[.contentType]?.text.hasPrefix("text/html") == true, case .bytes(let page) = body else {
            return response
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(page.count + 8_192)
        var rest = page[...]
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            let isPath =
                rest[(quote + 1)...].starts(with: [UInt8(ascii: "/")])
                && !rest[(quote + 1)...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
            let isAddress = [" href=", " action=", " src="].contains {
                rest[..<quote].suffix($0.utf8.count).elementsEqual($0.utf8)
            }
            bytes += rest[...quote]
            if isPath, isAddress { bytes += prefix.utf8 }
            rest = rest[(quote + 1)...]
        }
        bytes += rest
        let start = Array("<html".utf8)
        if let root = bytes.firstRange(of: start) {
            bytes.insert(contentsOf: " data-base=\"\(prefix)\"".utf8, at: root.upperBound)
        }
        response.body = .bytes(bytes)
        return response
    }

    fileprivate var withRedirectInHeader: HTTPResponse {
        guard status == .seeOther, let location = fields[.location] else { return self }
        var response = self
        response.status = .noContent
        response.fields[.location] = nil
        response.fields[WebFront.leadsTo] = location
        return response
    }
}

extension AppRoute {
    /// Whether the place may take long to show: search results, long lists, or statistics of the library.
    fileprivate var isExpensive: Bool {
        switch self {
        case .articles(let list): list.query.search != nil || list.limit > 2 * ArticleList.defaultLimit
        case .library, .libraryPart, .ruleTrial: true
        // The form tries a rule.
        case .savingRule: true
        default: false
        }
    }
}

extension HTTPRequest {
    /// Whether a page of this server sent the request, according to the browser. The form token is checked in addition.
    fileprivate var isFromHere: Bool {
        if let site = fields["sec-fetch-site"]?.text { return site == "same-origin" || site == "none" }
        guard let origin = fields["origin"]?.text else { return true }
        return origin == self.origin
    }
}

/// The operator's settings of the front.
package struct WebFrontSettings: Sendable {
    /// The images in articles that a browser loads.
    package enum Images: String, Sendable, CaseIterable {
        /// None. A link replaces each image.
        case off
        /// Images from the site of the article.
        case sameSource = "same-source"
        /// The images that the library contains, from this server.
        case kept
        /// All images. The servers of the images learn who reads the article.
        case all
    }

    /// The name of the library on every page.
    package var name: String
    /// The images in articles to show.
    package var images: Images

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - name: the name of the library on every page.
    ///   - images: the images in articles to show.
    package init(name: String = "Articles", images: Images = .off) {
        self.name = name
        self.images = images
    }
}
