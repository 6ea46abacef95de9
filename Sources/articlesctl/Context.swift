import ArticleImporting
import LibraryStores
import Arguments
import ArticleStore
import AuthService
import Text
import FlowCoordinators
import Platform
import Terminal

/// The surroundings of a command: the streams, the terminal, the environment, and the options of every command.
struct Context {
    let output: Writer
    let error: Writer
    let terminal: Terminal
    let environment: (String) -> String?
    let json: Bool
    /// Whether the program can ask the user.
    let isInteractive: Bool
    /// The value of `--database`.
    let databaseOption: String?
    let busyTimeout: Double
    let clock: @Sendable () -> Date

    init(
        _ parsed: ParsedCommand, output: Writer, error: Writer, environment: @escaping (String) -> String?,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.output = output
        self.error = error
        self.environment = environment
        self.clock = clock
        let color = parsed.value("color").flatMap(ColorChoice.init) ?? .auto
        terminal = Terminal.standard(color: color, environment: environment)
        json = parsed.flag("json")
        isInteractive = terminal.input.isTerminal && !parsed.flag("no-input")
        databaseOption = try parsed.filled("database")
        busyTimeout = Double(try parsed.integer("busy-timeout", in: 0...86_400) ?? 30)
    }

    /// The places of files.
    ///
    /// - Throws: `CommandError` if the environment does not name them, or if a mistake in the configuration hides the
    ///   place of the library.
    var locations: Locations {
        get throws {
            if let locations = run.locations { return locations }
            let locations = try Locations(database: databaseOption, environment: environment) {
                try configuredDatabase()
            }
            run.locations = locations
            return locations
        }
    }

    /// The time in seconds that a screen waits for another process that writes. The screen does not respond in this
    /// time.
    private static let screenTimeout = 1.0
    /// The time limit of a search. The reader has a shorter one, because it searches at each letter.
    private static let searchLimit = Duration.seconds(2)

    /// The places, the library, and the front of this run, after their first use. A class, because the copies of a context
    /// share it.
    private final class Run {
        var locations: Locations?
        var stores: Stores?
        var front: Front?
    }
    private let run = Run()

    /// Closes the library at the end of the run, so that SQLite's log is moved into the file. The front and its prompter
    /// refer to this context, so nothing else would end them.
    func close() { (run.front, run.stores) = (nil, nil) }

    /// The settings of the library.
    var storeOptions: Stores.Options {
        var options = Stores.Options()
        options.busyTimeout = busyTimeout
        options.clock = clock
        // Ctrl-C ends waiting for another process, even in a command that otherwise runs to its end.
        options.isInterrupted = { InterruptWatch.noted != nil }
        return options
    }

    /// Returns the repositories of the library, which must exist and be up to date. A run opens them once.
    ///
    /// - Parameter isFullScreen: whether the user goes from screen to screen.
    /// - Throws: `CommandError`.
    func stores(isFullScreen: Bool = false) async throws -> Stores {
        if let stores = run.stores { return stores }
        var options = storeOptions
        if isFullScreen { options.screenTimeout = Self.screenTimeout }
        do {
            let stores = try await Stores.open(try locations.place, options: options, onClosing: warnOfAccess)
            run.stores = stores
            return stores
        } catch let error as StoreError {
            throw CommandError(opening: error, given: databaseOption)
        }
    }

    /// Prints a message about a file that other users could access until now.
    func warnOfAccess(to path: String) { warn("Other users had access to \(path); it is now restricted to you.") }

    /// The library, accessed directly by an operator. A person who can write the file does not need a session.
    func articles() async throws -> any ArticleRepository { try await stores().articles }

    /// The marks of all users.
    func marks() async throws -> any MarkRepository & MarkLog { try await stores().marks }

    /// The pictures of the articles.
    func pictures() async throws -> any PictureRepository { try await stores().pictures }

    /// The subscriptions of sources.
    func subscriptions() async throws -> any SubscriptionRepository { try await stores().subscriptions }

    /// The bookmarks and preferences of all users.
    func reading() async throws -> any ReadingStateRepository { try await stores().reading }

