internal import ArticleStore
internal import AuthService
internal import FlowCoordinators
internal import HTTPServer
internal import Text

/// The parts that all responses of the front share.
struct Pages: Sendable {
    let settings: WebFrontSettings
    /// The pictures of articles; nil if pages do not show them.
    let pictures: (any PictureRepository)?
    let visits: Visits
    let work: ExpensiveWork
    let clock: @Sendable () -> Date
    let texts = RenderedTexts()
    let randomBytes: @Sendable (Int) -> [UInt8]

    func newKey() -> BrowserKey { BrowserKey(randomBytes: randomBytes) }

    func newVisit() -> Visits.ID { Visits.ID(randomBytes: randomBytes) }

    /// Returns a page as a response.
    ///
    /// - Parameter images: the permitted sources of images in the syntax of the content security policy.
    func response(_ page: consuming HTML, status: HTTPStatus = .ok, images: String = "") -> HTTPResponse {
        var fields = Self.fields
        if !images.isEmpty { fields[Self.policyName] = Self.policy(images: images) }
        return HTTPResponse(status, fields: fields, body: .bytes(page.utf8()))
    }

    private static let policyName: HTTPFieldName = "content-security-policy"

    private static let fields: HTTPFields = [
        .contentType: "text/html; charset=utf-8",
        .cacheControl: "no-store",
        policyName: policy(images: ""),
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    ]

    /// Permits only files of this server: no frames, no forms to other sites, and no scripts in pages.
    private static func policy(images: String) -> HTTPFieldValue {
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self'"
            + (images.isEmpty ? "" : " " + images)
            + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        return (try? HTTPFieldValue(policy)) ?? "default-src 'none'"
    }

    /// The page that the worker of a browser shows while the server cannot be reached. The worker adds the articles that it
    /// has.
    var offline: HTTPResponse {
        let frame = PageFrame(
            name: settings.name, formToken: "", screenName: "", appearance: .default, textWidth: .default, user: nil,
            account: WebApp.unknown)
        var response = response(
            frame.html(
                title: "Offline",
                main: """
                    <h1>Offline</h1><p>The server cannot be reached. These are the articles that you opened last.</p>
                    \(WebApp.copiesMark)
                    """))
        response.fields[.cacheControl] = "no-cache"
        return response
    }

    /// Redirects to another page of this server.
    func redirect(to path: String) -> HTTPResponse {
        guard let location = try? HTTPFieldValue(path) else { return HTTPResponse(.internalServerError) }
        return HTTPResponse(.seeOther, fields: [.location: location, .cacheControl: "no-store"])
    }

    /// Returns a page with a message.
    ///
    /// - Parameter frame: the frame; nil if the user is not known yet.
    func message(_ title: String, _ text: String, status: HTTPStatus, in frame: PageFrame? = nil) -> HTTPResponse {
        let frame =
            frame
            ?? PageFrame(
                name: settings.name, formToken: "", screenName: "", appearance: .default, textWidth: .default,
                user: nil)
        return response(
            frame.html(
                title: title,
                main: """
                    <div class="placeholder">\(Icon.closed.html)<h1>\(title)</h1><p>\(sentence: text.asSentence)</p>
                    <p><a class="button" href="/articles">Go to the articles</a></p></div>
                    """),
            status: status)
    }

    func missing(in frame: PageFrame? = nil) -> HTTPResponse {
        message("Not found", "This address has no page.", status: .notFound, in: frame)
    }

    /// The title of a page about an error, its text, and its status.
    private static func explanation(of error: any ExplainedError) -> (String, String, HTTPStatus) {
        let title =
            switch error.errorKind {
            case .notLoggedIn, .notAllowed: "Not allowed"
            case .notFound, .gone: "Not found"
            case .conflict, .changed: "Not possible now"
            case .throttled: "Too many requests"
            default: "Not valid"
            }
        // The status 401 would need a header that makes browsers ask for a password themselves.
        let status = error.errorKind == .notLoggedIn ? .forbidden : HTTPStatus(error.errorKind.status)
        return (title, error.description, status ?? .serviceUnavailable)
    }

    /// Returns a page that explains an error without revealing secrets of others, and shows the texts that could not be
    /// saved.
    func failure(_ error: any Error, of submission: Submission? = nil, in frame: PageFrame? = nil) -> HTTPResponse {
        let (title, words, status): (String, String, HTTPStatus) =
            switch error {
            case let error as ExpensiveWorkRefusal: ("Too many requests", error.description, error.status)
            case let error as any ExplainedError where error.errorKind.status < 500:
                Self.explanation(of: error)
            default:
                (
                    "Service unavailable", "Cannot read or change the library. Try again in a moment.",
                    .serviceUnavailable
                )
            }
        var response: HTTPResponse
        if let frame, let submission, !submission.texts.isEmpty {
            response = unsaved(submission.texts, words, status: status, in: frame)
        } else {
            response = message(title, words, status: status, in: frame)
        }
        if let refusal = error as? ExpensiveWorkRefusal {
            for field in refusal.fields { response.fields[field.name] = field.value }
        } else if status == .serviceUnavailable {
            response.fields[.retryAfter] = "30"
        }
        return response
    }

    /// Returns a page with the texts that the user typed, and the reason why they were not saved.
    func unsaved(
        _ texts: [(name: FieldName, text: String)], _ words: String, status: HTTPStatus, in frame: PageFrame
    ) -> HTTPResponse {
        let texts = texts.map { name, text -> HTML in
            """
            <p class="field"><label for="field-\(name.rawValue)">\(name.rawValue.withCapital)</label>\
            <textarea id="field-\(name.rawValue)" rows="6" dir="auto" readonly>
            \(text)</textarea></p>

            """
        }
        return response(
            frame.html(
                title: "Not saved",
                main: """
                    <h1>Not saved</h1><p class="notice error" role="alert">\(sentence: words.asSentence)</p>
                    <p>This is the text that you entered. Copy it before you continue.</p>
                    <div class="fields">\(texts)</div><p><a href="\(AppRoute.articles().path)">Go to the articles</a></p>
                    """), status: status)
    }

    /// Returns a page that asks the user for confirmation.
    ///
    /// - Parameter page: the path of the page with the form, to which the user returns without agreeing.
    func question(
        _ question: String, _ submission: Submission, at address: PlaceAddress, from page: String,
        with frame: PageFrame
    ) -> HTTPResponse {
        let fields = FieldName.allCases.compactMap { field -> HTML? in
            guard !field.isSecret, let value = submission.answers[field] else { return nil }
            return "<input type=\"hidden\" name=\"\(field.rawValue)\" value=\"\(value)\">"
        }
        return response(
            frame.html(
                title: question,
                main: """
                    <form class="question" method="post" action="\(address.text)">\(frame.hiddenFields)\(fields)
                    <input type="hidden" name="\(Submission.Name.isAgreed)" value="yes"><h1>\(sentence: question)</h1>
                    <p class="buttons"><button class="strong" name="\(Submission.Name.command)" \
                    value="\(submission.command.text)">Yes</button> <a class="button" href="\(page)">No</a></p></form>
                    """))
    }
}
