internal import ArticleStore
internal import FlowCoordinators
internal import Markup

/// A screen as a page: title, message, content, and actions.
struct ScreenPage {
    let screen: Screen
    /// The place of the screen. If a login comes before the requested place, it is the login.
    let place: AppRoute
    /// The address of the page, to which its forms are sent.
    let address: PlaceAddress
    let frame: PageFrame
    let images: WebFrontSettings.Images
    /// The paths of the pictures that the library contains, by their addresses in the text.
    let pictures: [String: String]
    let texts: RenderedTexts
    /// Whether the page may contain plain links. If not, leaving the page would lose a form or place that waits behind
    /// the login.
    let linksAreSafe: Bool
    let filled: FormValues
    /// The list to which articles belong that are opened from here; nil for the whole library.
    let beneath: ArticleList?
    /// Whether there is a screen below.
    let canGoBack: Bool

    /// The page.
    var html: HTML { frame.html(title: screen.title, main: main) }

    private var main: HTML {
        switch screen.content {
        case .menu(let text): "\(heading)\(notice)<p class=\"lead\">\(sentence: text)</p>\n\(toolbar(screen.actions))"
        case .form(let form): "\(heading)\(notice)\(self.form(form))\(toolbar(screen.actions))"
        case .list(let list): "\(heading)\(notice)\(search(list))\(toolbar(screen.actions))\(rows(list))"
        case .document(let document): self.document(document)
        }
    }

    var heading: HTML { "<h1 dir=\"auto\">\(Self.image(screen.icon))\(screen.title)</h1>\n" }

    /// Returns an icon, which screen readers skip.
    static func image(_ path: String?) -> HTML? {
        path.map { "<img class=\"icon\" src=\"\($0)\" alt=\"\" width=\"16\" height=\"16\" loading=\"lazy\"> " as HTML }
    }

    var notice: HTML? {
        screen.notice.map { notice -> HTML in
            notice.error == nil
                ? "<p class=\"notice\" role=\"status\">\(sentence: notice.text)</p>\n"
                : "<p class=\"notice error\" role=\"alert\">\(sentence: notice.text.asSentence)</p>\n"
        }
    }

    // MARK: - Actions

    /// The actions, without those at the top of every page.
    func toolbar(_ actions: [Action]) -> HTML? {
        let copies = copies
        let hasBack = canGoBack && (isForm || !copies.isEmpty)
        guard hasBack || !copies.isEmpty || actions.contains(where: { !$0.isOnEveryPage }) else { return nil }
        var bar: HTML =
            "<form class=\"toolbar\" method=\"post\" action=\"\(address.text)\">\(frame.hiddenFields)\(kept)"
        for copy in copies { bar += Self.copying(copy) }
        for action in actions where !action.isOnEveryPage {
            bar += link(to: action) ?? Self.button(action)
        }
        if hasBack {
            let label = copies.isEmpty ? "Back" : "Done"
            bar +=
                "<button name=\"\(Submission.Name.command)\" value=\"\(Submission.Command.back.text)\">\(label)</button>"
        }
        bar.add("</form>\n")
        return bar
    }

    private var copies: [Document.Copy] {
        if case .document(let document) = screen.content { document.copies } else { [] }
    }

    /// The button is hidden until a script shows it.
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
                \(attribute: "data-key", action.purpose.name)>\(action.label)</a>
                """
        }
        guard action.confirmation == nil, linksAreSafe, let path = path(of: action.event) else { return nil }
        return """
            <a class="button" href="\(path)"\(attribute: "data-key", action.purpose.name)>\(action.label)</a>
            """
    }

    static func button(_ action: Action) -> HTML {
        let command: Submission.Command =
            action.lastNumber.map { .listAction(action.id, upTo: $0) } ?? .action(action.id, row: nil)
        return """
            <button name="\(Submission.Name.command)" value="\(command.text)"\
            \(attribute: "data-key", action.purpose.name)>\(action.label)</button>
            """
    }

    /// The prefix of a row's ID in the page, which distinguishes buttons with the same label.
    static let rowPrefix: HTML = "row-"

    /// Returns the address that an event opens; nil if the event does more.
    func path(of event: AppEvent) -> String? {
        guard let destination = place.destination(of: event) else { return nil }
        guard let beneath, destination.articleInList != nil else { return destination.path }
        return PlaceAddress(destination, above: beneath).text
    }
}

extension String {
    /// The text of an error as a sentence of its own. In other places it follows a name.
    var asSentence: String { prefix(1).uppercased() + dropFirst() }
}

extension Action {
    /// Whether every page has the action at the top.
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

    /// The name by which the script finds the element for a key.
    var name: String? { self == .other ? nil : rawValue }
}
