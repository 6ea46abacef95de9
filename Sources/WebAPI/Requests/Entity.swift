import ArticleStore
import AuthService
import HTTPServer
import ModelJSON
import ReadingStore
import Text

/// Something that has states, each of which is known by a tag (RFC 9110, section 8.8.3).
struct Entity: Sendable {
    /// What it is, in JSON.
    let text: [UInt8]
    /// The tag, in quotes.
    let tag: String

    init(_ json: JSON) {
        text = json.utf8
        tag = "\"" + Base64URL.encode(Array(Sodium.sha256(text).prefix(16))) + "\""
    }

    /// An article, with what somebody has marked it with.
    init(_ article: Article, _ marks: ArticleMarks) {
        self.init(JSON.encoded(ArticleJSON.object(article)).adding(marks))
    }

    /// The answer to who asks for it: not once more to who has it.
    func response(to request: HTTPRequest, _ status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        var fields = fields
        fields[.eTag] = try? HTTPFieldValue(tag)
        let isKnown = request.method == .get || request.method == .head
        if isKnown, let field = request.fields[.ifNoneMatch]?.text, matches(field, isStrong: false) {
            fields[.cacheControl] = "private, no-cache"
            return HTTPResponse(.notModified, fields: fields)
        }
        return HTTPResponse(status, encoded: text, fields: fields)
    }

    /// - Throws: `Problem` where a request does not say that it is about this state.
    func check(_ request: HTTPRequest, isRequired: Bool) throws(Problem) {
        guard let field = request.fields[.ifMatch]?.text else {
            guard isRequired else { return }
            throw Problem(
                status: .preconditionRequired, code: "preconditionRequired",
                detail: "say in If-Match which state you change: the ETag that came with it, or *")
        }
        guard matches(field, isStrong: true) else {
            throw Problem(
                status: .preconditionFailed, code: "hasChanged",
                detail: "it is not what it was when you read it; read it anew, and change that")
        }
    }

    private func matches(_ field: String, isStrong: Bool) -> Bool {
        if field == "*" { return true }
        return field.split(separator: ",").contains { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            if part.hasPrefix("W/") {
                if isStrong { return false }
                part = part.dropFirst(2)
            }
            return part == tag
        }
    }
}
