// swift-tools-version: 6.2

import PackageDescription

// The settings are the defaults of the tools.
let package = Package(
    name: "Embedding",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .executableTarget(
            name: "reading-room",
            dependencies: [
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "AuthService", package: "articlesctl"),
                .product(name: "Database", package: "articlesctl"),
                .product(name: "FlowCoordinators", package: "articlesctl"),
                .product(name: "LibraryStores", package: "articlesctl"),
                .product(name: "Navigation", package: "articlesctl"),
            ])
    ]
)
