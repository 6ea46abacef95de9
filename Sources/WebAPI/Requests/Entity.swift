import ArticleStore
import AuthService
import HTTPServer
import LibraryServices
import Text

/// An article with the marks of the user, and its entity tag (RFC 9110, section 8.8.3).
///
/// The tag consists of the tag of the article, a dot, and the tag of the marks. `If-None-Match` compares the whole tag,
/// because the response contains the marks. `If-Match` compares only the tag of the article, so that reading or
/// starring an article does not prevent a change of it.
struct Entity: Sendable {
    /// The article and its marks, in JSON.
    let text: [UInt8]
    /// The whole tag, without quotation marks.
    private let tag: Substring
    /// The part of the tag for the article.
    private let articleTag: Substring

    init(_ article: Article, _ marks: ArticleMarks) {
        let (bare, marks) = (ArticleJSON.utf8(article), JSON(marks: marks).utf8)
        text = JSON.encoded(bare).adding("marks", .encoded(marks)).utf8
        articleTag = Sodium.digest(bare)[...]
        tag = articleTag + "." + Sodium.digest(marks)
    }

    /// Returns the response, or 304 if the client already has this version.
    func response(to request: HTTPRequest, _ status: HTTPStatus = .ok, fields: HTTPFields = [:]) -> HTTPResponse {
        var fields = fields
        let quoted = "\"\(tag)\""
        fields[.eTag] = try? HTTPFieldValue(quoted)
        let isRead = request.method == .get || request.method == .head
        if isRead, request.hasCopy(tagged: quoted) {
            fields[.cacheControl] = "private, no-cache"
            return HTTPResponse(.notModified, fields: fields)
        }
        return HTTPResponse(status, encoded: text, fields: fields)
    }

    /// Checks that the client knows this version of the article.
    /// - Throws: `Problem` if `If-Match` is missing or names another version.
    func check(_ request: HTTPRequest) throws(Problem) {
        guard let field = request.fields.list(of: .ifMatch) else {
            throw Problem(
                status: .preconditionRequired, code: "preconditionRequired",
                detail: "the request needs If-Match with the ETag of the article that you change, or *")
        }
        guard Self.has(field, { $0.prefix { $0 != "." } == articleTag }) else {
            throw Problem(
                status: .preconditionFailed, code: "hasChanged",
                detail: field.contains("W/\"")
                    ? "If-Match has a weak tag (W/…), which never matches; send the ETag that the server gave, without W/"
                    : "the article has changed since you read it; read it again, and repeat your change")
        }
    }

    /// Whether a list of tags contains a match. Weak tags do not match.
    private static func has(_ field: String, _ matches: (Substring) -> Bool) -> Bool {
        if field == "*" { return true }
        return field.split(separator: ",").contains { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            guard part.count > 2, part.first == "\"", part.last == "\"" else { return false }
            return matches(part.dropFirst().dropLast())
        }
    }
}
