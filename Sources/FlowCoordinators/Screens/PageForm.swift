internal import ArticleStore
internal import Text

extension AppRoute {
    /// Returns the form for a page that another app shares. Apps put the address into the field for addresses, or among the
    /// words of the text or of the title.
    static func savingPage(sharedAs url: String?, text: String?, title: String?) -> AppRoute {
        let words = [text, title].compactMap(\.self).flatMap { $0.split(whereSeparator: \.isWhitespace) }
        let found = words.first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
        return .savingPage(address: url ?? found.map { String($0) })
    }
}

extension Screen {
    /// The form that saves a page.
    static func savingPage(at address: String) -> Screen {
        Screen(
            title: "Save a page",
            content: .form(
                Form(
                    [
                        .init(
                            .address, "Address", value: address,
                            hint: "The address of a page on the web. The library stores the page's main text."),
                        .init(.tags, "Tags", hint: "Separated by commas."),
                    ], submitLabel: "Save")))
    }
}
