import Arguments
import WebFront

/// The command line of the server.
enum ServerTable {
    /// The exit codes of the server. Some have other causes than in articlesctl.
    private static var exitCodes: [(code: ExitCode, meaning: String)] {
        [
            (.success, ExitCode.success.meaning), (.usage, ExitCode.usage.meaning),
            (.badData, "a certificate or its key is not valid"), (.noInput, "a certificate or its key cannot be read"),
            (
                .unavailable,
                "the database does not exist, needs a migration, belongs to another program, or is unsafe to use; or an "
                    + "address is already in use"
            ),
            (.software, ExitCode.software.meaning), (.cannotCreate, ExitCode.cannotCreate.meaning),
            (.ioError, ExitCode.ioError.meaning), (.tryAgain, ExitCode.tryAgain.meaning),
            (.interrupted, "Ctrl-C ended the server before it had sent its last responses"),
            (.terminated, "SIGTERM ended the server before it had sent its last responses"),
        ]
    }

    static let spec = CommandSpec(
        name: "articlesd",
        summary: "serve a library of articles over HTTP",
        discussion: """
            articlesd shows the library of articlesctl in a browser. It needs no setup: if the database does not \
            exist, articlesd creates it, and the first user who registers becomes the operator.

            By default, articlesd accepts connections from this machine only. To serve other machines, pass a \
            certificate, or run a reverse proxy that handles TLS and name it with --trusted-proxy.

            SIGTERM and Ctrl-C stop the server after it has answered the requests in progress. SIGHUP reloads the \
            certificate.
            """,
        options: [
            OptionSpec(
                name: "database", summary: "the database: a file, or postgres://… for a PostgreSQL server",
                value: "PLACE", values: .file),
            OptionSpec(
                name: "listen",
                summary:
                    "the address to listen on: HOST:PORT (an IP address or localhost), :PORT for every address, or unix:PATH",
                value: "ADDRESS", defaultValue: "127.0.0.1:8080", isRepeating: true),
            OptionSpec(
                name: "tls-certificate", summary: "the certificate chain, in PEM format", value: "FILE",
                values: .file),
            OptionSpec(
                name: "tls-key", summary: "the private key of the certificate, in PEM format", value: "FILE",
                values: .file),
            OptionSpec(
                name: "trusted-proxy",
                summary:
                    "a proxy whose Forwarded and X-Forwarded fields are trusted: an IP address, a network such as 10.0.0.0/8, or unix",
                value: "ADDRESS", isRepeating: true),
            OptionSpec(
                name: "base-path",
                summary:
                    "the path below which users see the server, such as /rss; a proxy may remove it from requests or not",
                value: "PATH"),
            OptionSpec(
                name: "name", summary: "the name of the library, shown on every page", value: "NAME",
                defaultValue: "Articles"),
            OptionSpec(
                name: "images",
                summary:
                    "the images of articles that browsers may load; kept fetches them for new articles and serves them itself",
                value: "WHICH",
                values: .choices(WebFrontSettings.Images.allCases.map(\.rawValue)), defaultValue: "off"),
            OptionSpec(
                name: "fetch", summary: "whether to fetch feeds: by the schedule, and when users subscribe",
                value: "WHETHER",
                values: .choices(["on", "off"]), defaultValue: "on"),
            OptionSpec(
                name: "fetch-contact",
                summary: "your web or e-mail address, which User-Agent contains when sources are fetched",
                value: "ADDRESS"),
            OptionSpec(
                name: "fetch-host",
                summary: "a host whose feeds may be fetched even if it is in a private network or on another port",
                value: "HOST", isRepeating: true),
            OptionSpec(
                name: "public-address",
                summary:
                    "the address at which others reach the server, such as https://articles.example; hubs announce new articles there (WebSub)",
                value: "URL"),
            OptionSpec(
                name: "websub", summary: "whether hubs announce new articles, if --public-address is given",
                value: "WHETHER", values: .choices(["on", "off"]), defaultValue: "on"),
            OptionSpec(
                name: "metrics", summary: "the address to serve /metrics on, in Prometheus format", value: "ADDRESS"),
            OptionSpec(
                name: "log", summary: "the format of the log on standard error", value: "FORMAT",
                values: .choices(RequestLog.Format.allCases.map(\.rawValue)), defaultValue: "text"),
            OptionSpec(
                name: "connections", summary: "the maximum number of connections", value: "NUMBER", defaultValue: "2000"
            ),
            OptionSpec(
                name: "connections-per-address",
                summary: "the maximum number of connections per client address; no limit with a proxy at an IP address",
                value: "NUMBER", defaultValue: "100"),
            OptionSpec(
                name: "api-limit",
                summary:
                    "the maximum number of API requests per minute for one program, or for a client with invalid tokens",
                value: "NUMBER", defaultValue: "600"),
            OptionSpec(
                name: "api-origin",
                summary: "an origin whose pages may call the API from scripts (CORS), such as https://app.example",
                value: "ORIGIN", isRepeating: true),
            OptionSpec(
                name: "long-requests",
                summary: "the maximum number of waiting searches and other expensive requests per user",
                value: "NUMBER", defaultValue: "64"),
            OptionSpec(
                name: "long-seconds",
                summary:
                    "the thread time that expensive requests of one user may use; half a second is added every second",
                value: "SECONDS", defaultValue: "60"),
            OptionSpec(
                name: "stop-after", summary: "the time that requests in progress may take when the server stops",
                value: "SECONDS",
                defaultValue: "10"),
        ],
        subcommands: [
            CommandSpec(
                name: "man", summary: "print the source of the manual page",
                examples: [Example(command: "articlesd man > articlesd.8", summary: "save the manual page")]),
            CommandSpec(
                name: "completions", summary: "print the completion script of a shell",
                arguments: [
                    ArgumentSpec(name: "SHELL", summary: "the shell", values: .choices(Shell.allCases.map(\.rawValue)))
                ],
                examples: [
                    Example(command: "source <(articlesd completions bash)", summary: "enable completions in this bash")
                ]),
        ],
        needsSubcommand: true,
        worksAlone: true,
        examples: [
            Example(command: "articlesd", summary: "serve the default database on http://127.0.0.1:8080"),
            Example(
                command: "articlesd --listen :443 --tls-certificate site.pem --tls-key site.key",
                summary: "serve all addresses with TLS"),
            Example(
                command: "articlesd --listen unix:/run/articlesd/http.sock --trusted-proxy unix",
                summary: "serve a reverse proxy on this machine"),
        ],
        exitCodes: exitCodes.map { Definition(term: String($0.code.rawValue), summary: $0.meaning) },
        environment: [
            Definition(term: "ARTICLESCTL_DATABASE", summary: "The database if --database is not given"),
            Definition(
                term: "XDG_DATA_HOME", summary: "The folder of the default database, articlesctl/articles.db"),
            Definition(
                term: "STATE_DIRECTORY",
                summary: "The folder of the default database in a systemd service, articles.db"),
            Definition(
                term: "LISTEN_FDS",
                summary: "The sockets passed by a service manager; they replace --listen"),
            Definition(
                term: "NOTIFY_SOCKET",
                summary: "The socket on which a service manager learns that the server is ready or stopping"),
        ],
        files: [
            Definition(
                term: "/etc/default/articlesd", summary: "The options of the service, in the variable ARTICLESD_OPTIONS"
            ),
            Definition(term: "/var/lib/articlesd/articles.db", summary: "The database of the service"),
            Definition(
                term: "/run/articlesd.sock",
                summary: "The socket of articlesd.socket for a proxy that runs as root or in the group www-data"),
            Definition(
                term: "$XDG_DATA_HOME/articlesctl/articles.db",
                summary: "The database without a service (~/.local/share if the variable is unset)"),
        ],
        seeAlso: ["articlesctl(1)", "systemd.service(5)", "systemd.socket(5)"])
}
