import Text
import ArticleStore
import Dispatch
import FlowCoordinators
import Navigation
import Foundation
import Synchronization
import Terminal
import TestSupport

@testable import TerminalReader

/// A terminal that types a script and shows its input.
final class ScriptedTerminal: ReaderTerminal {
    private(set) var size: Size
    private(set) var emulated: EmulatedTerminal
    private(set) var suspensions = 0
    /// How often the session lent it to another program.
    private(set) var loans = 0
    /// The timeout of each wait.
    private(set) var timeouts: [Int32?] = []
    /// Bytes of each write.
    private(set) var writes: [Int] = []
    private var script: [Step]
    private let isRung = Ring()
    /// Whether it was woken, and the session does not know it yet.
    var isWoken: Bool { isRung.isSet.load(ordering: .relaxed) }
    /// Makes running work report its result.
    var finish: () -> Void = {}
    /// Whether the script has ended.
    var isAtEnd: Bool { script.isEmpty }
    /// The screen before each step.
    private(set) var screens: [String] = []

    enum Step {
        case type(String)
        case resize(Size)
        case event(InputEvent)
        /// No input for a while.
        case idle
        /// No input before running work has a result.
        case wake
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

    var wake: @Sendable () -> Void {
        { [isRung] in
            isRung.isSet.store(true, ordering: .relaxed)
            isRung.wakes.signal()
        }
    }

    /// Blocks until work on another thread wakes it.
    func waitForWake() { isRung.wakes.wait() }

    func nextEvents(timeout: Int32?) -> [InputEvent]? {
        screens.append(text)
        timeouts.append(timeout)
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
        case .idle: return []
        case .wake:
            finish()
            return isRung.isSet.exchange(false, ordering: .relaxed) ? [.wake] : []
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

    func lend(_ body: () async -> Bool) async -> Bool {
        loans += 1
        emulated = EmulatedTerminal(size: size)
        return await body()
    }
}

private final class Ring: Sendable {
    let isSet = Atomic(false)
    let wakes = DispatchSemaphore(value: 0)
}

/// An application of three places: a list with some of its rows, an article for each row, and a login.
final class ScriptedModel: ReaderModel {
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    var paths: [String] = ["/articles"]
    /// The signed-in user; nil if nobody is.
    var user: String?
    /// The loaded rows of the whole list.
    var rows = 0..<100
    var total = 1000
    var search = ""
    /// The rows that a search finds; nil for all.
    var found: Range<Int>?
    var notice: Notice?
    var appearance = Appearance.default
    private(set) var textWidth = TextWidth.default
    private(set) var showsPreview = true
    /// How often the session went back to a lower entry.
    private(set) var returns = 0
    /// The places that the user chose in the sidebar.
    private(set) var gone: [AppRoute] = []
    /// The articles requested for the preview.
    private(set) var previews: [String] = []
    /// The earlier position in articles, in thousandths.
    var place: Int?
    /// The position in articles when they were left.
    private(set) var left: [String] = []
    /// The length of articles.
    var paragraphs = 60
    /// The row that the user looked at last.
    var current: String?
    /// The reason why articles may not be edited, or nil.
    var refusal: Broken?
    /// The error of all calls from now on.
    var broken: Broken?
    var saved: [String: SavedView] = [:]
    /// Whether requests to the library or the accounts last until `finish()`.
    var isSlow = false
    /// Whether the next login fails.
    var refuses = false
    /// The message about a form that was sent, and that closes.
    var answer: Notice?
    /// The version of the note in its form.
    var noteVersion = "1"
    /// The running work, and its result.
    private(set) var goingOn: AppEvent?
    private var done: AppEvent?
    private var ring: (@Sendable () -> Void)?
    private(set) var saves = 0
    private(set) var events: [AppEvent] = []

    /// The places of the sidebar; nil without a sidebar.
    var places: Sidebar?
    /// The indexes of the entries beneath the top whose screens were requested.
    private(set) var beneath: [Int] = []

    /// The selected section; nil without sections.
    var section: SectionID?
    /// The paths of the other sections.
    var parked: [SectionID: [String]] = [:]

