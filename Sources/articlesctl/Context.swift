import Arguments
import ArticleStore
import AuthService
import Database
import Essentials
import FlowCoordinators
import Migrations
import Platform
import ReadingStore
import Terminal
import Text

/// The surroundings of a command: the streams, the terminal, the environment, and the options of every command.
struct Context {
    let output: Writer
    let error: Writer
    let terminal: Terminal
    let environment: (String) -> String?
    let json: Bool
    /// Whether a person is there to ask.
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
    /// - Throws: `CommandError` if the environment does not name them.
    var locations: Locations {
        get throws { try Locations(database: databaseOption, environment: environment) }
    }

    var databaseConfiguration: Database.Configuration {
        // Ctrl-C ends waiting for another process, even in a command that otherwise runs to its end.
        Database.Configuration(busyTimeout: busyTimeout, isInterrupted: { InterruptWatch.noted != nil })
    }

    /// How long a person at a screen that does nothing waits for another process that writes, in seconds.
    private static let screenPatience = 1.0
    /// The time limit of a search. The reader, which searches at each letter, has a shorter one.
    private static let searchPatience = Duration.seconds(2)

    /// The database, which must be there and up to date.
    func database() throws -> Database { try database(databaseConfiguration) }

    private func database(_ configuration: Database.Configuration) throws -> Database {
        let locations = try locations
        do {
            try closeToOthers(locations.database)
            return try Database(path: locations.database, schema: .articlesctl, configuration: configuration)
        } catch let error as DatabaseError {
            throw CommandError(opening: error, given: databaseOption)
        }
    }

    /// The application on the database, as this front runs it.
    ///
    /// - Parameters:
    ///   - isFullScreen: whether a person goes from screen to screen, so that the place is taken up and kept, a
    ///     log-in that is held back is told so at once, and articles can be brought in. A command that goes straight
    ///     somewhere does without the queries, and waits a little.
    ///   - defaults: what holds for a user who has chosen nothing.
    ///   - signUp: how accounts are made.
    ///   - purpose: what the session that is kept is taken up for.
    ///   - opened: the database, where it is open already.
    ///   - isWhole: whether a list is gone through to its end, page by page: none is counted then, and no search is cut
    ///     because it takes long.
    func front(
        isFullScreen: Bool = false, defaults: Defaults = Defaults(), signUp: SignUpOptions = SignUpOptions(),
        purpose: TokenFile.Purpose = .act,
        on opened: Database? = nil, isWhole: Bool = false
    ) throws -> Front {
        let database = try opened ?? database()
        let marks = isFullScreen ? try screenDatabase() : nil
        let bookmarks = isFullScreen ? try screenDatabase(isDurable: false) : nil
        let auth = AuthService(
            database: database, passwordPolicy: PasswordPolicy(contextWords: ["articlesctl", Self.host]),
            throttlePolicy: Self.throttlePolicy(patience: isFullScreen ? 0 : 5), clock: clock,
            pause: { try InterruptWatch.pause(seconds: $0) })
        let application = ApplicationCoordinator(
            auth: auth,
            articles: isWhole
                ? articles(on: database).patient
                : isFullScreen ? articles(on: database) : articles(on: database).searching(for: Self.searchPatience),
            tokens: try tokens(for: purpose),
            client: Self.client, origin: Self.origin,
            reading: marks.map { SQLiteReadingStateRepository(database: $0, bookmarks: bookmarks ?? $0) },
            marks: SQLiteMarkRepository(database: marks ?? database),
            feeds: FeedAddresses(auth: auth, database: database),
            imports: isFullScreen ? ImportSettings(options: importing(), home: environment("HOME")) : nil,
            signUp: signUp,
            // Lines for another program do not contain a total.
            countsLists: !isWhole && (json || terminal.output.isTerminal), defaults: defaults, clock: clock,
            workExecutor: isFullScreen ? nil : CallingThread())
        return Front(application: application, prompter: prompter, isSessionGiven: givenToken != nil)
    }

    /// The database for writes that a key waits for, which therefore do not wait long for another process.
    ///
    /// - Parameter isDurable: whether a write is on the disk before it is reported. A bookmark, which is written again and
    ///   again, is not reported.
    private func screenDatabase(isDurable: Bool = true) throws -> Database {
        var configuration = databaseConfiguration
        configuration.busyTimeout = min(configuration.busyTimeout, Self.screenPatience)
        configuration.isDurable = isDurable
        return try database(configuration)
    }

    /// Lets searches find what others have brought in, in small steps and with a look now and then, until it is cancelled. Who
    /// is busy with the library is left alone.
    func indexingWhileIdle() throws -> @Sendable () async -> Void {
        let repository = articles(on: try screenDatabase(isDurable: false))
        return {
            while !Task.isCancelled {
                let waiting = try? await repository.advanceSearchBriefly()
                if waiting ?? 0 == 0 { try? await Task.sleep(for: .seconds(2)) }
            }
        }
    }

    /// Options of an import, with what the environment says.
    func importing(_ options: ImportOptions = ImportOptions()) -> ImportOptions {
        var options = options
        if let folder = environment("TMPDIR"), !folder.isEmpty { options.temporaryFolder = folder }
        return options
    }

    /// Says something to a person, on standard error and only when no program reads.
    func say(_ text: String) {
        guard !json else { return }
        try? error.writeLine(text.sanitized(keeping: [.newline]))
        try? error.flush()
    }

    /// Tells of something that a person has to know about, on standard error: to a program as a line of JSON.
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

    /// The session that is kept or given, looked up without being used: nothing is written, and nobody is asked.
    ///
    /// - Throws: why it cannot be looked up.
    func sessionLookedUp(in database: Database) async throws -> Session? {
        guard let token = try tokens(for: .act).load().flatMap({ SessionToken($0) }) else { return nil }
        return try await AuthService(database: database, clock: clock).currentSession(token: token, isUse: false)
    }

    private static let tokenVariable = "ARTICLESCTL_TOKEN"

    private var givenToken: String? { environment(Self.tokenVariable).flatMap { $0.isEmpty ? nil : $0 } }

    /// A user who runs this owns the file, and may fill it by a script.
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
