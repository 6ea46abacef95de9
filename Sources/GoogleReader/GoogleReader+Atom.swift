import FlowCoordinators
import ArticleStore
import AuthService
import HTTPServer
import Markup
import ReadingStore
import Text

/// Streams as feeds, which is how newsboat reads.
extension GoogleReader {
    /// The newest `n` articles of a stream as Atom, with `xt` without those that were read.
    func atom(_ stream: String, _ request: HTTPRequest, of user: User) async throws(Refusal) -> HTTPResponse {
        guard request.method == .get || request.method == .head else {
            throw Refusal(status: .methodNotAllowed, text: "ask for that with GET", fields: ["allow": "GET, HEAD"])
        }
        let parameters = request.target.query
        for name in ["it", "ot", "nt", "c", "r"] where parameters[name] ?? "" != "" {
            throw .badRequest("\(name) is not known for feeds")
        }
        guard let limit = parameters["n"].map({ Int($0) }) ?? 20, limit > 0 else {
            throw .badRequest("n is how many articles, from 1 to 1000")
        }
        var (query, title) = try await query(stream, of: user)
        for tag in parameters.values(of: "xt") {
            guard Stream(tag, of: user) == .state(.read) else { throw .badRequest("\(tag) cannot be left out") }
            query.marks.isRead = false
        }
        let (wanted, count) = (query, min(limit, 1_000))
        let (articles, marks) = try await Refusal.catching {
            var articles: [Article] = []
            var next: Cursor?
            repeat {
                let batch = try await services.articles.articles(wanted, after: next, limit: count - articles.count)
                articles += batch.articles
                next = batch.next
            } while next != nil && articles.count < count
            return (articles, try await services.marks.marks(of: articles.map(\.id), by: user.id))
        }
        let now = RFC3339.string(from: services.clock())
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <id>tag:google.com,2005:reader/\(XMLText.escaped(stream))</id>
            <title>\(XMLText.escaped(title))</title>
            <updated>\(now)</updated>

            """
        for article in articles { text += Self.entry(article, marks[article.id] ?? ArticleMarks()) }
        return HTTPResponse(
            text: text + "</feed>\n",
            fields: ["content-type": "application/atom+xml; charset=utf-8", "cache-control": "private, no-cache"])
    }

    private static func entry(_ article: Article, _ marks: ArticleMarks) -> String {
        func element(_ name: String, _ text: String) -> String { "<\(name)>\(XMLText.escaped(text))</\(name)>\n" }
        var text = "<entry>\n" + element("id", ItemID(article.id).long) + element("title", article.title)
        text += element("published", RFC3339.string(from: article.published))
        text += element("updated", RFC3339.string(from: article.updated))
        for author in article.authors.isEmpty ? [article.source.name] : article.authors {
            text += "<author><name>\(XMLText.escaped(author))</name></author>\n"
        }
        if let address = article.webAddress {
            text += "<link rel=\"alternate\" href=\"\(XMLText.escaped(address, isValue: true))\"/>\n"
        }
        // Clients look for `fresh`, and take what has neither it nor `read` for read.
        var states = [marks.read.value ? Stream.State.read : .fresh]
        if marks.starred.value { states.append(.starred) }
        for state in states {
            text +=
                "<category term=\"\(state.id)\" scheme=\"http://www.google.com/reader/\" label=\"\(state.rawValue)\"/>\n"
        }
        // Without that scheme: clients would take a tag that is called `read` for the state.
        for tag in marks.tags {
            let name = XMLText.escaped(tag.value.name, isValue: true)
            text += "<category term=\"user/-/label/\(name)\" label=\"\(name)\"/>\n"
        }
        return text + "<content type=\"html\">\(XMLText.escaped(article.resolvedDocument.html()))</content>\n</entry>\n"
    }
}
