internal import ArticleStore
internal import AuthService
internal import FlowCoordinators
internal import HTTPServer
internal import Navigation
internal import Text

/// An application that handles one request of a browser. For the steps of a process, such as a registration, it continues
/// with the state of the request before, and leaves its own state for the next one.
actor Visit {
    private let application: ApplicationCoordinator
    private let jar: CookieJar
    private let pages: Pages
    /// The key of the browser.
    private var browser: BrowserKey
    /// The ID under which the visit is kept, if it is.
    private var id: Visits.ID?
    /// The maximum size of form values to keep, in bytes.
    private static let longestKept = 64 << 10
    /// The maximum size of a cookie with form values, in bytes. Proxies limit the head of a response to 4 KiB.
    private static let longestFilled = 2_000
    /// The values of a form that was sent before the login, which takes several steps.
    private var filledBefore: [FieldName: String] = [:]
    /// Whether the request is a program's, which does not follow redirects by default.
    private var isOfProgram = false
    /// Whether the application has read the session. It cannot while the library is unavailable.
    private var isUserKnown = false

    /// The result of a request.
    struct Result: Sendable {
        var response: HTTPResponse
        /// The state to keep for the next request; nil if there is none.
        var kept: State?
    }

    /// The state between two requests.
    struct State: Sendable {
        let id: Visits.ID
        let owner: Visits.Owner
        /// The signed-in user.
        let user: User.ID?
        let content: String
    }

    /// The content of a state.
    private struct Content: Codable {
        let application: String
        let filledBefore: [String: String]
    }

    init(application: @Sendable (CookieJar) -> ApplicationCoordinator, request: HTTPRequest, pages: Pages) {
        jar = CookieJar(request)
        self.application = application(jar)
        self.pages = pages
        browser = jar.browser ?? pages.newKey()
    }

    /// Continues with a kept visit, before it handles the request.
    ///
    /// - Returns: false if the visit cannot be continued: its session has ended, or another version of this program has
    ///   kept it.
    /// - Throws: the errors of the services.
    func resume(_ kept: Visits.Kept) async throws -> Bool {
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(kept.content.utf8)),
            try await application.resume(content.application),
            application.currentUser.session?.id == kept.owner.session
        else { return false }
        isUserKnown = true
        for field in FieldName.allCases { filledBefore[field] = content.filledBefore[field.rawValue] }
        id = kept.id
        return true
    }

    /// The state for the next request.
    private var state: State? {
        get throws {
            guard let id else { return nil }
            let content = Content(
                application: try application.suspended,
                filledBefore: Dictionary(uniqueKeysWithValues: filledBefore.map { ($0.key.rawValue, $0.value) }))
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let session = application.currentUser.session
            return State(
                id: id, owner: Visits.Owner(browser: browser, session: session?.id), user: session?.user.id,
                content: String(decoding: try encoder.encode(content), as: UTF8.self))
        }
    }

    /// Opens a place and returns its page.
    func show(_ address: PlaceAddress, for request: HTTPRequest) async -> Result {
        await respond(to: request) {
            if self.id == nil {
                try await self.start(at: address.place, above: address.list)
                if case .login = address.place, let user = self.application.currentUser.session?.user {
                    return self.redirect(
                        to: PlaceAddress(self.application.home), saying: Notice("Logged in as \(user.username)."))
                }
            } else {
                try await self.goBack(to: address.place)
            }
            return try await self.responseShowing(address, for: request)
        }
    }

    /// Performs the action of a form, and redirects to the resulting place.
    func submit(_ submission: Submission, at address: PlaceAddress, for request: HTTPRequest) async -> Result {
        await respond(to: request) {
            do {
                if self.id == nil { try await self.start(at: address.place, above: address.list) }
                return try await self.perform(submission, at: address, for: request)
            } catch {
                return self.pages.failure(error, of: submission, in: await self.errorFrame)
            }
        }
    }

    /// Shows a form again that was made for another session in this browser, with the typed values. Nothing is changed:
    /// a login or logout in one tab must not let the forms of another tab act for the wrong user.
    func showAgain(_ submission: Submission, at address: PlaceAddress, for request: HTTPRequest) async -> Result {
        await respond(to: request) {
            do {
                if self.id == nil { try await self.start(at: address.place, above: address.list) }
                return try await self.responseRepeatingForm(
                    submission, at: address, hasBrowserKey: CookieJar(request).browser != nil)
            } catch {
                return self.pages.failure(error, of: submission, in: await self.errorFrame)
            }
        }
    }

    /// Returns a redirect to the target of a link in an article, inside or outside of the library.
    func follow(_ link: String, in address: PlaceAddress, for request: HTTPRequest) async -> Result {
        await respond(to: request) {
            try await self.start(at: address.place, above: address.list)
            guard self.application.place == address.place else { return self.redirect(to: address) }
            let screen = try await self.application.screen()
            guard case .document(let document) = screen.content,
                try await self.withText(of: screen, { document.links(to: link) })
            else { return self.pages.missing(in: await self.errorFrame) }
            try await self.application.send(.linkFollowed(link))
            await self.application.finishWork()
            if self.application.place != address.place {
                return self.pages.redirect(to: self.currentAddress.text + document.part(of: link))
            }
            if let outside = document.address(of: link), let value = try? HTTPFieldValue(outside) {
                return HTTPResponse(.seeOther, fields: [.location: value])
            }
            return self.redirect(to: address, saying: self.application.notice)
        }
    }

    /// Returns a page about an error that does not belong to a place, in the frame of the signed-in user. If the library
    /// is not available, the page does not show the sections.
    func explain(
        to request: HTTPRequest, _ page: @Sendable (PageFrame) -> HTTPResponse
    ) async -> Result {
        await respond(to: request) {
            try? await self.start(at: .articles())
            return page(await self.errorFrame)
        }
    }

    private func start(at place: AppRoute, above list: ArticleList? = nil) async throws {
        try await application.start(at: place, above: list)
        isUserKnown = true
    }

    /// Returns the response of `work`, or an error page, with the changed cookies.
    private func respond(to request: HTTPRequest, _ work: () async throws -> HTTPResponse) async -> Result {
        if jar.browser == nil { jar.browser = browser }
        isOfProgram = request.isOfProgram
        var response: HTTPResponse
        var kept: State?
        do {
            response = try await work()
            kept = try state
        } catch {
            response = pages.failure(error, in: await errorFrame)
            kept = try? state
        }
        if jar.hasOtherSession { response.fields.append("\"cache\"", for: "clear-site-data") }
        jar.write(to: &response.fields)
        response.user = user
        // Without an account, the worker keeps its copies.
        response.fields[WebApp.accountField] = isUserKnown ? try? HTTPFieldValue(account) : nil
        return Result(response: response, kept: kept)
    }

    /// Gives the browser another key after a login or logout, so that earlier forms are no longer accepted.
    private func renewBrowser() {
        guard jar.hasOtherSession else { return }
        browser = pages.newKey()
        jar.browser = browser
    }

    // MARK: - Showing

    /// Returns the page of the current screen.
    private func responseShowing(_ address: PlaceAddress, for request: HTTPRequest) async throws
        -> HTTPResponse
    {
        if application.place != address.place, application.waiting == nil {
            // The user may not see the address. The application shows a permitted screen with the reason.
            guard application.notice?.error == nil else {
                let (screen, sidebar, below) = try await application.screenWithPanes()
                return try await page(
                    of: screen, at: currentAddress, status: .forbidden, above: below, beside: sidebar)
            }
            return redirect(to: currentAddress, saying: application.notice)
        }
        if application.isUnderWay, id == nil {
            id = pages.newVisit()
            return redirect(to: currentAddress)
        }
        if !application.isUnderWay { id = nil }
        // If an action on a page redirects to the same page, the user had already read it.
        application.marksShownArticles = request.opensPane || !request.comesFromItself && request.isNavigation
        defer { application.marksShownArticles = false }
        // The style sheet hides the panes that do not fit in a window.
        let list = application.listBelow.map { AppRoute.articles($0).path }
        var (screen, sidebar, below) = try await application.screenWithPanes(showsList: list != request.shownList)
        // The notice of the last action takes precedence over a notice of the place.
        var repeated: FormValues?
        if request.isSeen {
            if screen.notice?.error == nil, let done = jar.notice.flatMap({ browser.open($0) }) {
                screen.notice = Notice(flash: done)
            }
            jar.notice = nil
            repeated = jar.filled.flatMap { browser.open($0) }.flatMap { FormValues(encoded: $0, for: address) }
            if repeated != nil { jar.filled = nil }
        }
        return try await page(of: screen, at: address, filled: repeated ?? FormValues(), above: below, beside: sidebar)
    }

    /// Goes back in a process, to a place that was shown before.
    private func goBack(to place: AppRoute) async throws {
        guard application.place != place,
            let frame = application.navigator.state.frames.last(where: { $0.route == place })
        else { return }
        _ = application.navigator.back(to: frame.id)
        await application.finishWork()
    }

    // MARK: - Doing

    private func perform(
        _ sent: Submission, at address: PlaceAddress, for request: HTTPRequest
    ) async throws -> HTTPResponse {
        var submission = sent
        // Values for another form can only come from a login.
        if application.waiting == nil { submission.kept = [:] }
        let before = application.place
        guard before.screenName == submission.screen else {
            return try await responseToOutdatedForm(submission, at: address)
        }
        switch submission.command {
        case .back: _ = try await application.back()
        case .left(let place):
            guard case .article(let reference) = before else { return redirect(to: address) }
            application.recordReadingPosition(place, in: reference)
            try await application.saveReadingPositions()
            return HTTPResponse(.noContent)
        case let command where command.event(at: before) != nil:
            if let event = command.event(at: before) { try await application.send(event) }
        default:
            let screen = try await application.screen()
            var offered = submission.command.event(on: screen, answers: submission.answers)
            if offered == nil, case .listAction(_, _?, _) = submission.command {
                // The row is in the list beside the article.
                offered = try await application.screenWithPanes().listBelow.flatMap {
                    submission.command.event(on: $0.screen(beside: screen), answers: submission.answers)
                }
            }
            guard let (event, question) = offered else {
                return redirect(
                    to: address, saying: Notice("This action is no longer available. Choose one on this page."))
            }
            if let question, !submission.isAgreed {
                return pages.question(
                    question, submission, at: address, from: request.referrerPath ?? address.text, with: await frame)
            }
            try await application.send(event)
        }
        await application.finishWork()
        if application.notice?.error != nil, application.currentUser.session != nil {
            // Another request may have ended the session in the meantime, such as a change of the password.
            try await application.reconsider()
            if application.waiting != nil { return try await responseToOutdatedForm(submission, at: address) }
        }
        renewBrowser()
        return try await responseAfterAction(submission, from: before, at: address)
    }

    /// Returns the response to a form that does not belong to the current screen.
    private func responseToOutdatedForm(_ submission: Submission, at address: PlaceAddress) async throws -> HTTPResponse
    {
        // The session has ended. The values wait behind the login.
        if application.waiting != nil {
            let values = submission.kept.isEmpty ? FormValues.values(of: submission.answers) : submission.kept
            return try await responseWithForm(FormValues(deferred: values), at: address, else: .forbidden)
        }
        guard submission.command.sendsFields, !submission.texts.isEmpty else { return redirect(to: currentAddress) }
        let words = application.notice?.text ?? "this form does not exist anymore"
        return pages.unsaved(submission.texts, words, status: .forbidden, in: await frame)
    }

    private func responseRepeatingForm(
        _ submission: Submission, at address: PlaceAddress, hasBrowserKey: Bool
    ) async throws -> HTTPResponse {
        guard application.place.screenName == submission.screen else {
            return try await responseToOutdatedForm(submission, at: address)
        }
        let notice = Notice(
            hasBrowserKey
                ? "You logged in or out after this page was loaded. Nothing was changed: submit the form again."
                : "Your browser did not send this site's cookie. Nothing was changed: submit the form again. This site needs cookies."
        )
        guard submission.command.sendsFields || !submission.kept.isEmpty else {
            return redirect(to: address, saying: notice)
        }
        return try await responseWithForm(
            FormValues(again: submission, usesCurrentVersion: false), at: address, else: .forbidden, saying: notice)
    }

    /// Returns the response after an action.
    private func responseAfterAction(
        _ submission: Submission, from before: AppRoute, at address: PlaceAddress
    ) async throws -> HTTPResponse {
        let notice = application.notice
        if application.place == before, submission.command.sendsFields, notice?.error != nil {
            let filled = FormValues(again: submission, usesCurrentVersion: notice?.reportsEditConflict == true)
            guard case AuthError.throttled(let seconds)? = notice?.error else {
                let status: HTTPStatus = notice?.isWrongPassword == true ? .forbidden : .unprocessableContent
                return try await responseWithForm(filled, at: address, else: status)
            }
            var response = try await page(
                of: try await application.screen(), at: address, status: .tooManyRequests, filled: filled)
            response.fields[.retryAfter] = HTTPFieldValue(seconds)
            return response
        }
        if mayKeep(submission.kept) { filledBefore = submission.kept }
        if application.isUnderWay {
            id = id ?? pages.newVisit()
        } else {
            id = nil
        }
        let kept = submission.kept.isEmpty ? filledBefore : submission.kept
        if application.waiting != nil, application.place != .secondFactor || filledBefore.isEmpty, !kept.isEmpty {
            filledBefore = [:]
            return try await responseWithForm(FormValues(deferred: kept), at: currentAddress, else: .ok, saying: notice)
        }
        if application.isUnderWay { return redirect(to: currentAddress) }
        if !filledBefore.isEmpty {
            if case .form = try await application.screen().content {
                return try await responseWithForm(FormValues(before: filledBefore), at: currentAddress, else: .ok)
            }
            // The user who has logged in may not open the form.
            if !filledBefore.texts.isEmpty {
                let words = notice?.text ?? "this form does not exist anymore"
                return pages.unsaved(filledBefore.texts, words, status: .forbidden, in: await frame)
            }
        }
        return redirect(to: try await currentAddress(after: submission.command, at: address), saying: notice)
    }

    /// Returns the address of the current screen, with the number of rows before it if that is known.
    private func currentAddress(after command: Submission.Command, at address: PlaceAddress) async throws
        -> PlaceAddress
    {
        var place = currentAddress
        guard case .articles(let list) = place.place, list.cursor != nil else { return place }
        if place.place == address.place {
            place.offset = address.offset
        } else if case .list(let shown) = try await application.screen().content, shown.total != nil {
            let earlier = command == .earlier ? address.offset.map { max(0, $0 - ArticleList.defaultLimit) } : nil
            place.offset = shown.offset ?? earlier
        }
        return place
    }

    /// Whether values from before the login may be kept here. It requires a correct password, so that strangers cannot
    /// fill the memory: until then they are hidden fields of the pages.
    private func mayKeep(_ values: [FieldName: String]) -> Bool {
        if values.isEmpty { return false }
        if application.waiting == nil, !application.isUnderWay { return true }
        return application.place == .secondFactor && values.values.reduce(0) { $0 + $1.utf8.count } <= Self.longestKept
    }

    // MARK: - Responses

    /// The address of the current place, or of the place that waits behind the login.
    private var currentAddress: PlaceAddress {
        // If only the list waits, which follows the login anyway, keep the address of the login with its user name.
        if id == nil, let waiting = application.waiting,
            waiting.last != application.home || application.place == .login(username: nil)
        {
            return PlaceAddress(top: waiting)
        }
        return PlaceAddress(top: application.navigator.state.frames.map(\.route), in: id)
    }

    private var account: String {
        isUserKnown ? WebApp.account(of: application.currentUser.session) : WebApp.unknown
    }

    private var frame: PageFrame {
        // A page about an error is better without the sidebar than missing.
        get async { frame(with: try? await application.sidebar()) }
    }

    private func frame(with sidebar: Sidebar?) -> PageFrame {
        PageFrame(
            name: pages.settings.name, formToken: browser.formToken(randomBytes: pages.randomBytes),
            screenName: application.place.screenName,
            appearance: application.appearance, textWidth: application.textWidth,
            user: application.currentUser.session?.user.username.text,
            sidebar: sidebar, account: account, textSize: application.textSize)
    }

    /// The frame of a page that is not a place.
    private var errorFrame: PageFrame {
        get async {
            var frame = await frame
            frame.screenName = ""
            frame.sidebar = frame.sidebar?.withoutSelection
            return frame
        }
    }

    private func page(
        of screen: Screen, at address: PlaceAddress, status: HTTPStatus = .ok,
        filled: FormValues = FormValues(), above below: ListBelow? = nil, beside sidebar: Sidebar? = nil
    ) async throws -> HTTPResponse {
        let frame = if let sidebar { frame(with: sidebar) } else { await frame }
        let page = ScreenPage(
            screen: screen, place: application.place, address: address, frame: frame,
            images: pages.settings.images, pictures: try await pictures(of: screen), texts: pages.texts,
            linksAreSafe: application.waiting == nil, filled: filled,
            beneath: address.list(beneath: application.place).map { PlaceAddress.parameter(above: $0) },
            canGoBack: application.navigator.state.frames.count > 1,
            listBelow: application.listBelow, listPane: below?.screen(beside: screen), now: pages.clock())
        let html = try await withText(of: screen) { page.html }
        return pages.response(html, status: status, images: page.imageSources)
    }

    /// Returns the paths of the pictures that the library contains, by their addresses in the text of a screen.
    private func pictures(of screen: Screen) async throws -> [String: String] {
        guard case .document(let document) = screen.content, let article = document.article else { return [:] }
        return try await pages.pictures?.pictures(of: article).mapValues(\.uid.path) ?? [:]
    }

    /// Runs `body` on the text of a screen. If the text is large, it runs as expensive work.
    private func withText<Value: Sendable>(of screen: Screen, _ body: @Sendable () -> Value) async throws -> Value {
        guard case .document(let document) = screen.content, document.body.utf8.count > ExpensiveWork.largeBody,
            let user
        else { return body() }
        return try await pages.work.run(for: user, holding: document.body.utf8.count) { body() }
    }

    private var user: String? { application.currentUser.session.map { String($0.user.id) } }

    /// Redirects to the form with its values, so that reloading sends nothing. If the values are longer than
    /// a cookie holds, or if a program asks, the form is the answer itself.
    private func responseWithForm(
        _ filled: FormValues, at address: PlaceAddress, else status: HTTPStatus, saying notice: Notice? = nil
    ) async throws -> HTTPResponse {
        var screen = try await application.screen()
        screen.notice = notice ?? screen.notice
        var held = filled
        if case .form(let form) = screen.content { held.setVersionIfMissing(form.version) }
        let sealed = browser.seal(held.encoded(for: address))
        guard sealed.utf8.count <= Self.longestFilled, !isOfProgram else {
            return try await page(of: screen, at: address, status: status, filled: filled)
        }
        jar.filled = sealed
        return redirect(to: address, saying: screen.notice)
    }

    private func redirect(to address: PlaceAddress, saying notice: Notice? = nil)
        -> HTTPResponse
    {
        if let notice { jar.notice = browser.seal(notice.flash) }
        return pages.redirect(to: address.text)
    }
}

