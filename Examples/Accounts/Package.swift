// swift-tools-version: 6.2

import PackageDescription

// The flows of accounts. They do not know articles, nor the application that composes them.
let package = Package(
    name: "Accounts",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Accounts", targets: ["Accounts"])],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .target(
            name: "Accounts",
            dependencies: [
                .product(name: "AuthService", package: "articlesctl"),
                .product(name: "Navigation", package: "articlesctl"),
            ])
    ]
)
