import ArticleStore
import FlowCoordinators

@testable import articlesctl

/// A terminal that types what it is told and shows what it is sent.
final class ScriptedTerminal: ReaderTerminal {
    private(set) var size: Size
    private(set) var emulated: EmulatedTerminal
    private(set) var suspensions = 0
    /// Bytes of each write.
    private(set) var writes: [Int] = []
    private var script: [Step]
    /// What was on the screen before each step.
    private(set) var screens: [String] = []

    enum Step {
        case type(String)
        case resize(Size)
        case event(InputEvent)
    }

    init(_ size: Size, _ script: [Step]) {
        self.size = size
        self.script = script
        emulated = EmulatedTerminal(size: size)
    }

    var text: String {
        emulated.rows.map { row in
            var line = row.filter { $0.width > 0 }.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    func nextEvents() -> [InputEvent]? {
        screens.append(text)
        guard !script.isEmpty else { return nil }
        switch script.removeFirst() {
        case .type(let text):
            var decoder = InputDecoder()
            return decoder.decode(text.utf8) + decoder.flush()
        case .resize(let size):
            self.size = size
            emulated = EmulatedTerminal(size: size)
            return [.resize(size)]
        case .event(let event): return [event]
        }
    }

    func write(_ bytes: [UInt8]) {
        writes.append(bytes.count)
        emulated.write(bytes)
    }

    func suspend() {
        suspensions += 1
        emulated = EmulatedTerminal(size: size)
    }
}

/// An application of three places: a list, an article for each row, and a log-in.
final class ScriptedModel: ReaderModel {
    var places: [String] = ["/articles"]
    var rows = 100
    var notice: Notice?
    private(set) var events: [AppEvent] = []
    private(set) var requests = 0
    var themeName: String?

    func screen() -> Screen {
        var screen: Screen
        switch places.last ?? "" {
        case "/articles": screen = .articles(count: rows)
        case "/login": screen = .login
        default: screen = .article(paragraphs: 60)
        }
        screen.notice = notice
        return screen
    }

    func send(_ event: AppEvent) {
        events.append(event)
        if case .articleChosen(let slug) = event { places.append("/articles/\(slug)") }
        if case .logOutChosen = event { places = ["/login"] }
    }

    func back() -> Bool {
        guard places.count > 1 else { return false }
        places.removeLast()
        return true
    }

    func loadMoreRows() -> Bool {
        requests += 1
        rows += 50
        return true
    }
}

extension Screen {
    static func articles(count: Int) -> Screen {
        Screen(
            title: "Articles",
            content: .list(
                List(
                    columns: [.init("ID"), .init("SLUG", use: .detail), .init("AUTHOR"), .init("TITLE")],
                    rows: (0..<count).map { row in
                        let title = row % 10 == 3 ? "日本語の記事 👩\u{200D}👩\u{200D}👧 \(row)" : "Article number \(row)"
                        return List.Row(["\(row)", "slug-\(row)", "Ann", title], event: .articleChosen("slug-\(row)"))
                    }, placeholder: "The library is empty.", footer: "of many")),
            actions: [
                Action("Next page", .nextPageChosen), Action("Account", .accountChosen),
                Action("Log out", .logOutChosen),
            ])
    }

    static func article(paragraphs: Int, title: String = "An article") -> Screen {
        let body =
            "# Heading\n\nSee [the site](https://example.org/a) and [another](/articles/other).\n\n"
            + (0..<paragraphs).map { "Paragraph \($0) has some words in it, more than fit on a short line of text." }
            .joined(separator: "\n\n")
            + "\n\n```\n" + String(repeating: "code ", count: 60) + "END\n```\n"
        return Screen(
            title: title,
            content: .document(
                Document(facts: [.init("Author", "Ann"), .init("Tags", "swift, 日本")], body: body, format: .markdown)),
            actions: [Action("Log out", .logOutChosen)])
    }

    static let login = Screen(
        title: "Log in",
        content: .form(
            Form(
                [
                    .init(.username, "Username", value: "ann", hint: "Letters and digits."),
                    .init(.password, "Password", kind: .secret),
                ],
                submitLabel: "Log in")),
        actions: [Action("Register", .registerChosen)])

    static let region = Screen(
        title: "Register (1 of 3)",
        content: .form(
            Form(
                [
                    .init(
                        .region, "Region",
                        kind: .choice(
                            [("DE", "Germany"), ("JP", "Japan"), ("JE", "Jersey"), ("NE", "Niger"), ("NG", "Nigeria")]
                                .map { Form.Field.Choice(value: $0.0, label: $0.1) }))
                ], submitLabel: "Next")))

    static let welcome = Screen(
        title: "Welcome", content: .menu(text: "A library of articles, kept on this machine. Log in to read it."),
        actions: [Action("Log in", .logInChosen), Action("Register", .registerChosen)])

    static let all: [Screen] = [.articles(count: 100), .article(paragraphs: 60), .login, .region, .welcome]
}
