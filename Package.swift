// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "articlesctl",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Navigation", targets: ["Navigation"]),
        .library(name: "NavigationTesting", targets: ["NavigationTesting"]),
        .library(name: "Database", targets: ["Database"]),
        .library(name: "ArticleStore", targets: ["ArticleStore", "ArticleImporting", "ArticleExporting", "Markup"]),
        .library(name: "AuthService", targets: ["AuthService", "CommonPasswords"]),
        .library(name: "LibraryStores", targets: ["LibraryStores", "SQLiteStores", "Migrations"]),
        .library(name: "FlowCoordinators", targets: ["FlowCoordinators"]),
        .library(name: "ArticlesClient", targets: ["ArticlesClient"]),
        .executable(name: "articlesctl", targets: ["articlesctl"]),
        .executable(name: "articlesd", targets: ["articlesd"]),
    ],
    targets: [
        // System libraries. Each target consists only of a module map and a shim header.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CMessageDigest", providers: [.apt(["libmd-dev"])]),
        .systemLibrary(name: "CUnicode", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
        // Functions of libraries that are loaded when they are first needed, because loading them takes longer than most
        // of the work of a short command.
        .target(name: "CCurl", dependencies: ["CPlatform"]),
        .target(name: "CMarkdown", dependencies: ["CPlatform"]),
        .target(name: "CPCRE", dependencies: ["CPlatform"]),
        .target(name: "CPostgreSQL", dependencies: ["CPlatform"]),
        .target(name: "CQRCode", dependencies: ["CPlatform"]),
        .target(name: "CZxcvbn", dependencies: ["CPlatform"]),
        // Our own C and C++ code: functions that Swift's Glibc module does not have, limits for gumbo, and a C
        // interface for toml++.
        .target(name: "CPlatform"),
        .target(name: "CGumbo", linkerSettings: [.linkedLibrary("gumbo")]),
        .target(name: "CTOML"),
        // The character references of HTML.
        .target(name: "CEntities"),
        // The words of a text: the tokenizer and the score of full-text search.
        .target(
            name: "CSearch", dependencies: ["CEntities", "CPlatform"],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("utf8proc")]),

        // The schema. Each file in migrations/ is a migration, which the plugin embeds when the package is built.
        .executableTarget(name: "embed-migrations"),
        .plugin(name: "EmbedMigrations", capability: .buildTool(), dependencies: ["embed-migrations"]),
        .target(
            name: "Migrations", dependencies: ["Database"], path: "migrations", exclude: ["postgresql"],
            sources: ["Migrations.swift"], plugins: ["EmbedMigrations"]),
        .target(
            name: "PostgreSQLMigrations", dependencies: ["PostgreSQL"], path: "migrations/postgresql",
            sources: ["PostgreSQLMigrations.swift"], plugins: ["EmbedMigrations"]),

        .target(name: "Platform", dependencies: ["CPlatform"]),
        .target(name: "Text", dependencies: ["Platform", "CUnicode"]),
        .target(
            name: "Markup", dependencies: ["Platform", "Text", "CEntities", "CGumbo", "CMarkdown"],
            exclude: ["readability-copyright.txt"]),
        .target(name: "Database", dependencies: ["Platform", "Text", "CSQLite", "CPlatform", "CSearch"]),
        // PostgreSQL, without any knowledge of articles.
        .target(name: "PostgreSQL", dependencies: ["CPlatform", "CPostgreSQL", "Platform", "Text"]),
        .target(name: "Navigation"),
        .target(name: "NavigationTesting", dependencies: ["Navigation"]),
        .target(name: "ArticleStore", dependencies: ["Markup", "Text", "CPCRE", "CSearch"]),
        // The readers of files and of exports of other programs, and the writers of files, feeds, and pages.
        .target(
            name: "ArticleImporting",
            dependencies: ["ArticleStore", "Markup", "Platform", "Text", "CExpat", "CTOML", "CYAML"]),
        .target(
            name: "ArticleExporting",
            dependencies: ["ArticleStore", "Markup", "Platform", "Text", "CMessageDigest", "CPlatform"]),
        .target(
            name: "AuthService",
            dependencies: ["Platform", "Text", "CMessageDigest", "CSodium", "CZxcvbn"],
            exclude: ["Passwords/common-passwords-copyright.txt"],
            resources: [.embedInCode("Passwords/common-passwords.txt")]),
        // The common passwords that are shorter than the minimum of the programs' own policy.
        .target(name: "CommonPasswords", dependencies: ["AuthService"], resources: [.embedInCode("short.txt")]),
        // All SQL about users, articles, and marks, for each engine.
        .target(
            name: "SQLiteStores",
            dependencies: ["ArticleStore", "AuthService", "Database", "Migrations", "Text"]),
        .target(
            name: "PostgreSQLStores",
            dependencies: ["ArticleStore", "AuthService", "Platform", "PostgreSQL", "PostgreSQLMigrations", "Text"]),
        // The choice of an engine. Only this module knows more than one.
        .target(
            name: "LibraryStores",
            dependencies: [
                "ArticleStore", "AuthService", "Database", "Migrations", "Platform", "PostgreSQL",
                "PostgreSQLStores", "SQLiteStores", "Text",
            ]),
        .target(
            name: "FlowCoordinators",
            dependencies: [
                "ArticleExporting", "ArticleImporting", "ArticleStore", "AuthService", "LibraryServices", "Markup",
                "Navigation", "Text",
            ]),

        .target(name: "HTTPServer", dependencies: ["Platform", "Text", "CMicroHTTPD", "CPlatform", "CZlib"]),
        .target(name: "HTTPClient", dependencies: ["CCurl", "Platform", "Text"]),
        // Fetching of subscribed sources: the feeds of pages, the schedule, and imports.
        .target(
            name: "ArticleFetching",
            dependencies: ["ArticleImporting", "ArticleStore", "HTTPClient", "Markup", "Platform", "Text"]),
        .target(
            name: "Terminal", dependencies: ["Markup", "Platform", "Text", "CPlatform", "CQRCode", "CUnicode"]),
        .target(
            name: "TerminalReader",
            dependencies: [
                "ArticleStore", "FlowCoordinators", "Markup", "Navigation", "Terminal", "Text",
            ]),
        // The specifications of command lines, and the help, manual pages, and completions that are made from them.
        .target(name: "Arguments", dependencies: ["Platform", "Terminal", "Text"]),
        // The services of the fronts, and the JSON that both the command line and the server write.
        .target(name: "LibraryServices", dependencies: ["ArticleStore", "AuthService", "Text"]),
        .executableTarget(
            name: "articlesctl",
            dependencies: [
                "Arguments", "ArticleExporting", "ArticleFetching", "ArticleImporting", "ArticleStore", "AuthService",
                "Database", "FlowCoordinators", "HTTPClient", "LibraryStores", "Migrations",
                "LibraryServices", "Navigation", "Platform", "SQLiteStores", "Terminal", "TerminalReader", "Text",
                "CTOML",
            ]),

        // Compares the main text of saved pages with the pages of Mozilla's Readability. It needs internal functions, so
        // it is not in the package of the benchmarks.
        .executableTarget(
            name: "main-text-pages", dependencies: ["ArticleImporting", "ArticleStore", "Markup", "Text"],
            path: "Benchmarks/MainText"),

        // An example of the kernel with two fronts. It needs the server of this package, which is not a product.
        .executableTarget(
            name: "colors", dependencies: ["HTTPServer", "Navigation"], path: "Examples/Colors",
            exclude: ["expected.txt"]),

        // The front for browsers, and the server.
        .target(
            name: "WebFront",
            dependencies: [
                "ArticleStore", "AuthService", "FlowCoordinators", "HTTPServer", "LibraryServices", "Markup",
                "Navigation", "Text", "CQRCode",
            ],
            resources: [
                .embedInCode("Assets/style.css"), .embedInCode("Assets/script.js"), .embedInCode("Assets/app.js"),
                .embedInCode("Assets/worker.js"), .embedInCode("Assets/icon.svg"),
                .embedInCode("Assets/icon-192.png"), .embedInCode("Assets/icon-512.png"),
                .embedInCode("Assets/icon-maskable.png"),
            ]),
        .target(
            name: "GoogleReader",
            dependencies: [
                "ArticleExporting", "ArticleStore", "AuthService", "HTTPServer", "LibraryServices", "Markup", "Text",
            ]),
        // The client for apps. It needs only Foundation.
        .target(name: "ArticlesClient"),
        .target(
            name: "WebAPI",
            dependencies: [
                "ArticleExporting", "ArticleStore", "AuthService", "HTTPServer", "LibraryServices", "Text",
            ]),
        .executableTarget(
            name: "articlesd",
            dependencies: [
                "Arguments", "ArticleFetching", "ArticleImporting", "ArticleStore", "AuthService", "FlowCoordinators",
                "GoogleReader", "HTTPClient", "HTTPServer", "LibraryServices", "LibraryStores", "Platform", "CPlatform",
                "Terminal", "Text", "WebAPI", "WebFront",
            ],
            // A server loads these libraries when it starts, so that it fails at once if it cannot.
            linkerSettings: ["md4c", "qrencode", "stemmer", "zxcvbn"].map { .linkedLibrary($0) }),

        // Code that the tests of several modules share. It is not a product, so users of this package do not build it.
        .target(name: "TestSupport", dependencies: ["CMessageDigest", "Terminal"], path: "Tests/TestSupport"),
        // The implementations of the repositories on which the contract suites run: SQLite, values in memory, and
        // PostgreSQL if there is a server.
        .target(
            name: "StoreEngines",
            dependencies: [
                "ArticleStore", "AuthService", "Database", "LibraryStores", "Migrations", "PostgreSQL",
                "PostgreSQLStores", "SQLiteStores", "TestSupport", "Text",
            ],
            path: "Tests/StoreEngines"),
        // Servers of feeds in memory, for the tests of fetching and of the fronts.
        .target(
            name: "FetchingSupport",
            dependencies: [
                "ArticleFetching", "ArticleImporting", "ArticleStore", "AuthService", "HTTPClient", "StoreEngines",
                "TestSupport", "Text",
            ],
            path: "Tests/FetchingSupport"),
        .testTarget(name: "TextTests", dependencies: ["TestSupport", "Text"]),
        .testTarget(name: "MarkupTests", dependencies: ["Markup", "TestSupport"]),
        .testTarget(name: "DatabaseTests", dependencies: ["Database", "Migrations", "TestSupport"]),
        .testTarget(name: "PostgreSQLTests", dependencies: ["Platform", "PostgreSQL", "TestSupport"]),
        .testTarget(
            name: "PostgreSQLStoresTests",
            dependencies: [
                "ArticleImporting", "ArticleStore", "AuthService", "Database", "Migrations", "PostgreSQL",
                "PostgreSQLStores", "StoreEngines", "TestSupport", "Text",
            ]),
        // A program that makes the mistakes that stop a program.
        .executableTarget(name: "navigation-mistakes", dependencies: ["Navigation"], path: "Tests/NavigationMistakes"),
        .testTarget(
            name: "NavigationTests",
            dependencies: ["Navigation", "NavigationTesting", "TestSupport", "navigation-mistakes"]),
        .testTarget(name: "NavigationTestingTests", dependencies: ["Navigation", "NavigationTesting"]),
        .testTarget(
            name: "ArticleStoreTests",
            dependencies: [
                "ArticleExporting", "ArticleImporting", "ArticleStore", "AuthService", "CExpat", "CPlatform",
                "Database",
                "Markup", "SQLiteStores", "StoreEngines",
                "TestSupport",
            ]),
        .testTarget(
            name: "AuthServiceTests",
            dependencies: [
                "ArticleStore", "AuthService", "CommonPasswords", "Database", "SQLiteStores", "StoreEngines",
                "TestSupport",
            ]),
        .testTarget(
            name: "FlowCoordinatorsTests",
            dependencies: ["FetchingSupport", "FlowCoordinators", "NavigationTesting", "StoreEngines", "TestSupport"]),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "Platform", "TestSupport"]),
        .testTarget(
            name: "ArticleFetchingTests",
            dependencies: [
                "ArticleFetching", "ArticleImporting", "ArticleStore", "FetchingSupport", "HTTPClient", "HTTPServer",
                "StoreEngines", "TestSupport", "Text",
            ]),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "HTTPServer", "Platform", "TestSupport"]),
        .testTarget(
            name: "WebFrontTests",
            dependencies: [
                "AuthService", "FetchingSupport", "FlowCoordinators", "HTTPServer", "LibraryServices", "SQLiteStores",
                "StoreEngines", "TestSupport", "WebFront",
            ]),
        .testTarget(
            name: "GoogleReaderTests",
            dependencies: [
                "ArticleStore", "AuthService", "FetchingSupport", "GoogleReader", "HTTPServer", "LibraryServices",
                "SQLiteStores", "StoreEngines", "TestSupport",
            ]),
        .testTarget(
            name: "WebAPITests",
            dependencies: [
                "FetchingSupport", "HTTPServer", "LibraryServices", "StoreEngines", "TestSupport", "Text", "WebAPI",
            ]),
        .testTarget(
            name: "ArticlesClientTests",
            dependencies: [
                "ArticlesClient", "ArticleStore", "AuthService", "Database", "HTTPServer", "LibraryServices",
                "SQLiteStores", "StoreEngines", "TestSupport", "WebAPI",
            ]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Arguments", "ArticlesClient", "AuthService", "FlowCoordinators", "GoogleReader", "HTTPServer",
                "LibraryServices", "LibraryStores", "StoreEngines", "TestSupport", "WebAPI", "WebFront", "articlesd",
            ]),
        .testTarget(name: "TerminalTests", dependencies: ["Platform", "Terminal", "TestSupport"]),
        .testTarget(name: "TerminalReaderTests", dependencies: ["TerminalReader", "TestSupport"]),
        .testTarget(
            name: "articlesctlTests", dependencies: ["Arguments", "articlesctl", "StoreEngines", "TestSupport", "Text"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["articlesctl", "FlowCoordinators", "LibraryStores", "Migrations", "TestSupport"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Arguments", "ArticleStore", "articlesctl", "articlesd", "Database", "Migrations", "PostgreSQL",
                "StoreEngines", "TestSupport",
            ],
            exclude: ["Databases"]),
    ],
    cxxLanguageStandard: .cxx17
)

// Let the C code check the bounds when it copies memory. That requires an optimizer, so it works only in release
// builds.
let compiledC: Set = [
    "CCurl", "CGumbo", "CMarkdown", "CPCRE", "CPlatform", "CPostgreSQL", "CQRCode", "CSearch", "CTOML", "CZxcvbn",
]
for target in package.targets where compiledC.contains(target.name) {
    target.cSettings = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
    target.cxxSettings = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
}

for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
