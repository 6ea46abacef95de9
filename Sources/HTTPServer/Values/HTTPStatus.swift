/// How a request was answered, by its number: 200 to 599.
public struct HTTPStatus: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let code: Int

    /// Creates a status by its number; nil outside 200 to 599, the statuses of complete responses.
    public init?(_ code: Int) {
        guard 200...599 ~= code else { return nil }
        self.code = code
    }

    private init(known code: Int) { self.code = code }

    /// The number, as text.
    public var description: String { String(code) }

    /// Whether a body can follow.
    var hasBody: Bool { self != .noContent && self != .notModified }

    /// Here it is.
    public static let ok = HTTPStatus(known: 200)
    /// It was made.
    public static let created = HTTPStatus(known: 201)
    /// It was done, and there is nothing to say of it.
    public static let noContent = HTTPStatus(known: 204)
    /// It is elsewhere for good.
    public static let movedPermanently = HTTPStatus(known: 301)
    /// Go on by `GET` elsewhere.
    public static let seeOther = HTTPStatus(known: 303)
    /// The client's copy is current.
    public static let notModified = HTTPStatus(known: 304)
    /// The request is not understood.
    public static let badRequest = HTTPStatus(known: 400)
    /// The client is not authenticated.
    public static let unauthorized = HTTPStatus(known: 401)
    /// The client is not allowed to do this.
    public static let forbidden = HTTPStatus(known: 403)
    /// Nothing is there.
    public static let notFound = HTTPStatus(known: 404)
    /// This cannot be asked of it.
    public static let methodNotAllowed = HTTPStatus(known: 405)
    /// The request took too long to come.
    public static let requestTimeout = HTTPStatus(known: 408)
    /// It would contradict what is there.
    public static let conflict = HTTPStatus(known: 409)
    /// The length has to be said first.
    public static let lengthRequired = HTTPStatus(known: 411)
    /// A precondition of the request does not hold.
    public static let preconditionFailed = HTTPStatus(known: 412)
    /// The body is too long.
    public static let contentTooLarge = HTTPStatus(known: 413)
    /// The target is too long.
    public static let uriTooLong = HTTPStatus(known: 414)
    /// The body is of a kind that is not taken.
    public static let unsupportedMediaType = HTTPStatus(known: 415)
    /// The server does not support the expectation of the request.
    public static let expectationFailed = HTTPStatus(known: 417)
    /// The body is understood, and wrong.
    public static let unprocessableContent = HTTPStatus(known: 422)
    /// The client has sent too many requests.
    public static let tooManyRequests = HTTPStatus(known: 429)
    /// The head of the request is too long.
    public static let requestHeaderFieldsTooLarge = HTTPStatus(known: 431)
    /// Something failed here.
    public static let internalServerError = HTTPStatus(known: 500)
    /// Nobody here knows how.
    public static let notImplemented = HTTPStatus(known: 501)
    /// Not now.
    public static let serviceUnavailable = HTTPStatus(known: 503)
}
