import Arguments
import WebFront

/// The command line of the server.
enum ServerTable {
    static let spec = CommandSpec(
        name: "articlesd",
        summary: "serve a library of articles over HTTP",
        discussion: """
            articlesd shows the library of articlesctl in a browser. It serves at once: where there is no database yet, it \
            makes one, and the first who registers is its operator.

            It listens on this machine alone unless told otherwise. To be reached from others, give it a certificate, or put \
            a proxy before it that has one, and say which proxy that is.

            SIGTERM and Ctrl-C end it when the requests are answered that have come; SIGHUP has it read the certificate anew.
            """,
        options: [
            OptionSpec(name: "database", summary: "the database file", value: "PATH", values: .file),
            OptionSpec(
                name: "listen",
                summary: "where to listen: HOST:PORT (digits or localhost), :PORT for every address, or unix:PATH",
                value: "ADDRESS", defaultValue: "127.0.0.1:8080", isRepeating: true),
            OptionSpec(
                name: "tls-certificate", summary: "the certificate, and those above it, in PEM", value: "FILE",
                values: .file),
            OptionSpec(name: "tls-key", summary: "its private key, in PEM", value: "FILE", values: .file),
            OptionSpec(
                name: "trusted-proxy",
                summary: "a proxy that says where clients are: an address, a network as in 10.0.0.0/8, or unix",
                value: "ADDRESS", isRepeating: true),
            OptionSpec(
                name: "name", summary: "what the library is called on every page", value: "NAME",
                defaultValue: "Articles"),
            OptionSpec(
                name: "images", summary: "which pictures of articles browsers fetch", value: "WHICH",
                values: .choices(WebFrontSettings.Images.allCases.map(\.rawValue)), defaultValue: "off"),
            OptionSpec(
                name: "metrics", summary: "where to answer /metrics, in the format of Prometheus", value: "ADDRESS"),
            OptionSpec(
                name: "log", summary: "how the log is written, to standard error", value: "FORMAT",
                values: .choices(RequestLog.Format.allCases.map(\.rawValue)), defaultValue: "text"),
            OptionSpec(
                name: "connections", summary: "how many connections there may be", value: "NUMBER", defaultValue: "2000"
            ),
            OptionSpec(
                name: "connections-per-address",
                summary: "how many of them from one address; with a proxy at an address there is no such limit",
                value: "NUMBER", defaultValue: "100"),
            OptionSpec(
                name: "api-limit",
                summary: "how many requests a minute one program may make of the API, or who guesses at tokens",
                value: "NUMBER", defaultValue: "600"),
            OptionSpec(
                name: "api-origin",
                summary: "an origin whose pages may use the API by scripts (CORS), like https://app.example",
                value: "ORIGIN", isRepeating: true),
            OptionSpec(
                name: "long-requests",
                summary: "how many searches and other requests that take long one user may have waiting",
                value: "NUMBER", defaultValue: "64"),
            OptionSpec(
                name: "long-seconds",
                summary:
                    "how many seconds of a thread such requests of one user may use at once; half a second comes back each second",
                value: "SECONDS", defaultValue: "60"),
            OptionSpec(
                name: "stop-after", summary: "how long requests may still take when it is to end", value: "SECONDS",
                defaultValue: "10"),
        ],
        subcommands: [
            CommandSpec(
                name: "man", summary: "write the source of the manual page",
                examples: [Example(command: "articlesd man > articlesd.8", summary: "save it")]),
            CommandSpec(
                name: "completions", summary: "write the completions for a shell",
                arguments: [
                    ArgumentSpec(name: "SHELL", summary: "the shell", values: .choices(Shell.allCases.map(\.rawValue)))
                ],
                examples: [Example(command: "source <(articlesd completions bash)", summary: "complete in this bash")]),
        ],
        needsSubcommand: true,
        worksAlone: true,
        examples: [
            Example(command: "articlesd", summary: "serve the usual database on http://127.0.0.1:8080"),
            Example(
                command: "articlesd --listen :443 --tls-certificate site.pem --tls-key site.key",
                summary: "serve everybody, encrypted"),
            Example(
                command: "articlesd --listen unix:/run/articlesd/http.sock --trusted-proxy unix",
                summary: "serve a proxy on this machine"),
        ],
        exitCodes: [ExitCode.success, .usage, .noInput, .unavailable, .software, .cannotCreate, .ioError, .tryAgain].map
        {
            Definition(term: String($0.rawValue), summary: $0.meaning)
        },
        environment: [
            Definition(term: "ARTICLESCTL_DATABASE", summary: "The database file, when --database is not given"),
            Definition(
                term: "XDG_DATA_HOME", summary: "Where the database is by default: articlesctl/articles.db in there"),
            Definition(
                term: "STATE_DIRECTORY",
                summary: "Where the database is by default in a service of systemd: articles.db in there"),
            Definition(
                term: "LISTEN_FDS",
                summary: "The sockets that a service manager hands over; they take the place of --listen"),
            Definition(
                term: "NOTIFY_SOCKET",
                summary: "Where a service manager is told that the server is ready, or about to end"),
        ],
        files: [
            Definition(
                term: "/etc/default/articlesd", summary: "The options of the service, as ARTICLESD_OPTIONS"),
            Definition(term: "/var/lib/articlesd/articles.db", summary: "The database of the service"),
            Definition(
                term: "/run/articlesd.sock",
                summary: "Where articlesd.socket lets a proxy ask: who is root or of the group www-data"),
            Definition(
                term: "$XDG_DATA_HOME/articlesctl/articles.db",
                summary: "The database without a service (~/.local/share when the variable is unset)"),
        ],
        seeAlso: ["articlesctl(1)", "systemd.service(5)", "systemd.socket(5)"])
}
