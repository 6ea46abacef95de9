internal import FlowCoordinators

/// The frame around every screen: the sections, and the panes of a wide window.
struct PageFrame {
    /// The panes of a page. A wide window shows them side by side, a narrow one only the main part.
    enum Panes {
        /// A single screen.
        case one
        /// A list, and room for an article beside it.
        case list
        /// An article, with the list from which it was opened, which the closure adds to the page; nil if the browser shows the
        /// list already.
        case article(addList: ((inout HTML) -> Void)?)
    }

    /// The name of the library.
    let name: String
    /// The token that proves that a form was made for this browser.
    let formToken: String
    /// The name of the screen, which forms contain.
    var screenName: String
    let appearance: Appearance
    let textWidth: TextWidth
    /// The name of the signed-in user, if any.
    let user: String?
    /// The lists that are beside every page; nil without a session.
    var sidebar: Sidebar?
    /// The signed-in user for the copies of pages in the browser; see ``WebApp/account(of:)``.
    var account = WebApp.nobody
    /// The size of text.
    var textSize = TextSize.default

    /// The hidden fields of every form.
    var hiddenFields: HTML {
        """
        <input type="hidden" name="\(Submission.Name.token)" value="\(formToken)">\
        <input type="hidden" name="\(Submission.Name.screen)" value="\(screenName)">
        """
    }

    /// Returns a whole page with a single screen.
    func html(title: String, main: HTML) -> HTML { html(title: title, panes: .one) { $0 += main } }

    /// Returns a whole page.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - panes: the panes of the page.
    ///   - addMain: adds the content.
    func html(title: String, panes: Panes, addMain: (inout HTML) -> Void) -> HTML {
        // Enough for most lists and articles.
        var page = HTML(capacity: panes.hasList ? 120_000 : 16_000)
        page += start(title: title, panes: panes)
        if case .article(let addList?) = panes {
            page.add("<section id=\"list\" aria-label=\"List\">\n")
            addList(&page)
            page.add("</section>\n")
        }
        page.add("<main id=\"main\" tabindex=\"-1\">\n")
        addMain(&page)
        page.add("\n</main>")
        if case .list = panes {
            page += """

                <aside id="reading" aria-label="Article"><p>\(Icon.article.html)Choose an article to read it here.</p></aside>
                """ as HTML
        }
        page.add("\n</body></html>\n")
        return page
    }

    private func start(title: String, panes: Panes) -> HTML {
        """
        <!doctype html>
        <html lang="en" data-appearance="\(appearance.rawValue)"\(size)>
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(sentence: title == name ? name : "\(title) · \(name)")</title>
        <meta name="color-scheme" content="\(colorScheme)">
        <link rel="stylesheet" href="\(Assets.style.path)"><link rel="icon" href="\(Assets.icon.path)">
        \(WebApp.head(account: account))
        <script src="\(Assets.script.path)" defer></script><script src="\(Assets.app.path)" defer></script></head>
        <body data-width="\(width)" data-panes="\(panes.name)">
        \(Icon.outlines)<a class="skip" href="#main">Skip to content</a>
        <header class="side"><a class="brand" href="\(AppSection.unread.place.path)">\(name)</a>\(navigation)</header>
        <p id="said" class="unseen" role="status"></p>

        """
    }

    private var navigation: HTML? {
        guard let user else { return Self.keys }
        return """
            <nav aria-label="Main">\(groups)</nav>\
            <div class="self"><span class="name">\(isolated: user)</span>\(Self.keys)\(logOut)</div>
            """
    }

    /// The button that shows the keys. It is hidden until a script that handles keys shows it.
    private static let keys: HTML = "<button type=\"button\" class=\"keys\" hidden>Keys</button>"

    private var groups: HTML {
        let places = (sidebar?.groups ?? []).enumerated()
        return places.html { index, group in
            let title = group.title.map { "<p class=\"group\">\($0)</p>" as HTML }
            let kind: HTML = index == 0 ? "sections" : "lists"
            return """
                \(title)<ul class="\(kind)"\(attribute: "aria-label", group.title)>\(group.entries.map(item))</ul>
                """
        }
    }

    /// The icons of the sections, by their paths.
    private static let icons = Dictionary(uniqueKeysWithValues: AppSection.allCases.map { ($0.place.path, Icon($0)) })

    private func item(_ entry: Sidebar.Entry) -> HTML {
        let current: HTML? = entry.isSelected ? " aria-current=\"page\"" : nil
        let icon = Self.icons[entry.id]?.html
        let count = entry.count.flatMap { $0 == 0 ? nil : "<small>\($0)</small>" as HTML }
        return """
            <li><a href="\(entry.id)"\(current)>\(icon)<span dir="auto">\(entry.title)</span>\(count)</a></li>
            """
    }

    /// The button to log out, on every page.
    private var logOut: HTML? {
        guard user != nil else { return nil }
        var account = self
        account.screenName = AppRoute.account.screenName
        return """
            <form method="post" action="\(AppRoute.account.path)">\(account.hiddenFields)\
            <button name="\(Submission.Name.command)" \
            value="\(Submission.Command.logOut.text)">Log out</button></form>
            """
    }

    private var colorScheme: String {
        switch appearance {
        case .default: "light dark"
        case .dark: "dark"
        case .light: "light"
        case .contrast: "light dark"
        }
    }

    /// A size from the style sheet.
    private var size: HTML? { textSize == .default ? nil : " data-size=\"\(textSize.percent)\"" }

    /// A width from the style sheet, because pages do not contain styles.
    private var width: String { textWidth.columns < 66 ? "narrow" : textWidth.columns > 84 ? "wide" : "usual" }
}

extension PageFrame.Panes {
    fileprivate var hasList: Bool {
        switch self {
        case .one: false
        case .list: true
        case .article(let addList): addList != nil
        }
    }

    /// The name by which the style sheet chooses the layout.
    fileprivate var name: String {
        switch self {
        case .one: "one"
        case .list: "list"
        case .article: "article"
        }
    }
}