    /// The places of the paths. Another path counts as a form.
    var state: NavigationState<AppRoute> {
        func target(_ paths: [String]) -> Target<AppRoute> { Target(paths.map { AppRoute(path: $0) ?? .writing }) }
        guard let section else { return Gate(subject: user).judging(NavigationState(target(paths))) }
        let declared = (parked.keys + [section]).map(\.name).sorted()
        var state = Gate(
            subject: user, sections: declared.map { NavigationSection(SectionID($0), home: [AppRoute.articles()]) }
        )
        .judging(NavigationState())
        for (section, paths) in Array(parked) + [(section, paths)] {
            state = (try? state.applying(.show(target(paths).in(section)))) ?? state
        }
        return state
    }

    var stack: [StackEntry] { paths.map { StackEntry(id: $0, path: $0) } }

    func screen(at index: Int) throws -> Screen? {
        beneath.append(index)
        return try screen(of: paths[index])
    }

    func sidebar() -> Sidebar? { places }

    func screen() throws -> Screen { try screen(of: paths.last ?? "") }

    private func screen(of path: String) throws -> Screen {
        if let broken, paths.count > 1 { throw broken }
        var screen: Screen
        switch path {
        case "/articles": screen = .articles(rows, of: total, search: search, current: current)
        case "/login": screen = .login
        case "/region": screen = .region
        case "/note": screen = .note(version: noteVersion)
        default: screen = .article(paragraphs: paragraphs, place: place)
        }
        screen.notice = notice
        screen.activity = goingOn.map { "At " + $0.name }
        return screen
    }

    func send(_ event: AppEvent) throws {
        events.append(event)
        if let broken, case .logOutChosen = event { throw broken }
        (goingOn, notice) = (nil, nil)
        switch event {
        case .moreRowsWanted, .earlierRowsWanted, .firstRowsWanted, .lastRowsWanted, .searched, .submitted,
            .nextArticleChosen:
            if isSlow { goingOn = event } else { take(event) }
        default: take(event)
        }
    }

    /// Ends the running work.
    func finish() {
        done = goingOn
        ring?()
    }

    func watch(_ ring: (@Sendable () -> Void)?) { self.ring = ring }

    func settle() {
        guard let event = done else { return }
        (done, goingOn) = (nil, nil)
        take(event)
    }

    private func take(_ event: AppEvent) {
        let size = rows.count
        switch event {
        case .open(.article(let slug)): paths.append("/articles/\(slug)")
        case .linkFollowed(let link) where Browser.isForBrowser(link): notice = Notice(ArticleError.elsewhere(link))
        case .linkFollowed: paths.append("/articles/\(paths.count)")
        case .logOutChosen: (paths, user) = (["/login"], nil)
        case .open(.signUpAccount): paths.append("/region")
        case .moreRowsWanted: rows = min(total - size, rows.lowerBound + 50)..<min(total, rows.upperBound + 50)
        case .earlierRowsWanted: rows = max(0, rows.lowerBound - 50)..<max(size, rows.upperBound - 50)
        case .firstRowsWanted: rows = 0..<size
        case .lastRowsWanted: rows = total - size..<total
        case .searched(let text): (search, rows) = (text, found ?? rows)
        case .submitted:
            if refuses {
                notice = Notice(ScriptedModel.refusal)
            } else {
                (paths, user, notice) = (["/articles"], user ?? "ann", answer)
            }
        case .nextArticleChosen: paths[paths.count - 1] += "+"
        default: break
        }
    }

    static let refusal = Broken(description: "that is not the password")

    func authorizeEditing() throws {
        if let refusal { throw refusal }
    }

    func back() -> Bool {
        goingOn = nil
        guard paths.count > 1 else { return false }
        paths.removeLast()
        return true
    }

    func back(to index: Int) -> Bool {
        paths.removeLast(paths.count - index - 1)
        returns += 1
        return true
    }

    func goToWork() -> Bool { false }

    func go(to place: AppRoute) -> Bool {
        gone.append(place)
        guard let section else {
            paths = ["/articles"]
            return false
        }
        let next: SectionID = place == .account ? "two" : "one"
        guard next != section else {
            defer { paths = Array(paths.prefix(1)) }
            return paths.count == 1
        }
        parked[section] = paths
        paths = parked.removeValue(forKey: next) ?? ["/articles"]
        self.section = next
        return false
    }

