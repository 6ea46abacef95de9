import ArticleExporting
import ArticleStore
import AuthService
package import LibraryServices
package import HTTPServer
import Text

/// The front end for programs that accept only an address: a user's lists as Atom and as JSON Feed, at
/// `/feeds/SECRET/atom` and `/feeds/SECRET/json`. The conditions of a list follow after `?`.
package struct FeedFront: Sendable {
    private let services: Services
    private let name: String
    private let limiter: RateLimiter
    private let work: ExpensiveWork
    private let responses = CurrentResponses<FeedKey>()

    /// The values of a feed's address, which name its articles and appear in its text.
    private struct FeedKey: Hashable {
        let format: FeedPage.Format
        let query: ArticleQuery
        let title: String
        let site: String?
    }

    /// The number of articles in a feed.
    private static let count = 50

    /// Creates the front end.
    ///
    /// - Parameters:
    ///   - services: the accounts, the library, and the users' marks.
    ///   - name: the name of the library.
    ///   - limiter: counts the requests for the feeds of a user. Requests for unknown feeds are counted by network
    ///     address.
    ///   - work: makes the feeds.
    package init(
        services: Services, name: String, limiter: RateLimiter = RateLimiter(limit: WebAPI.defaultLimit),
        work: ExpensiveWork = ExpensiveWork()
    ) {
        (self.services, self.name, self.limiter, self.work) = (services, name, limiter, work)
    }

    static func path(_ secret: FeedSecret, _ format: FeedPage.Format) -> String {
        "/feeds/\(secret.text)/\(format.rawValue)"
    }

    /// Returns the path of a target without secrets, for logs.
    ///
    /// Everything after `feeds`, `websub`, and `pictures` is hidden, also if the word is misspelt, and so is each part of a path that looks
    /// like a secret. Escapes are decoded before the check.
    package static func pathWithoutSecret(of target: HTTPTarget) -> String {
        // This runs for each request, so first check quickly whether the path can contain a secret. Most paths cannot.
        let first = target.segments.first { $0.utf8.contains { $0 != UInt8(ascii: "/") } } ?? ""
        let letter = first.utf8.first { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 >= 0x80 }
        let mayBeFeed = letter.map { "fFwWpP".utf8.contains($0) || $0 >= 0x80 } ?? false
        let mayBeSecret = target.segments.contains { $0.utf8.count >= secretLength }
        guard mayBeFeed || mayBeSecret else { return target.path }
        let written = target.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var (isFeed, isFirst) = (false, true)
        let shown = zip(written, target.segments).map { written, segment in
            var isSecret = false
            for part in segment.split(separator: "/") {
                let letters = part.lowercased().filter { $0.isASCII && $0.isLetter }
                let isFormat = FeedPage.Format(rawValue: letters) != nil && letters.count == part.count
                if looksSecret(part) || isFeed && !isFormat { isSecret = true }
                if isFirst, ["feed", "websub", "picture"].contains(where: letters.hasPrefix) { isFeed = true }
                isFirst = false
            }
            return isSecret ? "…" : String(written)
        }
        return "/" + shown.joined(separator: "/")
    }

    /// Whether a part of a path has the length and the characters of a secret. Slugs and names do not contain capitals,
    /// so they do not look secret.
    private static func looksSecret(_ part: Substring) -> Bool {
        part.utf8.count >= secretLength
            && part.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "-" && $0 != "_" }
                .contains { $0.utf8.count >= secretLength && $0.contains(where: \.isUppercase) }
    }

    /// The minimum length of text that looks secret. It is a little less than the length of a secret, because the end
    /// of a secret may be cut off.
    private static let secretLength = 32

    /// Responds to a request; nil if its path does not belong to this front end.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse? {
        let path = request.target.segments
        guard path.first == "feeds" else { return nil }
        do {
            return try await answer(request, at: path)
        } catch {
            let problem = Problem(error)
            return HTTPResponse(
                problem.status, text: problem.detail + "\n", fields: problem.fields.merging([.cacheControl: "no-store"])
            )
        }
    }

    private func answer(_ request: HTTPRequest, at path: [String]) async throws -> HTTPResponse {
        let secret = path.count == 3 ? FeedSecret(path[1]) : nil
        let reader: User? = if let secret { try await services.auth.user(of: secret) } else { nil }
        let client = reader.map { "user \($0.id)" } ?? "address \(request.peer.origin ?? "local")"
        if let refusal = limiter.count("feeds " + client, at: services.clock()).refusal { throw refusal }
        guard let reader, let format = FeedPage.Format(rawValue: path[2]) else {
            throw Problem.notFound("there is no feed at this address; its address may have been replaced")
        }
        guard request.method == .get || request.method == .head else {
            throw Problem(
                status: .methodNotAllowed, code: "methodNotAllowed", detail: "read feeds with GET",
                fields: [.allow: "GET, HEAD"])
        }
        let parameters = ListParameters.conditions
        var list = try await ListParameters.list(
            parameters.values(in: request.target.query), of: reader.id, in: services)
        // A feed has the newest articles, also of a search that was saved in another order.
        list.query.sort = .newest
        let query = list.query
        let site = request.site
        let title = [name, request.target.query["saved"] ?? query.words].filter { !$0.isEmpty }.joined(separator: ": ")
        let make: @Sendable () async throws -> HTTPResponse = {
            let page = FeedPage(
                title: title, format: format,
                count: Self.count,
                address: nil, home: site.map { $0 + "/" },
                page: { article in
                    site.map { $0 + ArticleReference(to: ArticleSummary(article)).pagePath }
                },
                picture: { picture in site.map { $0 + picture.uid.path } })
            return HTTPResponse(
                text: try await page.text(of: query, in: services.articles, pictures: services.pictures))
        }
        var fields: HTTPFields = [.contentType: HTTPFieldValue(format.contentType), .cacheControl: "private, no-cache"]
        // The address contains a secret, which linked pages must not learn.
        fields["referrer-policy"] = "no-referrer"
        fields["x-content-type-options"] = "nosniff"
        let key = FeedKey(format: format, query: query, title: title, site: site)
        var response = try await responses.response(to: request, for: key, fields: fields, from: services) {
            try await work.run(for: String(reader.id), make)
        }
        response.fields = response.fields.merging(fields)
        response.user = String(reader.id)
        return response
    }
}

extension FeedPage.Format {
    fileprivate var contentType: StaticString {
        switch self {
        case .atom: "application/atom+xml; charset=utf-8"
        case .jsonFeed: "application/feed+json"
        }
    }
}

extension HTTPFields {
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        var fields = self
        for field in others { fields[field.name] = field.value }
        return fields
    }
}

extension HTTPFieldValue {
    fileprivate init(_ text: StaticString) { self.init(stringLiteral: "\(text)") }
}
