// swift-tools-version: 6.2

import PackageDescription

// Composes the flows of accounts, which are a package of their own, with articles. The navigator runs on an actor.
let package = Package(
    name: "Features",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "articlesctl", path: "../.."), .package(path: "../Accounts")],
    targets: [
        .executableTarget(
            name: "library-on-an-actor",
            dependencies: [
                .product(name: "Accounts", package: "Accounts"),
                .product(name: "ArticleStore", package: "articlesctl"),
                .product(name: "AuthService", package: "articlesctl"),
                .product(name: "LibraryStores", package: "articlesctl"),
                .product(name: "Navigation", package: "articlesctl"),
            ])
    ]
)
