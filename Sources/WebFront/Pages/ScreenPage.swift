internal import ArticleStore
internal import FlowCoordinators
internal import Markup

/// A screen as a page: its title, what there is to say, what is on it, and what can be done.
struct ScreenPage {
    let screen: Screen
    /// The place of the screen, which is that of the log-in where it has come before the place that was asked for.
    let place: AppRoute
    /// The address of the page, where everything is sent.
    let address: PlaceAddress
    let frame: PageFrame
    let images: WebFrontSettings.Images
    let texts: RenderedTexts
    /// Whether to go elsewhere loses nothing: what waits behind the log-in would not wait any more.
    let linksAreSafe: Bool
    let filled: Filled
    /// The list that articles are gone to from; nil where that is the whole library.
    let beneath: ArticleList?
    /// Whether there is a screen beneath.
    let canGoBack: Bool

    /// The page.
    var html: HTML { frame.html(title: screen.title, main: main) }

    private var main: HTML {
        switch screen.content {
        case .menu(let text): "\(heading)\(notice)<p class=\"lead\">\(text)</p>\n\(toolbar(screen.actions))"
        case .form(let form): "\(heading)\(notice)\(self.form(form))\(toolbar(screen.actions))"
        case .list(let list): "\(heading)\(notice)\(search(list))\(toolbar(screen.actions))\(rows(list))"
        case .document(let document): self.document(document)
        }
    }

    var heading: HTML { "<h1 dir=\"auto\">\(screen.title)</h1>\n" }

    var notice: HTML? {
        screen.notice.map { notice -> HTML in
            notice.error == nil
                ? "<p class=\"notice\" role=\"status\">\(notice.text)</p>\n"
                : "<p class=\"notice error\" role=\"alert\">\(notice.text.asSentence)</p>\n"
        }
    }

    // MARK: - Actions

    /// The actions, without those at the top of every page.
    func toolbar(_ actions: [Action]) -> HTML? {
        let copies = copies
        let hasBack = canGoBack && (isForm || !copies.isEmpty)
        guard hasBack || !copies.isEmpty || actions.contains(where: { !$0.isOnEveryPage }) else { return nil }
        var bar: HTML = "<form class=\"toolbar\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)"
        for copy in copies { bar += Self.copying(copy) }
        for action in actions where !action.isOnEveryPage {
            bar += link(to: action) ?? Self.button(action)
        }
        if hasBack {
            let label = copies.isEmpty ? "Back" : "Done"
            bar += "<button name=\"\(Submission.Name.deed)\" value=\"\(Submission.Deed.back.text)\">\(label)</button>"
        }
        bar.add("</form>\n")
        return bar
    }

    private var copies: [Document.Copy] {
        if case .document(let document) = screen.content { document.copies } else { [] }
    }

    /// Seen where a script can do it.
    private static func copying(_ copy: Document.Copy) -> HTML {
        "<button type=\"button\" data-copy=\"\(copy.text)\" hidden>\(copy.label)</button>"
    }

    /// The actions after reading, at the end of the text. They have a label for screen readers.
    func afterReading(_ actions: [Action]) -> HTML? {
        let shown = actions.filter { $0.purpose.isAfterReading }
        guard !shown.isEmpty else { return nil }
        return """
            <form class="toolbar" aria-label="After reading" method="post" action="\(address.text)">\(frame.hiddenFields)\
            \(shown.html { Self.button($0) })</form>

            """
    }

    private var isForm: Bool { if case .form = screen.content { true } else { false } }

    private func link(to action: Action) -> HTML? {
        if action.purpose == .original, case .document(let document) = screen.content, let original = document.address {
            return """
                <a class="button" href="\(original)" rel="noopener noreferrer"\
                \(attribute: "data-key", action.purpose.webName)>\(action.label)</a>
                """
        }
        guard action.confirmation == nil, linksAreSafe, let path = path(of: action.event) else { return nil }
        return """
            <a class="button" href="\(path)"\(attribute: "data-key", action.purpose.webName)>\(action.label)</a>
            """
    }

    static func button(_ action: Action) -> HTML {
        """
        <button name="\(Submission.Name.deed)" value="\(Submission.Deed.action(action.label, row: nil).text)"\
        \(attribute: "data-key", action.purpose.webName)>\(action.label)</button>
        """
    }

    /// The prefix of a row's ID in the page, by which buttons with the same label are told apart.
    static let rowPrefix: HTML = "row-"

    /// The address that an event leads to; nil where it does more than that.
    func path(of event: AppEvent) -> String? {
        guard let destination = place.destination(of: event) else { return nil }
        guard let beneath, destination.articleInList != nil else { return destination.path }
        return PlaceAddress(destination, above: beneath).text
    }
}

extension String {
    /// The words of an error, which stand behind a name elsewhere, by themselves.
    var asSentence: String { prefix(1).uppercased() + dropFirst() }
}

extension Action {
    /// Whether the top of every page has it.
    fileprivate var isOnEveryPage: Bool {
        switch purpose {
        case .logOut, .account, .library: true
        default: false
        }
    }
}

extension Action.Purpose {
    fileprivate var isAfterReading: Bool {
        switch self {
        case .next, .previous, .nextUnread, .read, .unread, .star, .later: true
        default: false
        }
    }

    /// The name by which the script finds the element of a key; nil if the purpose has no key.
    var webName: String? {
        switch self {
        case .next: "next"
        case .previous: "previous"
        case .nextUnread: "next-unread"
        case .read: "read"
        case .unread: "unread"
        case .star: "star"
        case .later: "later"
        case .original: "original"
        case .allRead: "all-read"
        default: nil
        }
    }
}
