import Text

extension ArticleReference {
    /// The path of the article's page on the server.
    package var pagePath: String {
        // A segment of dots would name a folder.
        let isDots = description == "." || description == ".."
        let name = isDots ? description.replacing(".", with: "%2E") : description.percentEncoded
        return "/articles/\(name)"
    }
}

extension ArticleList {
    /// The path of the list's page on the server.
    package var pagePath: String {
        let parameters = parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        return "/articles" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }
}
