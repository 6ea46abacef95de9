import ArticleStore
import AuthService
import LibraryServices
import HTTPServer
import Markup
import Text

/// Operations that return streams as Atom feeds. Newsboat reads streams in this form.
extension GoogleReader {
    /// Returns the articles of a stream as Atom, with the same filters as the other lists.
    func atom(_ stream: String, _ request: HTTPRequest, of user: User) async throws(ReaderError) -> HTTPResponse {
        let parameters = try Parameters(reading: request, Self.filters)
        let selection = try await selection(stream, parameters, of: user)
        let page = try await pageOfContents(of: selection, parameters)
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:gr="http://www.google.com/schemas/reader/atom/">
            <id>tag:google.com,2005:reader/\(XMLText.escaped(stream))</id>
            <title>\(XMLText.escaped(selection.title))</title>
            <updated>\(RFC3339.string(from: services.clock()))</updated>

            """
        if let continuation = page.continuation {
            text += "<gr:continuation>\(XMLText.escaped(continuation))</gr:continuation>\n"
        }
        let stream = ItemStream(
            head: text, tail: "</feed>\n", separator: "", numbers: page.numbers, reader: self, user: user.id,
            site: request.site, text: Self.entry)
        return HTTPResponse(
            fields: ["content-type": "application/atom+xml; charset=utf-8", "cache-control": "private, no-cache"],
            body: .stream(stream))
    }

    @Sendable private static func entry(_ item: Item) -> String {
        let article = item.article
        func element(_ name: String, _ text: String) -> String { "<\(name)>\(XMLText.escaped(text))</\(name)>\n" }
        var text = "<entry>\n" + element("id", ItemID(article.id).long) + element("title", article.title)
        text += element("published", RFC3339.string(from: article.published))
        text += element("updated", RFC3339.string(from: article.updated))
        for author in article.authors.isEmpty ? [article.source.name] : article.authors {
            text += "<author><name>\(XMLText.escaped(author))</name></author>\n"
        }
        if let address = item.address {
            text += "<link rel=\"alternate\" href=\"\(XMLText.escaped(address, isValue: true))\"/>\n"
        }
        for state in item.states {
            text +=
                "<category term=\"\(state.id)\" scheme=\"http://www.google.com/reader/\" label=\"\(state.rawValue)\"/>\n"
        }
        // Tags do not get a `scheme` attribute: with it, clients would take a tag that is called `read` for the state.
        for tag in item.marks.tags {
            let name = XMLText.escaped(tag.value.name, isValue: true)
            text += "<category term=\"\(Stream.labelID(name))\" label=\"\(name)\"/>\n"
        }
        return text + "<content type=\"html\">\(XMLText.escaped(item.html))</content>\n</entry>\n"
    }
}
