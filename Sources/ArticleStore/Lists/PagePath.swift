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
    package var pagePath: String { "/articles" + (parameters.isEmpty ? "" : "?" + parameterText) }

    /// The parameters of the list's path: the part after the question mark.
    package var parameterText: String {
        parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
