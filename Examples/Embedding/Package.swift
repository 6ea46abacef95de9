// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Embedding",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .executableTarget(
            name: "reading-room",
            dependencies: [
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "AuthService", package: "articlesctl"),
                .product(name: "Database", package: "articlesctl"),
                .product(name: "FlowCoordinators", package: "articlesctl"),
                .product(name: "Migrations", package: "articlesctl"),
                .product(name: "Navigation", package: "articlesctl"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
    ]
)
