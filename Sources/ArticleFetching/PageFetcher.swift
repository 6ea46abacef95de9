internal import ArticleImporting
internal import ArticleStore
internal import HTTPClient
package import Text

/// Fetches pages, and extracts their main texts.
package struct PageFetcher: Sendable {
    private let send: SourceFetcher.Send

    /// - Parameter send: Sends a request.
    package init(send: @escaping SourceFetcher.Send) { self.send = send }

    /// Fetches a page as an article. Its key and its address are the canonical address that the page states, or else the
    /// address that delivered it.
    ///
    /// - Throws: ``PageError``, `HTTPClientError`, `CancellationError`.
    func article(at url: HTTPURL) async throws -> (draft: ArticleDraft, addresses: [String]) {
        let response: ClientResponse
        do throws(HTTPClientError) {
            response = try await send(ClientRequest(url))
        } catch {
            if case .canceled = error { throw CancellationError() }
            throw error
        }
        let address = response.url.text
        switch response.status {
        case 200..<300: break
        case 401, 403, 407: throw PageError.needsLogin(address)
        case let status: throw PageError.status(status, address)
        }
        let type = response.value(of: "content-type").map { ContentType($0) }
        if let type, !type.isPage { throw PageError.notHTML(type: type.name, address) }
        // Without a type, the first byte that is not white space decides.
        if type == nil, response.body.trimmed.first != UInt8(ascii: "<") {
            throw PageError.notHTML(type: nil, address)
        }
        do throws(SavedPage.Failure) {
            let draft = try SavedPage(response.body, encoding: type?.charset, from: address).draft
            let addresses = [url.text] + response.redirects.map(\.from.text) + [address, draft.key.text]
            return (draft, addresses.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        } catch {
            switch error {
            case .noText: throw PageError.noText(address)
            case .needsLogin: throw PageError.needsLogin(address)
            case .unreadable: throw PageError.unreadable(address)
            }
        }
    }
}

/// The value of `Content-Type` (RFC 9110, section 8.3).
private struct ContentType {
    /// The media type in lower case.
    let name: String
    let charset: String?

    init(_ value: [UInt8]) {
        let parts = String(decoding: value, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false)
        name = (parts.first?.trimmed ?? "").lowercased()
        let sides = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(\.trimmed) }
        charset = sides.first { $0.count == 2 && $0[0].lowercased() == "charset" }
            .map { $0[1].filter { $0 != "\"" && $0 != "'" } }
    }

    var isPage: Bool { name == "text/html" || name == "application/xhtml+xml" }
}

/// The reason why a page cannot be saved.
package enum PageError: Error, Hashable, ExplainedError {
    /// The server sent something else. The value is its type, if the server stated one.
    case notHTML(type: String?, String)
    /// The server asks for a login.
    case needsLogin(String)
    /// The page does not have a main text.
    case noText(String)
    /// The page is nested too deeply or has too many parts.
    case unreadable(String)
    /// The server responded with this status.
    case status(Int, String)

    package var description: String {
        switch self {
        case .notHTML(let type?, let address):
            "\(address.shortened().sanitized()) is not a page but \(type.shortened().sanitized())"
        case .notHTML(nil, let address): "\(address.shortened().sanitized()) is not a page"
        case .needsLogin(let address): "\(address.shortened().sanitized()) needs a login"
        case .noText(let address): "\(address.shortened().sanitized()) has no main text"
        case .unreadable(let address): "\(address.shortened().sanitized()) is too large or nested too deeply"
        case .status(let status, let address):
            "the server responded with status \(status) for \(address.shortened().sanitized())"
        }
    }

    package var errorKind: ErrorKind {
        switch self {
        case .notHTML, .noText, .unreadable: .invalid
        case .needsLogin: .notAllowed
        case .status(404, _), .status(410, _): .notFound
        case .status: .busy
        }
    }

    package var hint: String? {
        switch self {
        case .notHTML(let type?, _) where type.hasSuffix("xml") || type == "application/feed+json":
            "if it is a feed, subscribe with: articlesctl subscribe ADDRESS"
        case .notHTML: "only pages in HTML can be saved"
        case .needsLogin, .noText:
            "open the page in a browser, save it in a file, and add it with: articlesctl add --format html --body FILE"
        case .unreadable: nil
        case .status(404, _), .status(410, _): "check the address"
        case .status: "try again later"
        }
    }
}