extension HTTPRequest {
    /// Whether the user came to the page from the page itself.
    fileprivate var comesFromItself: Bool {
        guard let referer = fields["referer"]?.text, let host else { return false }
        let path = referer.split(separator: "?", maxSplits: 1)[0]
        return path.hasSuffix("://" + host + prefix + target.path)
    }
}

extension Notice {
    private static let (errorMark, fieldMark): (Character, Character) = ("!", ":")

    /// Whether it says that a password, or a code in its place, is wrong.
    fileprivate var isWrongPassword: Bool {
        switch error {
        case AuthError.invalidCredentials?, AuthError.wrongPassword?, AuthError.wrongCode?, AuthError.blocked?: true
        default: false
        }
    }

    /// The notice as text for the next page. The field precedes the text of an error.
    var flash: String {
        let mark = error == nil ? "" : "\(Self.errorMark)\(field?.rawValue ?? "")\(Self.fieldMark)"
        return mark + text.prefix(1_000)
    }

    init(flash: String) {
        guard flash.first == Self.errorMark else {
            self.init(flash)
            return
        }
        let (field, text) = (flash.dropFirst().prefix { $0 != Self.fieldMark }, flash.drop { $0 != Self.fieldMark })
        self.init(TextError(text: String(text.dropFirst())), at: FieldName(rawValue: String(field)))
    }
}

/// An error of which only the text is known.
private struct TextError: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}