    func view(of entry: StackEntry) -> SavedView? { saved[entry.path] }

    func recordReadingPosition(_ position: Int, in entry: StackEntry) { left.append("\(entry.path) \(position)") }

    func save(_ view: SavedView, of entry: StackEntry) { saved[entry.path] = view }

    func save(showsPreview: Bool) { self.showsPreview = showsPreview }

    func preview(of event: AppEvent) -> Screen? {
        guard case .open(.article(let reference)) = event else { return nil }
        previews.append(reference.description)
        return .article(paragraphs: 500, title: "About \(reference)")
    }

    func save(_ textWidth: TextWidth) { self.textWidth = textWidth }

    func save() throws {
        saves += 1
        if let broken { throw broken }
    }
}

extension Screen {
    static func articles(count: Int) -> Screen { articles(0..<count, of: count, search: nil) }

    static func articles(
        _ stretch: Range<Int>, of total: Int, search: String?, current: String? = nil
    ) -> Screen {
        let rows = stretch.map { row in
            let title = row % 10 == 3 ? "日本語の記事 👩\u{200D}👩\u{200D}👧 \(row)" : "Article number \(row)"
            return List.Row(
                ["\(row)", "slug-\(row)", "Ann", title].map { .text($0) },
                event: .open(.article(ArticleReference("slug-\(row)"))),
                id: "\(row)")
        }
        return Screen(
            title: "Articles",
            content: .list(
                List(
                    columns: [
                        .init("ID"), .init("Slug", .detail), .init("Author"),
                        .init("Title", .primary, orders: [.title]),
                    ],
                    rows: rows.filter { row in search.map { $0.isEmpty || row.cells[3].text.contains($0) } ?? true },
                    placeholder: "The library is empty.", total: total, offset: stretch.lowerBound, choice: "Read",
                    earlier: stretch.lowerBound > 0
                        ? .init(some: .earlierRowsWanted, last: .firstRowsWanted) : nil,
                    more: stretch.upperBound < total ? .init(some: .moreRowsWanted, last: .lastRowsWanted) : nil,
                    search: search, current: current)),
            actions: [
                Action("Account", .open(.account), for: .account), Action("Log out", .logOutChosen, for: .logOut),
                Action(
                    "By title", .sortChosen(.title), for: .sort(.title),
                    atRow: { .sortChosen(.title, at: Int64($0)) }),
            ])
    }

    static func article(paragraphs: Int, title: String = "An article", place: Int? = nil) -> Screen {
        var marks = ArticleMarks()
        marks.readingPosition.value = place
        let body =
            "# Heading\n\nSee [the site](https://example.org/a) and [another](/articles/other).\n\n"
            + (0..<paragraphs).map { "Paragraph \($0) has some words in it, more than fit on a short line of text." }
            .joined(separator: "\n\n")
            + "\n\n```\n" + String(repeating: "code ", count: 60) + "END\n```\n"
        return Screen(
            title: title,
            content: .document(
                Document(
                    facts: [.init("Author", "Ann"), .init("Tags", "swift, 日本")], body: body, format: .markdown,
                    address: "https://example.org/é")),
            actions: [
                Action("Next article", .nextArticleChosen, for: .next),
                Action("Log out", .logOutChosen, for: .logOut),
            ],
            model: .article(
                Article(
                    id: 1, source: SourceReference(id: 1, uid: .random(), name: "s"), key: "one", slug: "one",
                    title: title,
                    body: body, published: .distantPast, updated: .distantPast), marks))
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
        actions: [Action("Register", .open(.signUpAccount), for: .register)])

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
        title: "Welcome", content: .menu(text: "A library of articles on this machine. Log in to read it."),
        actions: [
            Action("Log in", .open(.login()), for: .logIn), Action("Register", .open(.signUpAccount), for: .register),
        ])

    static let note = note(version: "1")

    static func note(version: String) -> Screen {
        Screen(
            title: "Note on “An article”",
            content: .form(
                Form(
                    [.init(.note, "Note", kind: .lines, value: "One\nTwo", hint: "Nobody else sees it.")],
                    submitLabel: "Save", version: version)))
    }

    static let all: [Screen] = [
        .articles(count: 100), .article(paragraphs: 60), .login, .region, .welcome, .note,
    ]
}
