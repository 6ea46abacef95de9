import Markup

/// The heading that begins a text, which is its title where nothing else says one.
enum Heading {
    /// The heading that Markdown begins with, as plain text, and the body without it: the title is shown above a body.
    static func first(inMarkdown body: String) -> (title: String, body: String)? {
        MarkupTitle.first(inMarkdown: body)
    }

    /// The title of an HTML page, or the heading that is one.
    static func first(inHTML body: String) -> String? { MarkupTitle.first(inHTML: body) }
}
