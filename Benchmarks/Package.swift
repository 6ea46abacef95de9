// swift-tools-version: 6.2

import PackageDescription

// This is a separate package, so that building the library does not build the benchmarks.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "articlesctl", path: "..")],
    targets: [
        .target(name: "CFloor", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("sodium")]),
        .executableTarget(
            name: "reading",
            dependencies: [
                "CFloor",
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "AuthService", package: "articlesctl"),
                .product(name: "Database", package: "articlesctl"),
                .product(name: "LibraryStores", package: "articlesctl"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .executableTarget(
            name: "marking",
            dependencies: [
                "CFloor",
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "Database", package: "articlesctl"),
                .product(name: "LibraryStores", package: "articlesctl"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .target(
            name: "Corpus", dependencies: [.product(name: "ArticleStore", package: "articlesctl")],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .executableTarget(
            name: "engines",
            dependencies: [
                "Corpus",
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "AuthService", package: "articlesctl"),
                .product(name: "LibraryStores", package: "articlesctl"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .executableTarget(
            name: "searching",
            dependencies: [
                "Corpus",
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "Database", package: "articlesctl"),
                .product(name: "LibraryStores", package: "articlesctl"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    ]
)