    /// Returns the front of this run. The first call creates it; later calls return the same and ignore the options.
    ///
    /// - Parameters:
    ///   - isFullScreen: whether the user goes from screen to screen. Then the place is restored and saved, a locked
    ///     login is reported immediately, and imports are available. Other commands skip these queries, and wait a
    ///     little for a locked login.
    ///   - defaults: the preferences of a user who has not chosen any.
    ///   - signUp: the options for new accounts.
    ///   - purpose: the purpose for which the saved session is used.
    ///   - isWhole: whether a list is read to its end, page by page. Then lists are not counted, and searches do not
    ///     have a time limit.
    func front(
        isFullScreen: Bool = false, defaults: Defaults = Defaults(), signUp: SignUpOptions = SignUpOptions(),
        purpose: TokenFile.Purpose = .act, isWhole: Bool = false
    ) async throws -> Front {
        if let front = run.front { return front }
        let stores = try await stores(isFullScreen: isFullScreen)
        let auth = AuthService(
            store: stores.accounts, passwordPolicy: PasswordPolicy(contextWords: ["articlesctl", Self.host]),
            throttlePolicy: Self.throttlePolicy(patience: isFullScreen ? 0 : 5), clock: clock,
            pause: { try InterruptWatch.pause(seconds: $0) })
        let application = ApplicationCoordinator(
            auth: auth,
            articles: isFullScreen
                ? stores.articles : stores.articles.limitingSearches(to: isWhole ? nil : Self.searchLimit),
            tokens: try tokens(for: purpose),
            client: Self.client, origin: Self.origin, reading: isFullScreen ? stores.reading : nil, marks: stores.marks,
            subscriptions: Subscriptions(stores.subscriptions, feeds: isFullScreen ? try feeds(stores) : nil),
            imports: isFullScreen ? ImportSettings(options: importing(), home: environment("HOME")) : nil,
            signUp: signUp,
            // Lines for other programs do not contain a total.
            countsLists: !isWhole && (json || terminal.output.isTerminal), defaults: defaults, clock: clock,
            workExecutor: isFullScreen ? nil : CallingThread())
        let front = Front(application: application, prompter: prompter, isSessionGiven: givenToken != nil)
        run.front = front
        return front
    }

    /// Returns a task that adds other processes' imports to the search index in small steps, and applies rules, until it is
    /// canceled. It pauses while another process uses the library.
    func indexingWhileIdle() async throws -> @Sendable () async -> Void {
        let (stores, clock) = (try await stores(), clock)
        let rules = RuleApplier(articles: stores.articles, marks: stores.marks, clock: clock)
        return {
            while !Task.isCancelled {
                let waiting = try? await stores.articles.advanceSearch(briefly: true)
                _ = try? await rules.apply()
                if waiting ?? 0 == 0 { try? await Task.sleep(for: .seconds(2)) }
            }
        }
    }

    /// Returns the options of an import with the settings of the environment.
    func importing(_ options: ImportOptions = ImportOptions()) -> ImportOptions {
        var options = options
        if let folder = environment("TMPDIR"), !folder.isEmpty { options.temporaryFolder = folder }
        return options
    }

    /// Checks that threads can be started and files opened. Without them, work with concurrent tasks waits forever or ends the
    /// process.
    ///
    /// - Throws: `CommandError` if that is not possible.
    func checkResources() throws {
        guard let shortage = resourceShortage() else { return }
        throw CommandError(
            "cannot start a thread or open a file: \(shortage)",
            hint: "close other programs, or raise the limits: ulimit -u, -v, -n", code: .tryAgain)
    }

    /// Prints a message on standard error, unless the output is JSON.
    func say(_ text: String) {
        guard !json else { return }
        try? error.writeLine(text.sanitized(keeping: [.newline]))
        try? error.flush()
    }

    /// Prints a warning on standard error. If the output is JSON, it is a line of JSON.
    func warn(_ text: String) {
        guard json else { return say(text) }
        try? error.writeLine((["warning": .string(text)] as JSON).description)
        try? error.flush()
    }

    private var prompter: Prompter {
        Prompter(isInteractive: isInteractive, prompt: Prompt(), say: say)
    }

    private func tokens(for purpose: TokenFile.Purpose) throws -> any TokenStore {
        if let givenToken { return GivenToken(token: givenToken) }
        return TokenFile(path: try locations.tokenFile, devices: try locations.deviceFiles, purpose: purpose)
    }

    /// The environment that other programs inherit.
    var variables: [String] { inheritedVariables(except: [Self.tokenVariable]) }

    /// Returns the saved or given session. It is looked up without being used: nothing is written, and no login is
    /// requested.
    ///
    /// - Throws: the error of the token store or the service.
    func sessionLookedUp(in stores: Stores) async throws -> Session? {
        guard let token = try tokens(for: .act).load().flatMap({ SessionToken($0) }) else { return nil }
        return try await AuthService(store: stores.accounts, clock: clock).currentSession(token: token, isUse: false)
    }

    private static let tokenVariable = "ARTICLESCTL_TOKEN"

    private var givenToken: String? { environment(Self.tokenVariable).flatMap { $0.isEmpty ? nil : $0 } }

    /// The user of this program owns the database file and may register users with a script, so registrations are
    /// hardly limited.
    private static func throttlePolicy(patience: Int) -> ThrottlePolicy {
        ThrottlePolicy(registrations: .rate(free: 1_000, interval: 1), patience: patience)
    }

    /// The origin of requests: the user ID of the operating system, which the user cannot choose.
    private static var origin: Origin { Origin("local:\(getuid())") }

    /// The name of this client in the list of sessions.
    static var client: String { host.isEmpty ? "articlesctl" : "articlesctl on " + host }

    /// The host name, or an empty string if it is unknown.
    private static var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
            name.initialize(repeating: 0)
            guard let start = name.baseAddress, gethostname(start, name.count - 1) == 0 else { return "" }
            return String(cString: start)
        }
    }
}
